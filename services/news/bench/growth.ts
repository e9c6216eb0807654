/**
 * Does reading stay as fast when there is a hundred times as much? Fills two databases with 1,000 and 100,000 published items and
 * asks both the same, in turns, so that whatever else the machine does slows both.
 * Run it with `node services/news/bench/growth.ts`; MONGODB_URI names the server, else an embedded one is started.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MongoClient } from 'mongodb';
import { startMongod } from '../../../stack/src/mongo/mongod.ts';
import { prepareNews } from '../src/migrations.ts';
import { NewsStore } from '../src/store.ts';
import { fill } from './fill.ts';

const sizes = [1000, 100_000] as const;
const rounds = 200;
const allowed = 2;

const folder = await mkdtemp(path.join(tmpdir(), 'news-growth-'));
const mongod = process.env.MONGODB_URI ? undefined : await startMongod({ dataDir: folder, port: 0, log: () => {} });
const client = new MongoClient(process.env.MONGODB_URI ?? mongod?.adminUri ?? '');
const names = sizes.map((size) => `news_growth_${size}`);

try {
  const stores: NewsStore[] = [];
  for (const [i, size] of sizes.entries()) stores.push(await filled(names[i] as string, size));
  console.log(`${'question'.padEnd(34)}${sizes.map((size) => `${size} items`.padStart(16)).join('')}   ratio`);
  let worst = 0;
  for (const [question, ask] of Object.entries(questions())) {
    const times: number[][] = sizes.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [i, store] of stores.entries()) {
        const started = performance.now();
        await ask(store, round);
        // The first rounds fill MongoDB's cache and Node's.
        if (round >= rounds / 10) times[i]?.push(performance.now() - started);
      }
    }
    const [small = 0, large = 0] = times.map(median);
    worst = Math.max(worst, large / small);
    console.log(
      `${question.padEnd(34)}${[small, large].map((ms) => `${ms.toFixed(2)} ms`.padStart(16)).join('')}   ${(large / small).toFixed(2)}`,
    );
  }
  console.log(worst <= allowed ? `All within ${allowed} times.` : `More than ${allowed} times.`);
  process.exitCode = worst <= allowed ? 0 : 1;
} finally {
  for (const name of names) await client.db(name).dropDatabase();
  await client.close();
  await mongod?.stop();
  await rm(folder, { recursive: true, force: true });
}

function questions(): Record<string, (store: NewsStore, round: number) => Promise<unknown>> {
  const list = (query: object) => (store: NewsStore) => store.list({ page: 1, limit: 20, ...query });
  return {
    'first page': list({}),
    'page 50': list({ page: 50 }),
    'a category': list({ category: 'calibration' }),
    'a year': list({ year: 2020 }),
    'a category in a year': list({ category: 'company', year: 2020 }),
    'open an item': (store, round) => store.find(`item-${(round * 37) % 1000}`),
    'an id that does not exist': (store) => store.find('unknown'),
    'search: one word in every item': list({ q: 'the' }),
    'search: two words': list({ q: 'calliper scale' }),
    'search: Japanese': list({ q: '校正' }),
    'search: nothing found': list({ q: 'nosuchword' }),
  };
}

async function filled(name: string, size: number): Promise<NewsStore> {
  const db = client.db(name);
  await db.dropDatabase();
  await prepareNews(db, client);
  const started = performance.now();
  await fill(db, size);
  console.log(`${size} items written in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return new NewsStore(db);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
