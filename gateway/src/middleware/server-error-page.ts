import { createHash } from 'node:crypto';
import { Problem } from '@colonnade/service/problem';
import type { ErrorRequestHandler, Request } from 'express';
import { dataSetOf } from '../data-request.ts';

/** Addresses that programs ask. */
const forPrograms = /^\/(api|_[a-z]+|healthz)(\/|$)/;

const style = `
:root { color-scheme: light dark; }
body { margin: 0; font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 34rem; margin: 18vh auto 0; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
a { color: inherit; }
small { opacity: 0.75; overflow-wrap: anywhere; }
`;
/** The page needs no other file: nothing else may be there to serve one. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

interface Words {
  title: string;
  text: string;
  link: string;
}

const again = '<a href="">Try again</a>';
const words: Record<number, Words> = {
  400: {
    title: 'This request could not be read',
    text: 'The address may be mistyped, or a link to it broken. Nothing was stored.',
    link: '<a href="/">First page</a>',
  },
  429: {
    title: 'Too many requests',
    text: 'Your network has asked for more pages than one visitor needs. Please wait a minute, then try again.',
    link: again,
  },
  503: {
    title: 'This site is not available at the moment',
    text: 'Please try again in a minute. If you were sending a form, it may have arrived or not.',
    link: again,
  },
};

const page = ({ title, text, link }: Words, requestId: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p>${link}</p>
<p><small>Request ${requestId}</small></p>
</main>
</body>
</html>
`;

/** Where nothing behind the gateway is to be asked, a browser that wants a page still gets a plain one. Programs get the problem. */
export const serverErrorPage: ErrorRequestHandler = (error: unknown, req, res, next) => {
  const known = error instanceof Problem ? words[error.status] : undefined;
  if (!(error instanceof Problem) || !known || res.headersSent || !wantsPage(req, error.status)) return next(error);
  res
    .status(error.status)
    .set({ ...error.headers, 'Cache-Control': 'no-store', 'Content-Security-Policy': policy })
    .type('html')
    .send(page(known, req.id));
};

/** What cannot be read comes from programs more often than from browsers, which name HTML. */
function wantsPage(req: Request, status: number): boolean {
  const [path = ''] = req.originalUrl.split('?', 1);
  const accepted = status === 400 ? req.accepts(['json', 'html']) : req.accepts('html');
  return !forPrograms.test(path) && dataSetOf(req.originalUrl) === null && accepted === 'html';
}
