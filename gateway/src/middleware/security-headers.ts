import type { RequestHandler } from 'express';

/** What every answer says, whoever gives it; a page's own Content-Security-Policy, which knows its styles and scripts, replaces this one. */
export function securityFields(origin: string): Record<string, string> {
  const fields: Record<string, string> = {
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'X-Content-Type-Options': 'nosniff',
    // `no-referrer` would make a form's Origin `null`.
    'Referrer-Policy': 'strict-origin-when-cross-origin',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'X-Frame-Options': 'DENY',
  };
  if (origin.startsWith('https:')) fields['Strict-Transport-Security'] = 'max-age=63072000; includeSubDomains';
  return fields;
}

/** Sets them before anything else can answer. */
export function securityHeaders(origin: string): RequestHandler {
  const fields = new Map(Object.entries(securityFields(origin)));
  return (_req, res, next) => {
    res.setHeaders(fields);
    next();
  };
}
