import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
import { listening } from './servers.ts';

/** What the defences are measured against: the proxy library as its documentation shows it, and nothing else. @returns its port */
export async function bareProxy(target: string, options: { proxyTimeout?: number } = {}): Promise<number> {
  const app = express();
  app.use(createProxyMiddleware({ target, xfwd: true, ...options }));
  return (await listening(app)).port;
}
