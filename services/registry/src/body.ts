/** What comes with a request, checked before anything is done with it. */
import { fileLimits } from '@colonnade/release/files';
import { jsonBody as readJson } from '@colonnade/service/json-body';
import express, { type Request, type RequestHandler } from 'express';
import type { z } from 'zod';
import { invalid, notBytes, notForBrowsers } from './errors.ts';

/** JSON as large as `release.json` of the largest release in base64. */
export const jsonBody = readJson('512kb');

const parseBytes = express.raw({ type: () => true, limit: fileLimits.fileBytes, inflate: false });

/** A page of any site could make a visitor's browser ask an address of the loopback interface: browsers tell that they do. */
export const refuseBrowsers: RequestHandler = (req, _res, next) => {
  next(req.get('origin') === undefined && req.get('sec-fetch-site') === undefined ? undefined : notForBrowsers());
};

/** Reads the bytes of one file: whole, or not at all. */
export const bytesBody: RequestHandler = (req, res, next) => {
  if (req.get('content-type') === 'application/octet-stream') parseBytes(req, res, next);
  else next(notBytes());
};

/** @throws Problem 422 with a message for each field */
export function bodyOf<T extends z.ZodType>(schema: T, req: Request): z.infer<T> {
  const result = schema.safeParse(req.body);
  if (!result.success) throw invalid('body', result.error);
  return result.data;
}

/** @throws Problem 400 with a message for each part */
export function addressOf<T extends z.ZodType>(schema: T, parts: unknown): z.infer<T> {
  const result = schema.safeParse(parts);
  if (!result.success) throw invalid('address', result.error);
  return result.data;
}
