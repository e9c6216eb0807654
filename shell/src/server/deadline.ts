import { StatusError } from '@colonnade/mfe/host';
import { Ending } from '@colonnade/service/ending';

/** Work that does not end, and waits for nobody: its own doing. */
export class Hung extends Error {
  override name = 'Hung';
}

/**
 * Runs work that has to be done within a deadline. It is told to end then, and when the visitor leaves.
 * @param parent the visitor's
 * @param waits whether the work waits for somebody else at that moment
 * @throws StatusError 503 when the deadline passes first, because of `Hung` where the work waits for nobody; it is then on its own
 */
export async function withDeadline<T>(
  deadlineMs: number,
  work: (ending: Ending) => Promise<T> | undefined,
  parent?: Ending,
  waits: () => boolean = () => true,
): Promise<T | undefined> {
  const ending = new Ending();
  const stop = parent?.onEnd((reason) => ending.end(reason));
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const cause = waits()
        ? new Error(`no answer within ${deadlineMs} ms`)
        : new Hung(`does not end within ${deadlineMs} ms, and waits for no service`);
      const error = new StatusError(503, { 'Retry-After': '5' }, { cause });
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
