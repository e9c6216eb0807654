/** `pnpm bench`: figures of this site's own parts, printed. They take minutes, and machines differ: read them as ratios. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { faultNames, faults } from './faults/faults.ts';
import { fuzz } from './fuzz.ts';

const usage = `pnpm bench load               the news service with 1,000 and with 100,000 items, interleaved
pnpm bench faults [name …]    overload, outages, slow clients and releases against a whole site (20 minutes), or some of them:
                              ${faultNames.join(', ')},
                              false-alarms (the canary's guard, simulated), fuzz (each service's OpenAPI document against the
                              service, about 2,000 cases each; needs python3 with venv)
pnpm bench                    all`;

const root = path.join(import.meta.dirname, '../..');
const alone = (file: string) => async () => spawnSync(process.execPath, [path.join(root, file)], { stdio: 'inherit' }).status === 0;

const load = alone('services/news/bench/growth.ts');
/** Those that need no site. */
const others: Record<string, () => Promise<boolean>> = { 'false-alarms': alone('services/registry/bench/false-alarms.ts'), fuzz };

const [what = 'all', ...names] = process.argv.slice(2);
const wanted = names.length > 0 ? names : [...faultNames, ...Object.keys(others)];
const known = names.every((name) => faultNames.includes(name) || name in others) && (names.length === 0 || what === 'faults');
if (!known || !['all', 'load', 'faults'].includes(what)) {
  console.error(usage);
  process.exit(2);
}
let ok = true;
if (what !== 'faults') ok = await load();
if (what !== 'load') {
  ok = (await faults(wanted)) && ok;
  for (const [name, measure] of Object.entries(others)) {
    if (!wanted.includes(name)) continue;
    console.log(`\n${name}`);
    ok = (await measure()) && ok;
  }
}
process.exit(ok ? 0 : 1);
