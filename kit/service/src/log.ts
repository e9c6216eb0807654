/** Logging: one JSON object per line on standard output, with ids and counts, never with a body, a query or an address. */
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { z } from 'zod';
import { field, readEnv } from './env.ts';

export type Log = Logger;

/** The log of one process. `LOG_LEVEL` (default `info`) says from which level on. */
export function createLog(name: string): Log {
  const { LOG_LEVEL: level } = readEnv(z.object({ LOG_LEVEL: field.logLevel.default('info') }));
  return pino({
    name,
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
