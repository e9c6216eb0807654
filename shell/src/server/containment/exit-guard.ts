import { shuttingDown } from '@colonnade/service/shutdown';

/** A release called what would end the process. */
export class ExitRefused extends Error {
  override name = 'ExitRefused';
  constructor(call: string) {
    super(`${call} called by a release: a release does not end the process it runs in`);
  }
}

export interface ExitGuard {
  /** Ends the process all the same. */
  exit(code: number): never;
  /** Runs the shell's own code that may end the process. */
  lifted<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * From here on, whoever tries to end this process gets an exception instead, until it shuts down by itself. Code that
 * throws fails its own page only.
 */
export function guardExits(): ExitGuard {
  const { exit, kill } = process;
  let open = false;
  const refuse = (call: string) => {
    if (!open && !shuttingDown.aborted) throw new ExitRefused(call);
  };
  // `reallyExit` is what exit() itself calls.
  for (const name of ['exit', 'reallyExit', 'abort'] as const) {
    const original = (process as unknown as Record<string, (code?: number) => never>)[name]?.bind(process);
    Object.assign(process, {
      [name](code?: number) {
        refuse(`process.${name}`);
        return original?.(code);
      },
    });
  }
  process.kill = (pid, signal) => {
    // 0 and negative numbers are process groups, this process's own among them; signal 0 only asks.
    if (signal !== 0 && (pid === process.pid || pid <= 0)) refuse('process.kill');
    return kill.call(process, pid, signal);
  };
  return {
    exit(code) {
      open = true;
      return exit.call(process, code);
    },
    async lifted(run) {
      open = true;
      try {
        return await run();
      } finally {
        open = false;
      }
    },
  };
}
