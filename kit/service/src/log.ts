/** Logging: one JSON object per line on standard output, with ids and counts, never with a body, a query or an address. */
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { z } from 'zod';
import { field, readEnv } from './env.ts';

export type Log = Logger;

/** Lines are written together: one system call for each was a sixth of a busy gateway's time. A SIGKILL loses what is younger than this. */
const flushMs = 100;
const bufferBytes = 4096;
const output = pino.destination({ sync: false, minLength: bufferBytes, periodicFlush: flushMs });
process.on('exit', () => output.flushSync());

/** The log of one process. `LOG_LEVEL` (default `info`) says from which level on. */
export function createLog(name: string): Log {
  const { LOG_LEVEL: level } = readEnv(z.object({ LOG_LEVEL: field.logLevel.default('info') }));
  return pino(
    {
      name,
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: described },
    },
    output,
  );
}

/**
 * Of an error what happened and where, never the values it happened with: MongoDB repeats in `errInfo` the values of a
 * document that it refuses, and they may be a visitor's.
 */
function described(error: unknown): unknown {
  if (!(error instanceof Error)) return { type: typeof error, ...(typeof error === 'string' && { message: error }) };
  const { name, message, cause } = error;
  return {
    type: name,
    message,
    stack: error.stack,
    ...('code' in error && { code: error.code }),
    ...(cause !== undefined && { cause: described(cause) }),
  };
}
