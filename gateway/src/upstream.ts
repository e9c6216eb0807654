import { Agent } from 'node:http';
import type { Log } from '@colonnade/service/log';
import { Problem } from '@colonnade/service/problem';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';

/** Never forwarded in either direction: they concern one connection, or are said by this gateway only. */
const notForwarded = /^(connection|keep-alive|proxy-.*|te|trailer|upgrade|forwarded|x-forwarded-.*|x-real-ip|x-colonnade-.*|x-powered-by)$/;

export interface UpstreamOptions {
  name: string;
  /** Base URL without a path. */
  target: string;
  /** Longest silence, in milliseconds. */
  timeoutMs: number;
  log: Log;
}

/**
 * Proxies to one upstream through a connection pool of its own. The request goes on with the visitor's method, path,
 * query and Host; everything said about the visitor's connection is said anew by this gateway.
 */
export function createUpstream({ name, target, timeoutMs, log }: UpstreamOptions): RequestHandler {
  const nexts = new WeakMap<Request, NextFunction>();
  const proxy = createProxyMiddleware<Request, Response>({
    target,
    agent: new Agent({ keepAlive: true, maxSockets: 256, scheduling: 'lifo' }),
    proxyTimeout: timeoutMs,
    xfwd: false,
    changeOrigin: false,
    on: {
      proxyReq(proxied, req) {
        // With `Expect: 100-continue` Node has sent the headers already.
        if (proxied.headersSent) return;
        for (const header of proxied.getHeaderNames())
          if (notForwarded.test(header) && header !== 'connection') proxied.removeHeader(header);
        proxied.setHeader('X-Request-Id', req.id);
        proxied.setHeader('X-Forwarded-For', req.socket.remoteAddress ?? '');
      },
      proxyRes(answer) {
        for (const header of Object.keys(answer.headers)) if (notForwarded.test(header)) delete answer.headers[header];
      },
      error(error, req, res) {
        log.warn({ upstream: name, requestId: req.id, err: error }, 'upstream failed');
        // The visitor may have left, or half an answer may be out: then cutting it is the only honest end.
        if ('destroyed' in res && (res.destroyed || ('headersSent' in res && res.headersSent))) return void res.destroy();
        nexts.get(req)?.(
          new Problem(503, 'Service unavailable', {
            detail: 'A part of this site does not answer. Please try again shortly.',
            headers: { 'Retry-After': '5' },
          }),
        );
      },
    },
  });
  return (req, res, next) => {
    nexts.set(req, next);
    return proxy(req, res, next);
  };
}
