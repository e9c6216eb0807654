/** One block of a stream of server-sent events. A block may have an id alone: it moves the place to go on from. */
export interface StreamEvent {
  /** `message` where the block names none, as in browsers. */
  name: string;
  data: string;
  id: string | undefined;
}

/** There is somebody, who gives no stream. */
export class StreamRefused extends Error {
  override readonly name = 'StreamRefused';
  readonly status: number;

  constructor(url: string, status: number) {
    super(`${url} answers ${status}`);
    this.status = status;
  }
}

/**
 * Reads server-sent events from a service of ours until the stream ends.
 * @param silenceMs a stream that says nothing for so long, not even a comment, is taken for dead
 * @throws StreamRefused; Error where nobody answers, the stream breaks or falls silent
 */
export async function* eventStream(
  url: string,
  { signal, silenceMs, headers = {} }: { signal: AbortSignal; silenceMs: number; headers?: Record<string, string> },
): AsyncGenerator<StreamEvent> {
  const silent = new AbortController();
  let silence: NodeJS.Timeout | undefined;
  const heard = () => {
    clearTimeout(silence);
    silence = setTimeout(() => silent.abort(new Error(`${url} has fallen silent`)), silenceMs);
  };
  try {
    heard();
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.any([signal, silent.signal]) });
    if (!response.ok) {
      await response.body?.cancel();
      throw new StreamRefused(url, response.status);
    }
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      heard();
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield parse(block);
    }
  } finally {
    clearTimeout(silence);
  }
}

function parse(block: string): StreamEvent {
  const event: StreamEvent = { name: 'message', data: '', id: undefined };
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(event|data|id): ?(.*)$/.exec(line) ?? [];
    if (field === 'event') event.name = value;
    else if (field === 'data') event.data += event.data === '' ? value : `\n${value}`;
    else if (field === 'id') event.id = value;
  }
  return event;
}
