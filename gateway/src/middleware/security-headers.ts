import type { RequestHandler } from 'express';

/** Set on every answer; a page's own Content-Security-Policy, which knows its styles and scripts, replaces this one. */
export function securityHeaders(origin: string): RequestHandler {
  const headers: Record<string, string> = {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'X-Content-Type-Options': 'nosniff',
    // `no-referrer` would make a form's Origin `null`.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Frame-Options': 'DENY',
  };
  if (origin.startsWith('https:')) headers['Strict-Transport-Security'] = 'max-age=63072000; includeSubDomains';
  return (_req, res, next) => {
    res.set(headers);
    next();
  };
}
