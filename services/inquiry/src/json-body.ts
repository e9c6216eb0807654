import express, { type RequestHandler } from 'express';
import { notAnObject, notJson } from './errors.ts';

/** The largest message, 5,000 characters, takes 30,000 bytes where a caller writes each as `\\uXXXX`. */
const bodyLimit = '32kb';

/** A form of another site can send text/plain, but not application/json. body-parser would take any charset that begins with utf-. */
const onlyJson: RequestHandler = (req, _res, next) => {
  const type = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(req.get('content-type') ?? '');
  next(type ? undefined : notJson());
};

const onlyObject: RequestHandler = (req, _res, next) => {
  const body: unknown = req.body;
  next(typeof body === 'object' && body !== null && !Array.isArray(body) ? undefined : notAnObject());
};

/** Reads a body that has to be one JSON object. `first` runs before a byte of it is read. */
export const jsonBody = (...first: RequestHandler[]): RequestHandler[] => [
  onlyJson,
  ...first,
  express.json({ limit: bodyLimit, inflate: false }),
  onlyObject,
];
