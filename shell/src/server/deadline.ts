import { StatusError } from '@colonnade/mfe/host';

/**
 * Waits for work, but not longer than a deadline.
 * @throws StatusError 503 when the deadline passes first; the work is then on its own
 */
export async function before<T>(deadlineMs: number, work: Promise<T> | undefined): Promise<T | undefined> {
  if (!work) return undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new StatusError(503, { 'Retry-After': '5' }, { cause: new Error(`no answer within ${deadlineMs} ms`) })),
      deadlineMs,
    );
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
