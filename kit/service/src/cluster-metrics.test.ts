import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { signal } from '../fixtures/processes.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.disconnect();
});

/** Far longer than a busy machine needs for an answer. */
const longMs = 10_000;

interface Message {
  up?: boolean;
  sticks?: number;
  asked?: boolean;
  text?: string;
  tookMs?: number;
}

/** A cluster of two workers that answer, and perhaps another; asked when all are as they are to be. */
async function cluster(other?: 'sticks' | 'starts', answerMs?: number) {
  const others = other ? [other] : [];
  const child = fork(fileURLToPath(new URL('../fixtures/metrics-process.ts', import.meta.url)), [String(answerMs ?? ''), ...others]);
  children.push(child);
  const said: Message[] = [];
  child.on('message', (message: Message) => said.push(message));
  const ups = () => said.filter(({ up, sticks }) => up || sticks).length;
  await expect.poll(ups, { timeout: 15_000 }).toBe(2 + others.length);
  const scrape = async () => {
    child.send('metrics');
    await expect.poll(() => said.at(-1)?.text).toBeDefined();
    const { text, tookMs } = said.at(-1) as Required<Message>;
    return { workers: Number(text.match(/^workers_that_answer\{.*\} (\d+)$/m)?.[1]), tookMs };
  };
  return { scrape, asked: () => said.some(({ asked }) => asked), stuck: () => said.find(({ sticks }) => sticks)?.sticks };
}

it('adds up what the workers have', async () => {
  const { scrape } = await cluster(undefined, longMs);
  expect((await scrape()).workers).toBe(2);
});

it('leaves out a worker that never answers, after a second', async () => {
  const { scrape } = await cluster('sticks');
  const { workers, tookMs } = await scrape();
  expect(workers).toBe(2);
  expect(tookMs).toBeGreaterThan(900);
  expect(tookMs).toBeLessThan(4000);
});

it('does not ask a worker that is starting', async () => {
  const { scrape } = await cluster('starts', longMs);
  const { workers, tookMs } = await scrape();
  expect(workers).toBe(2);
  expect(tookMs).toBeLessThan(longMs / 2);
});

it('waits no longer for a worker that dies meanwhile', async () => {
  const { scrape, asked, stuck } = await cluster('sticks', longMs);
  const scraped = scrape();
  await expect.poll(asked).toBe(true);
  signal(stuck(), 'SIGKILL');
  const { workers, tookMs } = await scraped;
  expect(workers).toBe(2);
  expect(tookMs).toBeLessThan(longMs / 2);
});
