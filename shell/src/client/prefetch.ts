import type { Answers } from './answers.ts';
import { whenIdle } from './moments.ts';
import type { RouteLoader } from './route-loader.ts';

interface PrefetchOptions {
  /** The pattern of the route that a URL of this site belongs to. */
  match(url: URL): { path: string } | null;
  loader: RouteLoader;
  answers: Answers;
  /** Paths of the main navigation. */
  main: string[];
}

/** A pointer that only passes over a link stays for less. */
const dwellMs = 65;

/** What one view may ask for ahead; a header and the first screen of a list have fewer. */
const mostLinks = 20;
/** A browser has six connections to a site that speaks HTTP/1.1: a click finds one free. */
const atOnce = 4;

const followed = 'a[href]:not([download],[target],[data-reload])';

/**
 * Loads ahead, for visitors who do not save data: on intent (a pointer that rests on a link or is pressed, focus), code and
 * data of the link's page; and when the browser has nothing to do, unless the line is slow, what the visitor may go to next.
 * @returns to be called when another page is shown
 */
export function startPrefetching({ match, loader, answers, main }: PrefetchOptions): () => void {
  const { saveData, effectiveType } = (navigator as { connection?: { saveData?: boolean; effectiveType?: string } }).connection ?? {};
  if (saveData) return () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  const on = (type: string, act: (url: URL) => void) =>
    addEventListener(
      type,
      ({ target }) => {
        clearTimeout(timer);
        const link = (target as Element).closest?.<HTMLAnchorElement>(followed);
        if (link) act(new URL(link.href));
      },
      { passive: true },
    );
  const load = (url: URL) => quietly(loadPage(url));
  on('pointerover', (url) => {
    timer = setTimeout(load, dwellMs, url);
  });
  on('pointerdown', load);
  on('focusin', load);
  if (effectiveType?.endsWith('2g')) return () => {};
  let views = 0;
  whenIdle(() => quietly(loadMain()));
  return () => {
    const view = ++views;
    whenIdle(() => quietly(loadLinks(() => view === views)));
  };

  /** Code and data of a page. */
  async function loadPage(url: URL): Promise<void> {
    const path = match(url)?.path;
    if (!path || isCurrent(url)) return;
    const loadData = async () => {
      const { data, storable } = await loader.route(path);
      if (data && storable) await answers.get(url);
    };
    await Promise.all([loader.loadRoute(path), loadData()]);
  }

  /**
   * What a first visit may cost is little: how to load the site's pages, and the code of main pages, from the first page, from
   * which visitors go on, of all, from others of those of its own part. Of a page with data that is not kept, which has to
   * wait for the server anyway, nothing.
   */
  async function loadMain(): Promise<void> {
    await loader.whole();
    const here = match(new URL(location.href));
    const own = here && (await loader.route(here.path)).mfe;
    for (const path of main) {
      const to = match(new URL(path, location.href));
      const route = to && (await loader.route(to.path));
      if (route?.storable && (route.mfe === own || location.pathname === '/')) await loader.loadRoute(route.path);
    }
  }

  /** Who has gone on goes on: code and data of what is in view, a few pages at once, until it is not in view any more. */
  async function loadLinks(inView: () => boolean): Promise<void> {
    const here = match(new URL(location.href))?.path;
    const isHere = (url: URL) => Number(match(url)?.path === here);
    // From a list visitors rather go to an item than to the same list in another order.
    const links = linksInView().sort((a, b) => isHere(a) - isHere(b));
    const loadNext = async (): Promise<void> => {
      for (let url = links.shift(); url && inView(); url = links.shift()) await loadPage(url);
    };
    await Promise.all(Array.from({ length: atOnce }, loadNext));
  }
}

function isCurrent(url: URL): boolean {
  return url.pathname + url.search === location.pathname + location.search;
}

/** Where the links on the screen lead to, in their order. */
function linksInView(): URL[] {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(followed)].filter((link) => {
    const { top, bottom, width } = link.getBoundingClientRect();
    return width > 0 && bottom > 0 && top < innerHeight;
  });
  return [...new Set(links.map((link) => link.href))].slice(0, mostLinks).map((href) => new URL(href));
}

/** What fails ahead of time fails again, and is told, when it is needed. */
function quietly(work: Promise<unknown>): void {
  work.catch(() => {});
}
