/** The registry as programs of this site ask it: the shells, and whoever starts a site with its releases. */
import * as z from 'zod';
import {
  type Activation,
  activationSchema,
  type CountsReport,
  historySchema,
  publishedSchema,
  type Report,
  releaseAnswerSchema,
  type State,
  stateSchema,
  type Upload,
  uploadSchema,
} from './api.ts';
import { eventStream } from './event-stream.ts';
import { fileLimits } from './files.ts';
import { type SignedKeyring, type SignedRelease, signedKeyringSchema } from './schema.ts';

const requestMs = 5000;
const answerLimitBytes = 2_000_000;
/** The registry writes a line every 3 s. */
const silenceMs = 10_000;

/** The registry said no. */
export class RegistryRefused extends Error {
  override readonly name = 'RegistryRefused';
  readonly status: number;
  /** From its own list: `already-live`, `trial-running` …; empty where it gave none. */
  readonly code: string;
  constructor(message: string, { status, code }: { status: number; code: string }) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

interface Asking {
  method?: 'GET' | 'POST' | 'PUT';
  json?: object;
  bytes?: Uint8Array;
  limitBytes?: number;
}

const problemSchema = z.object({ code: z.string().default(''), detail: z.string().default('') });

/** Every request ends within 5 s, every answer is bounded. Each method throws RegistryRefused, or whatever the network throws. */
export class RegistryClient {
  readonly url: string;
  readonly #token: string | undefined;

  /** @param token an operator's, for what only operators may do */
  constructor(url: string, token?: string) {
    this.url = url;
    this.#token = token;
  }

  /** The state now and after each change, until the stream breaks. @param shell the id under which a shell takes part in trials */
  async *states(shell: string, signal: AbortSignal): AsyncGenerator<State> {
    for await (const { name, data } of eventStream(`${this.url}/events?shell=${shell}`, { signal, silenceMs }))
      if (name === 'state' && data !== '') yield stateSchema.parse(JSON.parse(data));
  }

  async state(): Promise<State> {
    return stateSchema.parse(await this.#json('/state'));
  }

  /** Null where there is none yet. */
  async keyring(): Promise<SignedKeyring | null> {
    try {
      return signedKeyringSchema.parse(await this.#json('/keyring'));
    } catch (error) {
      if (error instanceof RegistryRefused && error.code === 'no-keyring') return null;
      throw error;
    }
  }

  async putKeyring(keyring: SignedKeyring): Promise<void> {
    await this.#json('/keyring', { method: 'PUT', json: keyring });
  }

  async release(name: string, version: string): Promise<SignedRelease> {
    return releaseAnswerSchema.parse(await this.#json(`/releases/${name}/${version}`));
  }

  /** The bytes of a file, as they come: whoever asks checks them. */
  file(name: string, version: string, path: string): Promise<Buffer> {
    return this.#bytes(`/releases/${name}/${version}/files/${path}`, { limitBytes: fileLimits.fileBytes });
  }

  /** Begins to publish. @returns null where this very release exists */
  async begin(release: SignedRelease): Promise<Upload | null> {
    const begun = z.union([uploadSchema, publishedSchema]).parse(await this.#json('/releases', { method: 'POST', json: release }));
    return 'upload' in begun ? begun : null;
  }

  async putFile(upload: string, path: string, bytes: Uint8Array): Promise<void> {
    await this.#bytes(`/uploads/${upload}/files/${path}`, { method: 'PUT', bytes });
  }

  async complete(upload: string): Promise<void> {
    await this.#json(`/uploads/${upload}/complete`, { method: 'POST' });
  }

  async activate(wish: { name: string; version: string; percent?: number }): Promise<Activation> {
    return activationSchema.parse(await this.#json('/activations', { method: 'POST', json: wish }));
  }

  async rollBack(name: string): Promise<Activation> {
    return activationSchema.parse(await this.#json('/rollbacks', { method: 'POST', json: { name } }));
  }

  async deactivate(name: string): Promise<Activation> {
    return activationSchema.parse(await this.#json('/deactivations', { method: 'POST', json: { name } }));
  }

  async endCanary(how: 'promote' | 'withdraw'): Promise<Activation> {
    return activationSchema.parse(await this.#json(`/canary/${how}`, { method: 'POST', json: {} }));
  }

  /** Waits a few seconds for the end of its trial. */
  async activation(id: string): Promise<Activation> {
    return activationSchema.parse(await this.#json(`/activations/${id}?wait=4`));
  }

  async history(name: string): Promise<Activation[]> {
    return historySchema.parse(await this.#json(`/history?name=${name}`)).items;
  }

  async report(shell: string, report: Report): Promise<void> {
    await this.#bytes(`/shells/${shell}/reports`, { method: 'POST', json: report });
  }

  async count(shell: string, report: CountsReport): Promise<void> {
    await this.#bytes(`/shells/${shell}/counts`, { method: 'POST', json: report });
  }

  async #json(path: string, asking: Asking = {}): Promise<unknown> {
    return JSON.parse((await this.#bytes(path, asking)).toString('utf8'));
  }

  async #bytes(path: string, { method = 'GET', json, bytes, limitBytes = answerLimitBytes }: Asking): Promise<Buffer> {
    // A connection that is kept would hold up the end of the registry's process.
    const headers: Record<string, string> = { Connection: 'close' };
    if (this.#token !== undefined) headers.Authorization = `Bearer ${this.#token}`;
    if (json !== undefined) headers['Content-Type'] = 'application/json';
    if (bytes !== undefined) headers['Content-Type'] = 'application/octet-stream';
    const body = bytes === undefined ? json && JSON.stringify(json) : new Uint8Array(bytes);
    const signal = AbortSignal.timeout(requestMs);
    const response = await fetch(this.url + path, { method, headers, body: body ?? null, signal, redirect: 'error' });
    const answer = await whole(response, limitBytes);
    if (!response.ok) throw refusal(response, answer);
    return answer;
  }
}

async function whole(response: Response, limitBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > limitBytes) throw new Error(`${response.url} sends more than ${limitBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refusal({ status, url }: Response, answer: Buffer): RegistryRefused {
  let said = problemSchema.parse({});
  try {
    said = problemSchema.parse(JSON.parse(answer.toString('utf8')));
  } catch {
    // Not in the registry's words.
  }
  return new RegistryRefused(said.detail || `${url} answers ${status}`, { status, code: said.code });
}
