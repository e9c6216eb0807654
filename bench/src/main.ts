/** `pnpm bench`: figures of this site's own parts, printed. They take minutes, and machines differ: read them as ratios. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { faults } from './faults/faults.ts';
import { fuzz } from './fuzz.ts';

const usage = `pnpm bench load     the news service with 1,000 and with 100,000 items, interleaved
pnpm bench faults   overload, outages and slow clients against a whole site (5 minutes), then each service's OpenAPI document
                    against the service, about 2,000 cases each (needs python3 with venv)
pnpm bench          all`;

const runs: Record<string, () => Promise<boolean>> = {
  load: async () => {
    const growth = path.join(import.meta.dirname, '../../services/news/bench/growth.ts');
    return spawnSync(process.execPath, [growth], { stdio: 'inherit' }).status === 0;
  },
  faults: async () => {
    const [stood, fuzzed] = [await faults(), await fuzz()];
    return stood && fuzzed;
  },
};

const wanted = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(runs);
if (!wanted.every((name) => name in runs)) {
  console.error(usage);
  process.exit(2);
}
let ok = true;
for (const name of wanted) {
  console.log(`\n── ${name}`);
  ok = ((await runs[name]?.()) ?? false) && ok;
}
process.exit(ok ? 0 : 1);
