import { Writable } from 'node:stream';
import { renderToPipeableStream } from 'react-dom/server';
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

/**
 * Renders the inside of `<div id="root">`, complete: nothing streams later, so no inline script is ever needed.
 * @throws RenderFailed
 */
export function renderApp(props: AppProps, gone: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let failure: RenderFailed | undefined;
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
    final(done) {
      resolve(Buffer.concat(chunks).toString('utf8'));
      done();
    },
  });
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
      else stream.pipe(sink);
    },
  });
  const signal = AbortSignal.any([gone, AbortSignal.timeout(deadlineMs)]);
  const abort = () => stream.abort(new Error('not rendered in time', { cause: signal.reason }));
  signal.addEventListener('abort', abort, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', abort));
}
