/**
 * What this process needs before it listens. On a socket that it shares with the process it succeeds, listening is
 * taking requests from one that can answer them.
 */
const needs: Promise<unknown>[] = [];

/** A need that does not come keeps the process from listening no longer than this: it then says itself what is missing. */
const waitMs = 3000;

/** To be called before `serve`. */
export function needsBeforeListening(need: Promise<unknown>): void {
  needs.push(need);
}

/** Resolves when all is there, or after 3 s. */
export async function readyToListen(): Promise<void> {
  let late: NodeJS.Timeout | undefined;
  await Promise.race([
    Promise.allSettled(needs),
    new Promise((resolve) => {
      late = setTimeout(resolve, waitMs);
    }),
  ]);
  clearTimeout(late);
}
