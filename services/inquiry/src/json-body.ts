import { jsonBody as readJson } from '@colonnade/service/json-body';
import type { RequestHandler } from 'express';
import { notAnObject } from './errors.ts';

const onlyObject: RequestHandler = (req, _res, next) => {
  const body: unknown = req.body;
  next(typeof body === 'object' && body !== null && !Array.isArray(body) ? undefined : notAnObject());
};

/** Reads a body that has to be one JSON object. The largest message, 5,000 characters, takes 30,000 bytes where a caller writes each as `\\uXXXX`. */
export const jsonBody: RequestHandler[] = [readJson('32kb'), onlyObject];
