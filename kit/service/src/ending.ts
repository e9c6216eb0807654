/**
 * When work has to end, and why. A signal is made only for whom asks for one: signals with their listeners at each deadline
 * took a twelfth of a page's time.
 */
export class Ending {
  readonly #listeners = new Set<(reason: Error) => void>();
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  /** Undefined: it may go on. */
  get reason(): Error | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Of several reasons the first counts. */
  end(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(reason);
    for (const listener of this.#listeners) listener(reason);
  }

  /**
   * Calls the listener at the end, or at once where that has been.
   * @returns stops listening
   */
  onEnd(listener: (reason: Error) => void): () => void {
    if (this.#reason !== undefined) listener(this.#reason);
    else this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
