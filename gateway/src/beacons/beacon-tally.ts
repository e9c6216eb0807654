import { createHmac, randomBytes } from 'node:crypto';
import type { Log } from '@colonnade/service/log';
import * as z from 'zod';
import { postJson } from '../post-json.ts';
import { repeatedly } from '../repeatedly.ts';
import type { ShellSets } from '../shell-sets.ts';

const tellMs = 2000;
const requestMs = 2000;
/** Far more than decide anything. */
const maxAddresses = 10_000;

const messageSchema = z.object({ beacon: z.object({ set: z.string(), address: z.string() }) });

interface Tally {
  /** HMACs of addresses: who they were is nobody's business, and cannot be read from a memory dump. */
  addresses: Set<string>;
  /** How many the supervisor knows of. */
  told: number;
}

interface BeaconTallyOptions {
  /** Base URL of the shell's supervisor. */
  url: string;
  sets: Pick<ShellSets, 'isResident'>;
  log: Log;
}

/**
 * In the primary, which hears all workers: from how many distinct addresses browsers have reported errors, for each
 * resident set since it became resident, and tells the supervisor. A worker alone would count an address that another has counted.
 */
export class BeaconTally {
  readonly #options: BeaconTallyOptions;
  readonly #key = randomBytes(32);
  /** Of sets that are resident: few. */
  readonly #tallies = new Map<string, Tally>();
  readonly #stopped = new AbortController();

  constructor(options: BeaconTallyOptions) {
    this.#options = options;
  }

  /** Takes a worker's message, where it is a beacon of a set that is resident. */
  take(message: unknown): void {
    const { beacon } = messageSchema.safeParse(message).data ?? {};
    if (!beacon || !this.#options.sets.isResident(beacon.set)) return;
    const tally = this.#tallies.get(beacon.set) ?? { addresses: new Set(), told: 0 };
    this.#tallies.set(beacon.set, tally);
    if (tally.addresses.size < maxAddresses)
      tally.addresses.add(createHmac('sha256', this.#key).update(beacon.address).digest('base64url'));
  }

  /** Tells the supervisor what is new, again and again until it is stopped. */
  follow(): Promise<void> {
    return repeatedly(tellMs, this.#stopped.signal, () => this.tell());
  }

  /** A number that the supervisor did not take is told with the next one: it is the whole number each time. */
  async tell(): Promise<void> {
    const { url, sets, log } = this.#options;
    for (const [set, tally] of this.#tallies) {
      const addresses = tally.addresses.size;
      if (!sets.isResident(set)) this.#tallies.delete(set);
      else if (addresses > tally.told && (await postJson(`${url}/beacons`, { set, addresses }, this.#ending()))) tally.told = addresses;
      else if (addresses > tally.told) log.debug({ set }, 'beacons not told');
    }
  }

  stop(): void {
    this.#stopped.abort();
  }

  #ending(): AbortSignal {
    return AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(requestMs)]);
  }
}
