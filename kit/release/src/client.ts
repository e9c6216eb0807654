/** The registry as programs ask it: the shells, the release tool, and whoever starts a site with its releases. */
import * as z from 'zod';
import {
  type Activation,
  type AuditEntry,
  activationSchema,
  auditSchema,
  type CountsReport,
  historySchema,
  publishedSchema,
  type ReleaseList,
  type Report,
  releaseAnswerSchema,
  releaseListSchema,
  type State,
  stateSchema,
  type Upload,
  uploadSchema,
} from './api.ts';
import { eventStream } from './event-stream.ts';
import { fileLimits } from './files.ts';
import { type Asking, answerOf, parsed, RegistryAway, RegistryRefused } from './registry-request.ts';
import { type SignedKeyring, type SignedRelease, signedKeyringSchema } from './schema.ts';

/** The registry writes a line every 3 s. */
const silenceMs = 10_000;

/** Every request has a deadline, every answer is bounded. Each method throws RegistryRefused or RegistryAway. */
export class RegistryClient {
  readonly url: string;
  readonly #token: string | undefined;
  readonly #deadlineMs: number;

  /**
   * @param token an operator's, for what only operators may do; or the shells'
   * @param deadlineMs for each request: a person waits longer than a shell may
   */
  constructor(url: string, token?: string, deadlineMs = 5000) {
    this.url = url;
    this.#token = token;
    this.#deadlineMs = deadlineMs;
  }

  /** The state now and after each change, until the stream breaks. @param shell the id under which a shell takes part in trials */
  async *states(shell: string, signal: AbortSignal): AsyncGenerator<State> {
    const headers: Record<string, string> = this.#token === undefined ? {} : { Authorization: `Bearer ${this.#token}` };
    for await (const { name, data } of eventStream(`${this.url}/events?shell=${shell}`, { signal, silenceMs, headers }))
      if (name === 'state' && data !== '') yield stateSchema.parse(JSON.parse(data));
  }

  state(): Promise<State> {
    return this.#ask('/state', stateSchema);
  }

  /** Null where there is none yet. */
  async keyring(): Promise<SignedKeyring | null> {
    try {
      return await this.#ask('/keyring', signedKeyringSchema);
    } catch (error) {
      if (error instanceof RegistryRefused && error.code === 'no-keyring') return null;
      throw error;
    }
  }

  async putKeyring(keyring: SignedKeyring): Promise<void> {
    await this.#bytes('/keyring', { method: 'PUT', json: keyring });
  }

  release(name: string, version: string): Promise<SignedRelease> {
    return this.#ask(`/releases/${name}/${version}`, releaseAnswerSchema);
  }

  /** Newest first. */
  async releases(name: string): Promise<ReleaseList['items']> {
    return (await this.#ask(`/releases?name=${name}`, releaseListSchema)).items;
  }

  /** The bytes of a file, as they come: whoever asks checks them. */
  file(name: string, version: string, path: string): Promise<Buffer> {
    return this.#bytes(`/releases/${name}/${version}/files/${path}`, { limitBytes: fileLimits.fileBytes });
  }

  /** Begins to publish. @returns null where this very release exists */
  async begin(release: SignedRelease): Promise<Upload | null> {
    const begun = await this.#ask('/releases', z.union([uploadSchema, publishedSchema]), { method: 'POST', json: release });
    return 'upload' in begun ? begun : null;
  }

  async putFile(upload: string, path: string, bytes: Uint8Array): Promise<void> {
    await this.#bytes(`/uploads/${upload}/files/${path}`, { method: 'PUT', bytes });
  }

  async complete(upload: string): Promise<void> {
    await this.#ask(`/uploads/${upload}/complete`, publishedSchema, { method: 'POST' });
  }

  activate(wish: { name: string; version: string; percent?: number | undefined }): Promise<Activation> {
    return this.#ask('/activations', activationSchema, { method: 'POST', json: wish });
  }

  /** @param from only while this version is live; null where none is */
  rollBack(name: string, from?: string | null): Promise<Activation> {
    return this.#ask('/rollbacks', activationSchema, { method: 'POST', json: { name, from } });
  }

  deactivate(name: string): Promise<Activation> {
    return this.#ask('/deactivations', activationSchema, { method: 'POST', json: { name } });
  }

  endCanary(how: 'promote' | 'withdraw', reason?: string): Promise<Activation> {
    return this.#ask(`/canary/${how}`, activationSchema, { method: 'POST', json: { reason } });
  }

  /** Waits a few seconds for the end of its trial. */
  activation(id: string): Promise<Activation> {
    return this.#ask(`/activations/${id}?wait=4`, activationSchema);
  }

  /** What was ever live, of one microfrontend or of all; newest first. */
  async history(name?: string): Promise<Activation[]> {
    return (await this.#ask(`/history${name === undefined ? '' : `?name=${name}`}`, historySchema)).items;
  }

  /** A page of the log of who did what. @param after the number of the last entry that is known */
  async audit(after: number): Promise<AuditEntry[]> {
    return (await this.#ask(`/audit?after=${after}`, auditSchema)).items;
  }

  async report(shell: string, report: Report): Promise<void> {
    await this.#bytes(`/shells/${shell}/reports`, { method: 'POST', json: report });
  }

  async count(shell: string, report: CountsReport): Promise<void> {
    await this.#bytes(`/shells/${shell}/counts`, { method: 'POST', json: report });
  }

  async #ask<T extends z.ZodType>(path: string, schema: T, asking: Asking = {}): Promise<z.infer<T>> {
    const result = schema.safeParse(parsed(await this.#bytes(path, asking)));
    if (result.success) return result.data;
    throw new RegistryAway(`What answers at ${this.url} is no registry, or another version of it.`, { cause: result.error });
  }

  #bytes(path: string, asking: Asking): Promise<Buffer> {
    return answerOf(this.url, path, { token: this.#token, deadlineMs: this.#deadlineMs, ...asking });
  }
}
