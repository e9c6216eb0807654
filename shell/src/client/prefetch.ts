import type { Answers } from './answers.ts';
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

/**
 * Loads ahead: when the browser has nothing to do, how to load the site's pages; on intent (a pointer that rests on a link or is pressed, focus), code and
 * data of the link's page. Nothing for visitors who save data.
 */
export function startPrefetching({ match, loader, answers, main }: PrefetchOptions): void {
  if ((navigator as { connection?: { saveData?: boolean } }).connection?.saveData) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const on = (type: string, act: (url: URL) => void) =>
    addEventListener(
      type,
      ({ target }) => {
        clearTimeout(timer);
        const link = (target as Element).closest?.('a[href]:not([download],[target],[data-reload])');
        if (link) act(new URL((link as HTMLAnchorElement).href));
      },
      { passive: true },
    );
  on('pointerover', (url) => {
    timer = setTimeout(load, dwellMs, url);
  });
  on('pointerdown', load);
  on('focusin', load);
  whenLoaded(() => whenIdle(() => quietly(loadIdly())));

  function load(url: URL): void {
    const path = match(url)?.path;
    if (!path || url.pathname + url.search === location.pathname + location.search) return;
    quietly(loader.loadRoute(path));
    quietly(loadData(path, url));
  }

  async function loadData(path: string, url: URL): Promise<void> {
    const { data, storable } = await loader.route(path);
    if (data && storable) await answers.get(url);
  }

  /** How to load the site's pages is one small file; the first page, from which visitors go on, also loads main pages of its own part. */
  async function loadIdly(): Promise<void> {
    const { routes } = await loader.whole();
    if (location.pathname !== '/') return;
    const own = routes.find(({ path }) => path === '/')?.mfe;
    for (const path of main) {
      const to = match(new URL(path, location.href));
      if (to && (await loader.route(to.path)).mfe === own) await loader.loadRoute(to.path);
    }
  }
}

/** What fails ahead of time fails again, and is told, when it is needed. */
function quietly(work: Promise<unknown>): void {
  work.catch(() => {});
}

function whenLoaded(act: () => void): void {
  if (document.readyState === 'complete') act();
  else addEventListener('load', act, { once: true });
}

/** Safari has no idle callbacks. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act);
  else setTimeout(act, 200);
}
