import { EventEmitter } from 'node:events';
import type { Ending } from '@colonnade/service/ending';
import { renderToPipeableStream, renderToString } from 'react-dom/server';
import { App, type AppProps } from '../app.tsx';

/** A component threw while rendering on the server. */
export class RenderFailed extends Error {
  override name = 'RenderFailed';
  /** The slot it happened in; null: in the page itself. */
  readonly slot: string | null;
  constructor(cause: unknown, componentStack: string | undefined) {
    super('render failed', { cause });
    this.slot = componentStack?.match(/at slot:([\w-]+\/[\w-]+)/)?.[1] ?? null;
  }
}

/** A page has its data by then; what is still waiting for something will not get it. */
const deadlineMs = 1000;

/** What `renderToString` leaves where it could not wait. */
const waits = '<!--$!-->';

/**
 * Renders the inside of `<div id="root">`, complete: nothing streams later, so no inline script is ever needed. Most pages
 * have all they need and are rendered in one go, which costs a third less than a stream. One that has to wait for
 * something, or fails, is rendered again as a stream: that waits, and tells where a failure came from.
 * @throws RenderFailed
 */
export async function renderApp(props: AppProps, gone: Ending): Promise<Uint8Array[]> {
  try {
    const html = renderToString(<App {...props} />);
    if (!html.includes(waits)) return [Buffer.from(html)];
  } catch {
    // Told by the second attempt.
  }
  return await renderStream(props, gone);
}

async function renderStream(props: AppProps, gone: Ending): Promise<Uint8Array[]> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array[]>();
  let failure: RenderFailed | undefined;
  const stream = renderToPipeableStream(<App {...props} />, {
    progressiveChunkSize: 1e9,
    onError(error, info) {
      failure ??= new RenderFailed(error, info.componentStack);
    },
    onShellError(error) {
      reject(failure ?? error);
    },
    onAllReady() {
      // A failure inside a Suspense boundary leaves a hole that the browser would fill: for us the page has failed.
      if (failure) reject(failure);
      else stream.pipe(new Sink(resolve) as unknown as NodeJS.WritableStream);
    },
  });
  const abort = () => stream.abort(new Error('not rendered in time', { cause: gone.reason }));
  const timer = setTimeout(abort, deadlineMs);
  const stop = gone.onEnd(abort);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop();
  }
}

/** What React writes to: it takes all at once, so it needs none of what makes a stream slow. */
class Sink extends EventEmitter {
  readonly #chunks: Uint8Array[] = [];
  readonly #done: (chunks: Uint8Array[]) => void;

  constructor(done: (chunks: Uint8Array[]) => void) {
    super();
    this.#done = done;
  }
  /** A long text comes as it is. */
  write(chunk: Uint8Array | string): boolean {
    this.#chunks.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    return true;
  }
  end(): void {
    this.#done(this.#chunks);
  }
}
