import { sendProblem } from '@colonnade/service/problem';
import type { ErrorRequestHandler } from 'express';
import { UpstreamUnavailable } from '../errors.ts';

/** An upstream's silence has been counted and logged where it was met: no second line, which under overload would be most of the work. */
export const upstreamUnavailable: ErrorRequestHandler = (error: unknown, req, res, next) => {
  if (error instanceof UpstreamUnavailable && !res.headersSent) sendProblem(req, res, error);
  else next(error);
};
