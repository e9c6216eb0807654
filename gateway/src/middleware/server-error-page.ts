import { Problem } from '@colonnade/service/problem';
import type { ErrorRequestHandler } from 'express';

const page = (requestId: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Not available at the moment</title>
<h1>This site is not available at the moment</h1>
<p>Nothing you sent has been stored. Please try again in a minute.</p>
<p><a href="">Try again</a></p>
<p>Request ${requestId}</p>
</html>
`;

/** With nothing behind the gateway, a browser that asked for a page still gets a plain one. Programs get the problem. */
export const serverErrorPage: ErrorRequestHandler = (error: unknown, req, res, next) => {
  if (!(error instanceof Problem) || error.status !== 503 || res.headersSent || res.locals.route !== 'page' || !req.accepts('html'))
    return next(error);
  if (new URLSearchParams(req.originalUrl.split('?', 2)[1]).has('_data')) return next(error);
  res
    .status(503)
    .set({ ...error.headers, 'Cache-Control': 'no-store' })
    .type('html')
    .send(page(req.id));
};
