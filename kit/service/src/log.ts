/** Logging: one JSON object per line on standard output, with ids and counts, never with a body, a query or an address. */
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { z } from 'zod';
import { field, readEnv } from './env.ts';
import { traceId } from './trace.ts';

export type Log = Logger;

/** Lines are written together: a system call for each was a sixth of a busy gateway's time. A SIGKILL loses what is younger than this. */
const flushMs = 100;
/** So many characters are written before that time is over. */
const batchLength = 65_536;
/** One that only begins to write, in a thread, loses what a process says last before it exits. */
const output = pino.destination({ sync: true });
let lines = '';
let flushing: NodeJS.Timeout | undefined;
process.on('exit', flush);

/** Gathers lines itself: sonic-boom measures all that it has gathered with each line, which makes a cached page a quarter dearer with batches of this length. */
function write(line: string): void {
  lines += line;
  if (lines.length >= batchLength) flush();
  else flushing ??= setTimeout(flush, flushMs).unref();
}

function flush(): void {
  clearTimeout(flushing);
  flushing = undefined;
  if (lines) output.write(lines);
  lines = '';
}

/** The log of one process. `LOG_LEVEL` (default `info`) says from which level on. */
export function createLog(name: string): Log {
  const { LOG_LEVEL: level } = readEnv(z.object({ LOG_LEVEL: field.logLevel.default('info') }));
  return pino(
    {
      name,
      level,
      base: { pid: process.pid },
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: traced },
      serializers: { err: (error) => described(error) },
    },
    { write },
  );
}

/** What is logged in the course of a request names its trace. */
function traced(line: Record<string, unknown>): Record<string, unknown> {
  const id = traceId();
  return id === undefined ? line : { ...line, traceId: id };
}

/** More causes behind each other than that are a circle. */
const maxCauses = 10;

/**
 * Of an error what happened and where, never the values it happened with: MongoDB repeats in `errInfo` the values of a
 * document that it refuses, and they may be a visitor's.
 */
function described(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { type: typeof error, ...(typeof error === 'string' && { message: error }) };
  const { name, message, cause } = error;
  return {
    type: name,
    message,
    stack: error.stack,
    ...('code' in error && { code: error.code }),
    ...(cause !== undefined && depth < maxCauses && { cause: described(cause, depth + 1) }),
  };
}
