/** `pnpm bench`: figures of this site's own parts, printed. They take minutes, and machines differ: read them as ratios. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { browserBytes } from './browser/bytes.ts';
import { faultNames, faults } from './faults/faults.ts';
import { fuzz } from './fuzz.ts';
import { load, loadNames } from './load/load.ts';

const usage = `pnpm bench load [name …]      what a request costs (15 minutes), or some of it: ${loadNames.join(', ')}
pnpm bench browser            what a browser that has nothing fetches for each page
pnpm bench faults [name …]    overload, outages, slow clients and releases against a whole site (20 minutes), or some of them:
                              ${faultNames.join(', ')},
                              false-alarms (the canary's guard, simulated), fuzz (each service's OpenAPI document against the
                              service, about 2,000 cases each; needs python3 with venv)
pnpm bench                    all`;

const root = path.join(import.meta.dirname, '../..');
// Where these are set they are another site's, and everything that is started here inherits them.
for (const name of ['MONGODB_URI', 'SMTP_URL', 'MAIL_DIR', 'PURGE_URLS']) delete process.env[name];
const alone = (file: string) => async () => spawnSync(process.execPath, [path.join(root, file)], { stdio: 'inherit' }).status === 0;

/** Those that need no site. */
const others: Record<string, () => Promise<boolean>> = { 'false-alarms': alone('services/registry/bench/false-alarms.ts'), fuzz };

/** What can be asked for, by its name, and the parts that it has. */
const benches: Record<string, { names: readonly string[]; run(wanted: readonly string[]): Promise<boolean> }> = {
  load: { names: loadNames, run: load },
  browser: { names: [], run: browserBytes },
  faults: {
    names: [...faultNames, ...Object.keys(others)],
    run: async (wanted) => {
      let ok = await faults(wanted);
      for (const [name, measure] of Object.entries(others)) {
        if (!wanted.includes(name)) continue;
        console.log(`\n${name}`);
        ok = (await measure()) && ok;
      }
      return ok;
    },
  },
};

const [what, ...names] = process.argv.slice(2);
const chosen = what === undefined ? Object.values(benches) : [benches[what]];
let ok = true;
for (const bench of chosen) {
  if (!bench || !names.every((name) => bench.names.includes(name))) {
    console.error(usage);
    process.exit(2);
  }
  ok = (await bench.run(names.length > 0 ? names : bench.names)) && ok;
}
process.exit(ok ? 0 : 1);
