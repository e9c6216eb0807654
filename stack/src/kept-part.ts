import { Part, type PartFailed, type PartOptions } from './process.ts';
import { RestartDelays } from './restart-delays.ts';

interface KeptPartOptions extends Omit<PartOptions, 'onLeaving'> {
  tell(line: string): void;
}

/**
 * Keeps one part of the site up. It is started again when it dies; when somebody else asks it to end, its successor
 * comes up on the same sockets before it may go.
 */
export class KeptPart {
  readonly name: string;
  readonly #options: KeptPartOptions;
  /** Resolves with the reason when it was given up. */
  readonly failed: Promise<PartFailed>;
  readonly #fail: (failure: PartFailed) => void;
  #current: Part;
  /** Those that drain because their successor is up. */
  readonly #former = new Set<Part>();
  #up = false;
  readonly #delays = new RestartDelays();
  #startedAt = 0;
  #stopping = false;

  constructor(options: KeptPartOptions) {
    this.#options = options;
    this.name = options.name;
    const { promise, resolve } = Promise.withResolvers<PartFailed>();
    this.failed = promise;
    this.#fail = resolve;
    this.#current = this.#start();
  }

  get pid(): number | undefined {
    return this.#current.pid;
  }

  /** Resolves when its first process listens. One that dies before is not started again. @throws PartFailed */
  async listening(): Promise<void> {
    await this.#current.listening();
    this.#up = true;
  }

  failure(reason: string): PartFailed {
    return this.#current.failure(reason);
  }

  send(message: string): void {
    this.#current.send(message);
  }

  /** Ends the part. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([this.#current, ...this.#former].map((part) => part.stop()));
  }

  /** Ends its process and starts another; resolves when that listens. @throws PartFailed; the next call tries again */
  async restart(): Promise<void> {
    this.#up = false;
    await this.#current.stop();
    if (this.#stopping) return;
    this.#current = this.#start();
    await this.listening();
  }

  #start(): Part {
    this.#startedAt = performance.now();
    const part = new Part({ ...this.#options, onLeaving: (leaving) => this.#succeed(leaving) });
    part.died.then((reason) => this.#died(part, reason));
    return part;
  }

  async #died(part: Part, reason: string): Promise<void> {
    if (this.#former.delete(part) || this.#stopping || part !== this.#current) return;
    // Whoever waits in `listening` is told.
    if (!this.#up) return;
    const waitMs = this.#delays.next(performance.now() - this.#startedAt);
    if (waitMs === undefined) return this.#fail(part.failure(reason));
    this.#options.tell(`${this.name}: ${reason}, starting it again`);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    if (!this.#stopping && part === this.#current) this.#current = this.#start();
  }

  async #succeed(leaving: Part): Promise<void> {
    if (this.#stopping || leaving !== this.#current) return leaving.send('drain');
    this.#options.tell(`${this.name}: was asked to end, starting its successor`);
    this.#former.add(leaving);
    const successor = this.#start();
    this.#current = successor;
    // Where it does not come up, it is started again as any part that dies.
    await successor.listening().catch(() => {});
    leaving.send('drain');
  }
}
