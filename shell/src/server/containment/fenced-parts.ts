import { type Fence, type Part, partKey } from './fences.ts';

/** The fences as a worker knows them: told by the supervisor, they end by themselves. */
export class FencedParts {
  /** By a clock that never goes back. */
  #until = new Map<string, number>();

  set(fences: Fence[]): void {
    const now = performance.now();
    this.#until = new Map(fences.map((fence) => [partKey(fence), now + fence.leftMs]));
  }

  /** Seconds until the part may run again; 0: it may. */
  secondsLeft(part: Part): number {
    return Math.max(0, Math.ceil(((this.#until.get(partKey(part)) ?? 0) - performance.now()) / 1000));
  }
}
