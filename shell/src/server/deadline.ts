import { StatusError } from '@colonnade/mfe/host';
import { Ending } from '@colonnade/service/ending';

/**
 * Runs work that has to be done within a deadline. It is told to end then, and when the visitor leaves.
 * @param parent the visitor's
 * @throws StatusError 503 when the deadline passes first; the work is then on its own
 */
export async function withDeadline<T>(
  deadlineMs: number,
  work: (ending: Ending) => Promise<T> | undefined,
  parent?: Ending,
): Promise<T | undefined> {
  const ending = new Ending();
  const stop = parent?.onEnd((reason) => ending.end(reason));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new StatusError(503, { 'Retry-After': '5' }, { cause: new Error(`no answer within ${deadlineMs} ms`) });
      // First: of what the end makes fail, this is the cause.
      reject(error);
      ending.end(error);
    }, deadlineMs);
  });
  try {
    return await Promise.race([work(ending), late]);
  } finally {
    clearTimeout(timer);
    stop?.();
  }
}
