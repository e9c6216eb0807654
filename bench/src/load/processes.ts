import type { Site } from '@colonnade/stack/site';
import { processTree } from '../faults/process-tree.ts';
import { pidOf } from '../faults/site.ts';
import { printTable } from '../table.ts';
import { hold } from './hold.ts';
import { inTurns, siteTarget } from './rounds.ts';

/** Asks no service, so that all that is held back is what is compared. */
const page = '/company';
/** What each worker has of a core: little enough that services and generator find the rest of two cores free. */
const part = 0.2;
/** Twice as many could serve twice as many pages; what comes between is sharing two cores with all else. */
const atLeast = 1.2;

/** How many rendered pages a second two workers each of gateway and shell serve instead of one, each held to a part of a core. */
export async function processes(one: Site, two: Site): Promise<boolean> {
  const release = hold([...workersOf(one), ...workersOf(two)], part);
  try {
    const [few, many] = await inTurns([one, two].map(siteTarget), page);
    const [first = Number.NaN, second = Number.NaN] = [few?.perSecond, many?.perSecond];
    printTable(
      [`workers, ${part} of a core each (${page}, rendered)`, 'pages/s', `ratio (≥ ${atLeast})`],
      [
        ['1 gateway, 1 shell', first.toFixed(0), '1.00×'],
        ['2 gateways, 2 shells', second.toFixed(0), `${(second / first).toFixed(2)}×`],
      ],
    );
    return second >= first * atLeast;
  } finally {
    release();
  }
}

const workersOf = (site: Site) => ['site', 'shell'].flatMap((name) => processTree(pidOf(site, name)).slice(1));
