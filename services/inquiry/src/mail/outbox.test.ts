import { afterEach, expect, it, vi } from 'vitest';
import { inquiryEnv } from '../env.ts';
import { retryWaitMs } from './outbox.ts';

const hourMs = 3_600_000;

afterEach(() => vi.unstubAllEnvs());

/** From the first attempt to the last. */
function hoursTried(chance: number): number {
  vi.stubEnv('INQUIRY_MONGODB_URI', 'mongodb://127.0.0.1/inquiry');
  const { attempts, retryMs } = inquiryEnv().mail.outbox;
  const waits = Array.from({ length: attempts - 1 }, (_, before) => retryWaitMs(before + 1, retryMs, chance));
  return waits.reduce((sum, wait) => sum + wait, 0) / hourMs;
}

it('tries a mail for a weekend at least, whatever chance makes of the waits', () => {
  expect(hoursTried(0)).toBeGreaterThan(72);
  expect([Math.floor(hoursTried(0)), Math.floor(hoursTried(1))]).toEqual([75, 151]);
});
