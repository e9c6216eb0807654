import { brokenRelease } from './broken-release.ts';
import type { Resident } from './resident.ts';

/** A preview that nobody asked for in this time takes no memory any more. */
const previewMs = 30 * 60_000;

interface PreviewsOptions {
  /** Workers of a set in which one release is another than the live one. @throws ReleaseBroken, WorkerFailed */
  start(name: string, version: string): Promise<Resident>;
  /** Another one serves, or none. */
  moved(): void;
}

/** The set that only those see who have asked for it: of several, the one asked for last. */
export class Previews {
  readonly #options: PreviewsOptions;
  #serving: { resident: Resident; release: string; timer: NodeJS.Timeout } | undefined;
  /** One after the other, so that it is the one asked for last that stays. */
  #bringing: Promise<unknown> = Promise.resolve();

  constructor(options: PreviewsOptions) {
    this.#options = options;
  }

  get serving(): { resident: Resident; release: string } | undefined {
    return this.#serving;
  }

  /** The one before it goes. @throws ReleaseBroken, WorkerFailed */
  bring(name: string, version: string): Promise<Resident> {
    const brought = this.#bringing.then(() => this.#bring(name, version));
    this.#bringing = brought.catch(() => {});
    return brought;
  }

  close(): void {
    clearTimeout(this.#serving?.timer);
  }

  async #bring(name: string, version: string): Promise<Resident> {
    try {
      const resident = await this.#options.start(name, version);
      clearTimeout(this.#serving?.timer);
      const timer = setTimeout(() => this.#expire(), previewMs);
      this.#serving = { resident, release: `${name}@${version}`, timer };
      this.#options.moved();
      return resident;
    } catch (error) {
      throw brokenRelease(error) ?? error;
    }
  }

  #expire(): void {
    this.#serving = undefined;
    this.#options.moved();
  }
}
