/** Worker processes that share a port through this process (Node's cluster). */
import cluster, { type Worker } from 'node:cluster';
import type { Log } from './log.ts';
import { passedSocket } from './passed-socket.ts';
import { takeBackHandoffs } from './worker-handoff.ts';
import { reportOf } from './worker-report.ts';

const startMs = 15_000;
/** A worker that is told to end does so within 9 s by itself, unless it is stuck. */
const drainMs = 10_000;
/** A worker that lived shorter than this died young. */
const youngMs = 10_000;
const maxRetryMs = 5000;
/** A worker that hangs is ended within 15 s. */
const askMs = 3000;
/**
 * Questions are counted, not time: while this process or the whole machine stands still none is asked, and what was
 * answered meanwhile is read before the next but one.
 */
const maxUnanswered = 4;

/** How a worker ended that nobody had asked to. */
export interface Death {
  pid: number;
  code: number | null;
  signal: NodeJS.Signals | null;
  /** What it, or a thread of it, had to say: the JSON it wrote to file descriptor 4. */
  report?: unknown;
}

/** A worker did not come up. */
export class WorkerFailed extends Error {
  override name = 'WorkerFailed';
  readonly death: Death;
  constructor(pool: string, death: Death, cause?: Error) {
    super(`a worker of ${pool} ended while starting (${cause?.message ?? death.signal ?? death.code})`, { cause });
    this.death = death;
  }
}

export interface WorkerPoolOptions {
  /** For the log. */
  name: string;
  /** Module that each worker runs. */
  exec: string;
  /** Read anew for each worker. */
  env(): Record<string, string>;
  wanted: number;
  log: Log;
  /** Between two questions to each worker whether it still answers. Default: 3 s. */
  askEveryMs?: number;
  onDeath?(death: Death): void;
  onMessage?(message: unknown): void;
}

/** `leaving`: serves on until its successor is up. `draining`: takes no new connections. */
type State = 'starting' | 'ready' | 'leaving' | 'draining';

/**
 * Keeps a number of workers up. One that dies is replaced at once; one that says it is leaving (`serve` does, on SIGTERM)
 * gets its successor first and is told to drain when that one is ready; one that is up and does not answer
 * when asked whether it is alive (`serve` does) is ended. None outlives this process.
 *
 * Where the workers' port is a socket that this process was passed, and the last of them dies, this process exits with 1:
 * Node's cluster closes the socket then, and only the parent can pass it again.
 */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  #wanted: number;
  #states = new Map<Worker, State>();
  /** Young deaths in a row: one in that is killed with each start must not take a core for itself. */
  #young = 0;
  /** Questions in a row that a worker has left unanswered. */
  readonly #unanswered = new WeakMap<Worker, number>();
  readonly #asking: NodeJS.Timeout;

  /** None outlives this process. */
  readonly #end = () => {
    for (const worker of this.#states.keys()) worker.process.kill('SIGKILL');
  };

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
    this.#wanted = options.wanted;
    process.on('exit', this.#end);
    this.#asking = setInterval(() => this.#ask(), options.askEveryMs ?? askMs).unref();
  }

  /** Workers that take connections. */
  get readyCount(): number {
    return this.#in('ready', 'leaving').length;
  }

  /** Starts the workers. @throws WorkerFailed when one of them does not come up; the others go on */
  async start(): Promise<void> {
    await Promise.all(Array.from({ length: this.#wanted }, () => this.#fork()));
  }

  /** Keeps fewer workers: the first ones stay. */
  shrink(wanted: number): void {
    this.#wanted = Math.min(this.#wanted, wanted);
    for (const worker of this.#counted.slice(this.#wanted)) this.#drain(worker);
  }

  /** Keeps more workers; resolves when they are up. @throws WorkerFailed */
  async grow(wanted: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, wanted);
    await Promise.all(Array.from({ length: Math.max(0, this.#wanted - this.#counted.length) }, () => this.#fork()));
  }

  /** Ends all workers; each drains first, in 10 s at most. */
  async stop(): Promise<void> {
    this.#wanted = 0;
    clearInterval(this.#asking);
    const ends = [...this.#states.keys()].map((worker) => new Promise<void>((resolve) => onceEnded(worker, () => resolve())));
    for (const worker of this.#in('starting', 'ready', 'leaving')) this.#drain(worker);
    await Promise.all(ends);
    process.off('exit', this.#end);
  }

  /** To every worker that is up. */
  send(message: string | object): void {
    for (const worker of this.#in('ready', 'leaving')) tell(worker, message);
  }

  #in(...states: State[]): Worker[] {
    return [...this.#states].flatMap(([worker, state]) => (states.includes(state) ? [worker] : []));
  }

  /** Those that make up the wanted number. */
  get #counted(): Worker[] {
    return this.#in('starting', 'ready');
  }

  /** Nothing else notices a worker that is stopped, or whose event loop is blocked. Those that start or drain have a deadline. */
  #ask(): void {
    for (const worker of this.#in('ready', 'leaving')) {
      const unanswered = this.#unanswered.get(worker) ?? 0;
      if (unanswered < maxUnanswered) {
        this.#unanswered.set(worker, unanswered + 1);
        tell(worker, 'alive');
      } else {
        this.#options.log.error({ pool: this.#options.name, worker: worker.process.pid }, 'worker does not answer, ending it');
        worker.process.kill('SIGKILL');
      }
    }
  }

  #drain(worker: Worker): void {
    // One that has not come up answers nothing yet, and may not have come so far as to read messages.
    const atOnce = this.#states.get(worker) === 'starting';
    this.#states.set(worker, 'draining');
    tell(worker, 'drain');
    const late = setTimeout(() => worker.process.kill('SIGKILL'), atOnce ? 0 : drainMs);
    worker.process.once('exit', () => clearTimeout(late));
  }

  async #fork(): Promise<void> {
    const { name, exec, env, log, onMessage, onDeath } = this.#options;
    cluster.setupPrimary({ exec, execArgv: [], stdio: ['inherit', 'inherit', 'inherit', 'ipc', 'pipe'] });
    const worker = cluster.fork({ ...env(), SUCCESSOR_FIRST: '1' });
    // An ended worker's channel may break while something is being sent.
    worker.on('error', () => {});
    const started = performance.now();
    this.#states.set(worker, 'starting');
    takeBackHandoffs(worker, () => this.#in('ready', 'leaving').some((other) => other !== worker));
    const report = reportOf(worker);
    let listener = '';
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => worker.process.kill('SIGKILL'), startMs);
      worker.on('message', (message: { ready?: boolean; leaving?: boolean; alive?: boolean; name?: string }) => {
        if (message?.ready) {
          clearTimeout(late);
          listener = message.name ?? '';
          // The parent that passed the socket is told that it is served.
          if (passedSocket(listener) !== undefined) process.send?.(message, () => {});
          if (this.#states.get(worker) === 'starting') this.#states.set(worker, 'ready');
          resolve();
        } else if (message?.leaving) this.#succeed(worker);
        else if (message?.alive) this.#unanswered.set(worker, 0);
        else onMessage?.(message);
      });
      onceEnded(worker, async ({ code, signal, error }) => {
        clearTimeout(late);
        const state = this.#states.get(worker);
        this.#states.delete(worker);
        this.#checkSocket(listener);
        const death: Death = { pid: worker.process.pid ?? 0, code, signal, report: await report() };
        reject(new WorkerFailed(name, death, error));
        // It has never run: that is the machine's doing.
        if (error) return;
        if (state === 'draining' || (state === 'leaving' && code === 0)) return;
        onDeath?.(death);
        if (state === 'starting') return;
        const { pid, ...how } = death;
        log.error({ pool: name, worker: pid, ...how }, 'worker died, replacing it');
        this.#replace(performance.now() - started);
      });
    });
  }

  #checkSocket(listener: string): void {
    if (this.#wanted === 0 || this.readyCount > 0 || passedSocket(listener) === undefined) return;
    this.#options.log.fatal({ pool: this.#options.name }, 'the last worker died and with it the socket: starting anew');
    process.exit(1);
  }

  #replace(livedMs: number): void {
    this.#young = livedMs < youngMs ? this.#young + 1 : 0;
    // The first two at once.
    setTimeout(() => this.#fill(), this.#young < 3 ? 0 : Math.min(100 * 2 ** (this.#young - 3), maxRetryMs));
  }

  /** Starts what is missing, again and again until it is there. */
  #fill(): void {
    if (this.#counted.length >= this.#wanted) return;
    this.#fork().catch((err: unknown) => {
      this.#options.log.error({ err }, 'replacement did not start');
      this.#replace(0);
    });
  }

  #succeed(worker: Worker): void {
    if (this.#states.get(worker) !== 'ready') return;
    this.#options.log.info({ pool: this.#options.name, worker: worker.process.pid }, 'worker leaves, its successor first');
    this.#states.set(worker, 'leaving');
    this.#fork().then(
      () => this.#states.get(worker) === 'leaving' && this.#drain(worker),
      () => this.#replace(0),
    );
  }
}

/** Where there was no process to be had (EAGAIN, EMFILE), a worker ends with an error, and never exits. */
function onceEnded(worker: Worker, ended: (end: { code: number | null; signal: NodeJS.Signals | null; error?: Error }) => void): void {
  worker.process.once('exit', (code, signal) => ended({ code, signal }));
  worker.process.once('error', (error) => worker.process.pid === undefined && ended({ code: null, signal: null, error }));
}

function tell(worker: Worker, message: string | object): void {
  if (worker.isConnected()) worker.send(message, () => {});
}
