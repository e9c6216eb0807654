export interface AttemptLimit {
  /** Seconds this key has to wait; 0 where it may try. */
  waitS(key: string): number;
  count(key: string): void;
}

/**
 * Limits attempts per key in fixed windows. Remembers at most `maxKeys`, forgetting the oldest: memory stays bounded whoever asks.
 * Keys are addresses: none is kept for longer than two windows, also where nobody comes after it.
 */
export function attemptLimit(options: { max: number; windowMs: number; maxKeys?: number; now?: () => number }): AttemptLimit {
  const { max, windowMs, maxKeys = 10_000, now = Date.now } = options;
  const windows = new Map<string, { count: number; until: number }>();
  /** They stand first: the map keeps the order in which windows end. */
  const forgetEnded = () => {
    for (const [key, { until }] of windows) {
      if (until > now()) break;
      windows.delete(key);
    }
  };
  setInterval(forgetEnded, windowMs).unref();
  return {
    waitS: (key) => {
      const window = windows.get(key);
      return window === undefined || window.count < max ? 0 : Math.max(0, Math.ceil((window.until - now()) / 1000));
    },
    count: (key) => {
      const window = windows.get(key);
      if (window !== undefined && window.until > now()) {
        window.count++;
        return;
      }
      // Anew at the end of the map.
      windows.delete(key);
      windows.set(key, { count: 1, until: now() + windowMs });
      const oldest = windows.keys().next();
      if (windows.size > maxKeys && !oldest.done) windows.delete(oldest.value);
    },
  };
}
