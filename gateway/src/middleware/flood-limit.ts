import { Problem } from '@colonnade/service/problem';
import type { RequestHandler } from 'express';
import { rateLimit } from 'express-rate-limit';

const windowMs = 60_000;

const loopback = /^(?:::ffff:)?127\.|^::1$/i;

/**
 * Keeps one address (a /64 in IPv6, which is what one visitor has) from taking the gateway for itself. Each worker process
 * counts by itself: far above what a person or a crawler asks for, the exact number does not matter.
 * @param perMinute requests of one address
 * @param exemptLoopback where no proxy is named, what comes from this machine is a proxy that passes no address on, or a tool
 */
export function floodLimit({ perMinute, exemptLoopback }: { perMinute: number; exemptLoopback: boolean }): RequestHandler {
  const limit = rateLimit({
    windowMs,
    limit: perMinute,
    ipv6Subnet: 64,
    standardHeaders: false,
    legacyHeaders: false,
    // Without an address the visitor has left already.
    skip: ({ ip }) => ip === undefined,
    handler: (_req, _res, next) =>
      next(
        new Problem(429, 'Too many requests', {
          detail: 'This address has asked for too much. Please try again in a minute.',
          headers: { 'Retry-After': String(windowMs / 1000) },
        }),
      ),
    // They complain about forwarding headers where no proxy is trusted: those are ignored on purpose.
    validate: { xForwardedForHeader: false, forwardedHeader: false },
  });
  return (req, res, next) => (exemptLoopback && loopback.test(req.ip ?? '') ? next() : limit(req, res, next));
}
