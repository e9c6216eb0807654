/** The watching thread. It never waits for the main thread: that one may be in a loop. */
import { type Debugger, Session } from 'node:inspector';
import { parentPort, workerData } from 'node:worker_threads';
import { type DeathReport, leaveReport } from '../containment/death-report.ts';
import type { Work } from '../containment/work.ts';
import { culpritOf } from './culprit.ts';
import type { Watched } from './watchdog.ts';

/**
 * Ticks are counted, not time: while the whole process is stopped or gets no processor, there are none. Ten without a
 * beat are about a second.
 */
const tickMs = 100;
const ticksUntilStuck = 10;
/** Busy collecting garbage, a thread takes some 300 ms to pause; in native code it never does. */
const pauseMs = 1000;
/** Over its limit a worker is replaced in order; this many times the limit, it has no time for that. */
const hardLimit = 1.5;
/** How often the main thread is looked at for whose the growth is. */
const looksAtGrowth = { least: 5, most: 10 };

const { beat, releases, memoryLimitBytes } = workerData as Watched;
let lastBeat = -1;
let missed = 0;
let looking: Look | undefined;
/** Who was running at each look at the growth. */
const seen: (Culprit | undefined)[] = [];
/** Whose the growth is, once that is known. What a process that is too large does until its end is theirs too, whoever is running then. */
let grower: Culprit | undefined;

type Culprit = NonNullable<ReturnType<typeof culpritOf>>;

/** Why the main thread is being paused. `gently`: it goes on afterwards, and is told whose the growth is. */
interface Look {
  reason: DeathReport['reason'];
  gently: boolean;
  session: Session;
  late?: NodeJS.Timeout;
}

setInterval(() => {
  const now = Atomics.load(beat, 0);
  missed = now === lastBeat ? missed + 1 : 0;
  lastBeat = now;
  const rss = process.memoryUsage.rss();
  if (missed >= ticksUntilStuck) look('stuck', false);
  else if (rss > memoryLimitBytes * hardLimit) look('memory', false);
  else if (rss > memoryLimitBytes && !grower && seen.length < looksAtGrowth.most) look('memory', true);
}, tickMs);

/** Pauses the main thread to see what it is doing. A look that was gentle becomes grim where it takes too long. */
function look(reason: Look['reason'], gently: boolean): void {
  if (looking && (gently || !looking.gently)) return;
  looking = { reason, gently, session: looking?.session ?? pause() };
  if (!gently) looking.late = setTimeout(() => decide(undefined), pauseMs);
}

function pause(): Session {
  const session = new Session();
  const scripts = new Map<string, string>();
  session.connectToMainThread();
  session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params.url));
  session.on('Debugger.paused', ({ params }) => {
    const [top] = params.callFrames;
    const frames = params.callFrames.map(({ location }) => scripts.get(location.scriptId) ?? '');
    session.post(
      'Debugger.evaluateOnCallFrame',
      { callFrameId: top?.callFrameId ?? '', expression: 'globalThis.__colonnadeWork()', returnByValue: true },
      (_error, answer) => decide(culpritOf(frames, workOf(answer), releases)),
    );
  });
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  return session;
}

function decide(culprit: Culprit | undefined): void {
  if (!looking) return;
  const { reason, gently, session, late } = looking;
  const movesAgain = reason === 'stuck' && Atomics.load(beat, 0) !== lastBeat;
  if (!gently && !movesAgain) {
    end({ reason, ...(grower ?? (reason === 'stuck' && culprit ? culprit : mostOf([...seen, culprit]))) });
    return;
  }
  clearTimeout(late);
  looking = undefined;
  missed = 0;
  session.disconnect();
  if (!gently) return;
  seen.push(culprit);
  if (seen.length >= looksAtGrowth.least) grower = mostOf(seen);
  if (grower || seen.length === looksAtGrowth.most) parentPort?.postMessage({ reason, ...grower });
}

/** Whose the growth is: whoever ran at more than half of the looks. Who is merely being answered meanwhile is seen now and then. */
function mostOf(culprits: (Culprit | undefined)[]): Culprit | undefined {
  const groups = Object.values(Object.groupBy(culprits, (of) => [of?.mfe, of?.version, of?.part].join()));
  return groups.find((group) => group && group.length > culprits.length / 2)?.at(-1);
}

function workOf(answer: Debugger.EvaluateOnCallFrameReturnType | undefined): Work | undefined {
  const value: unknown = answer?.result.value;
  return typeof value === 'string' ? ((JSON.parse(value) as Work | null) ?? undefined) : undefined;
}

function end(report: DeathReport): void {
  leaveReport(report);
  process.kill(process.pid, 'SIGKILL');
}
