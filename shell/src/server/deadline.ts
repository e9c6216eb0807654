import { StatusError } from '@colonnade/mfe/host';

const never = new AbortController().signal;

/**
 * Runs work that has to be done within a deadline. Its signal aborts then, and when the visitor leaves. One timer and one
 * controller: `AbortSignal.any` and `AbortSignal.timeout` together cost more than a tenth of a page.
 * @param parent the visitor's
 * @throws StatusError 503 when the deadline passes first; the work is then on its own
 */
export async function withDeadline<T>(
  deadlineMs: number,
  work: (signal: AbortSignal) => Promise<T> | undefined,
  parent = never,
): Promise<T | undefined> {
  const ending = new AbortController();
  const leave = () => ending.abort(parent.reason);
  if (parent.aborted) leave();
  else parent.addEventListener('abort', leave);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new StatusError(503, { 'Retry-After': '5' }, { cause: new Error(`no answer within ${deadlineMs} ms`) });
      // First: of what the signal makes fail, this is the cause.
      reject(error);
      ending.abort(error);
    }, deadlineMs);
  });
  try {
    return await Promise.race([work(ending.signal), late]);
  } finally {
    clearTimeout(timer);
    parent.removeEventListener('abort', leave);
  }
}
