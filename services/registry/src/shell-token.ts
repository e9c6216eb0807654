/** Teams reach this port too, to publish. What is said about trials and counts decides what is live, so only shells may say it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestHandler } from 'express';
import { notAShell } from './errors.ts';

/** Lets through whoever sends this token; without one, everybody who reaches the port. */
export function requireShell(token: string | undefined): RequestHandler {
  return (req, _res, next) => {
    if (token === undefined) return next();
    const given = /^bearer +(\S+)$/i.exec(req.get('authorization') ?? '')?.[1] ?? '';
    next(timingSafeEqual(digest(given), digest(token)) ? undefined : notAShell());
  };
}

const digest = (text: string) => createHash('sha256').update(text).digest();
