import { closedLoop } from '../faults/open-loop.ts';
import { withSite } from '../faults/site.ts';
import { printTable } from '../table.ts';

const connections = 32;
const warmMs = 5000;
const measureMs = 10_000;
const page = '/news';

/** How many rendered pages a second with more processes. There is no target: it depends on the cores, of which the generator takes one. */
export async function processes(): Promise<boolean> {
  const rows: string[][] = [];
  let first = Number.NaN;
  for (const workers of [1, 2]) {
    const env = { PAGE_CACHE: 'off', FLOOD_LIMIT: '0', GATEWAY_WORKERS: String(workers), SHELL_WORKERS: String(workers) };
    const perSecond = await withSite(env, async ({ origin }) => {
      await closedLoop({ origin, path: () => page, connections, durationMs: warmMs });
      return (await closedLoop({ origin, path: () => page, connections, durationMs: measureMs })).goodPerSecond;
    });
    if (Number.isNaN(first)) first = perSecond;
    rows.push([`${workers} gateway, ${workers} shell`, perSecond.toFixed(0), `${(perSecond / first).toFixed(2)}×`]);
  }
  printTable([`workers (${page}, rendered)`, 'pages/s', 'ratio'], rows);
  return true;
}
