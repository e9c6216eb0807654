import { PartFailed } from '../process.ts';
import { RestartDelays } from '../restart-delays.ts';
import type { Mongod } from './mongod.ts';

/** Starts mongod again when it dies, with the same data on the same port: its clients find it again by themselves. */
export class KeptMongod {
  /** Resolves with the reason when it was given up. */
  readonly failed: Promise<PartFailed>;
  readonly #fail: (failure: PartFailed) => void;
  readonly #start: () => Promise<Mongod>;
  readonly #tell: (line: string) => void;
  readonly #delays = new RestartDelays();
  /** Never rejects. */
  #current: Promise<Mongod | undefined>;
  #stopping = false;

  constructor(first: Mongod, { start, tell }: { start: () => Promise<Mongod>; tell: (line: string) => void }) {
    this.#start = start;
    this.#tell = tell;
    const { promise, resolve } = Promise.withResolvers<PartFailed>();
    this.failed = promise;
    this.#fail = resolve;
    this.#current = Promise.resolve(first);
    this.#keep(first);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await (await this.#current)?.stop();
  }

  async #keep(first: Mongod): Promise<void> {
    let mongod: Mongod | undefined = first;
    let startedAt = performance.now();
    let reason = '';
    while (!this.#stopping) {
      if (mongod) {
        const { code, signal } = await mongod.exited;
        reason = `MongoDB ended by itself (${signal ?? `code ${code}`})`;
      }
      if (this.#stopping) return;
      const waitMs = this.#delays.next(performance.now() - startedAt);
      if (waitMs === undefined) return this.#fail(new PartFailed(`${reason}.`));
      this.#tell(`${reason}, starting it again`);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      if (this.#stopping) return;
      startedAt = performance.now();
      this.#current = this.#start().catch((error: Error) => {
        reason = error.message;
        return undefined;
      });
      mongod = await this.#current;
    }
  }
}
