import type { Worker } from 'node:cluster';

/** Something that the worker had started may hold the pipe open after its death. */
const waitMs = 300;
const limitBytes = 65_536;

/**
 * What a worker, or a thread of it, wrote to file descriptor 4 in its last moments, parsed: a pipe outlives a SIGKILL,
 * messages to the parent do not.
 * @returns gives it after the worker's end; undefined where that is nothing, or nothing that parses
 */
export function reportOf(worker: Worker): () => Promise<unknown> {
  // A worker that this process had no file descriptors left for has no pipes, whatever its type says.
  const pipe = worker.process.stdio?.[4] as NodeJS.ReadableStream | undefined;
  let text = '';
  pipe?.on('data', (chunk: Buffer) => {
    if (text.length < limitBytes) text += String(chunk);
  });
  const ended = new Promise<void>((resolve) => (pipe ? pipe.once('close', resolve).once('error', () => resolve()) : resolve()));
  return async () => {
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, waitMs))]);
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  };
}
