import express, { type RequestHandler } from 'express';
import { Problem } from './problem.ts';

const notJson = () => new Problem(415, 'Unsupported media type', { detail: 'Send the body as application/json in UTF-8, not compressed.' });

/**
 * Reads a body of JSON. body-parser would let another type pass unread, and take any charset that begins with utf-; a form of
 * another site can send text/plain, but not application/json.
 * @param limit the largest body, as `512kb`
 */
export function jsonBody(limit: string): RequestHandler {
  const parse = express.json({ limit, inflate: false });
  return (req, res, next) => {
    const isJson = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(req.get('content-type') ?? '');
    if (isJson) parse(req, res, next);
    else next(notJson());
  };
}
