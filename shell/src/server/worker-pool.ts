import cluster, { type Worker } from 'node:cluster';
import type { Log } from '@colonnade/service/log';

const startMs = 15_000;
const firstRetryMs = 100;
const lastRetryMs = 5000;

/** The worker processes of one release set. They share a port; one that dies is replaced. */
export class WorkerPool {
  readonly set: string;
  readonly port: number;
  readonly #log: Log;
  #wanted: number;
  #retryMs = firstRetryMs;
  #workers = new Set<Worker>();
  #ready = new Set<Worker>();

  constructor(set: string, port: number, wanted: number, log: Log) {
    this.set = set;
    this.port = port;
    this.#wanted = wanted;
    this.#log = log;
  }

  get readyCount(): number {
    return this.#ready.size;
  }

  /** Starts the workers. @throws when one of them does not come up: the set must not go live */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#wanted }, () => this.#fork()));
  }

  /** Keeps fewer workers: the first ones stay. */
  shrink(wanted: number): void {
    this.#wanted = Math.min(this.#wanted, wanted);
    for (const worker of [...this.#workers].slice(this.#wanted)) worker.process.kill('SIGTERM');
  }

  /** Ends all workers; each drains first. */
  async stop(): Promise<void> {
    this.#wanted = 0;
    await Promise.all(
      [...this.#workers].map(
        (worker) =>
          new Promise<void>((resolve) => {
            worker.once('exit', () => resolve());
            worker.process.kill('SIGTERM');
          }),
      ),
    );
  }

  send(message: string): void {
    for (const worker of this.#ready) worker.send(message);
  }

  #fork(): Promise<void> {
    const worker = cluster.fork({ WORKER_SET: this.set, WORKER_PORT: String(this.port) });
    this.#workers.add(worker);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => worker.process.kill('SIGKILL'), startMs);
      worker.on('message', (message: { ready?: boolean }) => {
        if (!message?.ready) return;
        clearTimeout(late);
        this.#ready.add(worker);
        this.#retryMs = firstRetryMs;
        resolve();
      });
      worker.once('exit', (code, signal) => {
        clearTimeout(late);
        const wasReady = this.#ready.delete(worker);
        this.#workers.delete(worker);
        reject(new Error(`a worker of set ${this.set} ended while starting (${signal ?? code})`));
        if (wasReady && this.#workers.size < this.#wanted) this.#replace(code, signal);
      });
    });
  }

  #replace(code: number | null, signal: string | null): void {
    this.#log.error({ set: this.set, code, signal }, 'worker died, replacing it');
    const again = () => {
      if (this.#workers.size >= this.#wanted) return;
      this.#fork().catch((error: unknown) => {
        this.#retryMs = Math.min(this.#retryMs * 2, lastRetryMs);
        this.#log.error({ err: error, retryMs: this.#retryMs }, 'replacement did not start');
        setTimeout(again, this.#retryMs);
      });
    };
    again();
  }
}
