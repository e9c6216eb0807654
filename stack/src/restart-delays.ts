/** Something that lived shorter than this died young. */
const youngMs = 10_000;
/**
 * The waits after the first, second, … young death in a row. One more ends the site: whoever started it has to look.
 */
const delaysMs = [0, 100, 700, 5000];

/** How long to wait before something that died is started again: not at all as a rule, longer while it dies young. */
export class RestartDelays {
  #young = 0;

  /** @returns undefined where it is not worth another try */
  next(livedMs: number): number | undefined {
    this.#young = livedMs < youngMs ? this.#young + 1 : 1;
    return delaysMs[this.#young - 1];
  }
}
