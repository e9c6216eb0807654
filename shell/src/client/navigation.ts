import type { Params } from '@colonnade/mfe';
import { type Page, pagePath } from '@colonnade/mfe/host';
import { matchPath } from '@colonnade/mfe/routing';
import type { DataAnswer } from '../set-table.ts';
import { showsPage, type View } from '../view.ts';
import { NeedsDocument } from './answer.ts';
import { Answers } from './answers.ts';
import { whenPainted } from './moments.ts';
import { startPrefetching } from './prefetch.ts';
import type { RootHandle } from './root.tsx';
import type { RouteLoader } from './route-loader.ts';

/** As many as a browser follows: https://fetch.spec.whatwg.org/#http-redirect-fetch */
const mostRedirects = 20;

/** How high a screen may be for a `BelowFold` to be below it. */
const foldPx = 960;

interface NavigationOptions {
  set: string;
  /** Patterns of all routes, most specific first. */
  paths: string[];
  /** Paths of the main navigation. */
  main: string[];
  loader: RouteLoader;
  handle: RootHandle;
  /** Makes the head say what the view is about. */
  applyHead(view: View): void;
}

/** Where a navigation leads, and the form that is still to be posted there. Once it is answered it never is again. */
interface Target {
  url: URL;
  form: FormData | null;
  /** Ends with the navigation, and with it what is being posted. */
  signal: AbortSignal;
  /** Nobody waits for the page any more. */
  isLeft(): boolean;
}

/**
 * Takes navigations between pages of the site over from the browser: links, forms, history. A browser without the
 * Navigation API goes on loading documents, and so does this one wherever something does not work out.
 * @see docs/decisions/0003-navigation.md
 */
export function startNavigation({ set, paths, main, loader, handle, applyHead }: NavigationOptions): void {
  if (!('navigation' in window)) return;
  /** The next navigation is the browser's. */
  let leaving = false;
  /** Counts up whenever nobody waits any more for what was awaited before. */
  let moves = 0;
  /** Of the latest navigation to a page, whoever follows it. */
  let latest: AbortSignal | undefined;
  /** Of the latest that is followed here. Where the browser turns one into a download, nobody hears of its end. */
  let followed: AbortSignal | undefined;
  const answers = new Answers(set);
  const shown = startPrefetching({ match, loader, answers, main });
  let sign: ReturnType<typeof setTimeout> | undefined;

  navigation.addEventListener('navigate', (event) => {
    const { destination, formData, navigationType, signal } = event;
    // A jump within the page, once more as well, and an address that scripts have changed are the document's own.
    const isJump = event.hashChange || (destination.sameDocument && navigationType !== 'traverse');
    const stays = isJump || event.downloadRequest !== null;
    if (!stays) latest = signal;
    // An error page's "Try again" asks for a new document: what went wrong may be in this one.
    if (leaving || event.sourceElement?.closest('[data-reload]')) {
      leaving = false;
      return;
    }
    const url = new URL(destination.url);
    if (!event.canIntercept || stays || navigationType === 'reload' || !match(url)) return;
    const posts = formData !== null;
    // The address changes when there is something to show for it, not before. History moves at once, as browsers do it.
    const waits = navigationType !== 'traverse' && event.cancelable && 'NavigationPrecommitController' in window;
    // A form stays while it is being posted, whatever it was about to give way to.
    if (posts || !waits) moves++;
    const move = moves;
    // A jump, a download or the stop button end a navigation. An address that has moved gets its page all the same.
    const isLeft = () => (waits || target.form ? signal.aborted : move !== moves);
    const target: Target = { url, form: formData, signal, isLeft };
    followed = signal;
    announce(posts ? 'submitting' : 'loading');
    const view = unlessLeft(prepare(target), target);
    view.catch(() => {
      // A document that is loaded would take the place of what the visitor has chosen since.
      if (isLeft() || isOther(latest, signal)) return;
      // What is posted once more is still being sent: a second press of the button would send it twice.
      if (!posts) announce('idle');
      loadDocument(navigationType, target);
    });
    event.intercept({
      ...(waits
        ? {
            async precommitHandler(controller: NavigationPrecommitController) {
              const to = (await view).url;
              if (to !== url.pathname + url.search) controller.redirect(to, { history: 'push' });
            },
          }
        : {}),
      async handler() {
        if (waits) moves++;
        show(await view, { posted: posts, begins: navigationType !== 'traverse' && url.hash === '', signal });
      },
      focusReset: 'manual',
      scroll: posts ? 'manual' : 'after-transition',
    });
  });

  // The document that should have gone is still here: its successor was stopped, or the visitor has come back.
  navigation.addEventListener('navigateerror', () => leaving || announce('idle'));
  addEventListener('pageshow', ({ persisted }) => persisted && announce('idle'));

  /** A page that is all there is shown in this very task: telling React first that it is awaited would render everything once more. */
  function announce(state: Page['navigation']): void {
    clearTimeout(sign);
    if (state === 'loading') sign = setTimeout(() => handle.navigating(state));
    else handle.navigating(state);
  }

  function match(url: URL): { path: string; params: Params } | null {
    if (url.origin !== location.origin) return null;
    for (const path of paths) {
      const params = matchPath(path, url.pathname);
      if (params) return { path, params };
    }
    return null;
  }

  /** Data and code of the page at a URL, fetched side by side; follows redirects. The target moves along, for whoever takes over. */
  async function prepare(target: Target, redirects = 0): Promise<View> {
    const { url, form, signal } = target;
    const matched = match(url);
    if (!matched) throw new NeedsDocument();
    const { path, params } = matched;
    const known = loader.known(path);
    const code = Promise.all([loader.loadRoute(path), handle.ready]);
    // Posted when nothing else can fail any more: the code is that of the page with the form.
    if (form) await code;
    const needsData = !known || known.data;
    const [answer, [route]] = await Promise.all([
      form ? answers.post(url, form, signal) : needsData ? answers.get(url) : ({ set, status: 200 } as DataAnswer),
      code,
    ]);
    target.form = null;
    // Without a connection the answer is our own: the page stays as it is, and says it.
    const { current } = handle;
    if (answer.errors && form && new URL(current.url, url).pathname === url.pathname) {
      answer.loaderData ??= current.answer.loaderData;
      answer.slots ??= current.answer.slots;
    }
    if (!showsPage(answer)) await loader.loadErrorStyle();
    if (answer.redirect) {
      if (redirects === mostRedirects) throw new NeedsDocument('too many redirects');
      target.url = new URL(answer.redirect, url);
      return await prepare(target, redirects + 1);
    }
    return { url: url.pathname + url.search, params, answer, route };
  }

  function show(view: View, { posted, begins, signal }: { posted: boolean; begins: boolean; signal: AbortSignal }): void {
    // Where the address could not follow a redirect before the commit, it does so now.
    if (view.url !== location.pathname + location.search) history.replaceState(null, '', view.url);
    clearTimeout(sign);
    // What is left to render below the screen would hold up what the visitor begins to read.
    const isNew = pagePath(view) !== pagePath(handle.current);
    handle.show(view, isNew && begins && innerHeight <= foldPx);
    if (isOther(followed, signal)) announce('loading');
    // A form that was not taken tells where to look by itself.
    const refused = posted && view.answer.errors;
    // A navigation that has ended early, as by a new address, scrolls no more by itself.
    if (!refused && (posted || signal.aborted)) scrollTo(0, 0);
    // What is on the screen comes first: what tabs and screen readers tell of it would hold it up.
    whenPainted(() => {
      if (handle.current !== view) return;
      applyHead(view);
      shown();
      if (!refused) focusContent();
    });
  }

  function loadDocument(navigationType: NavigationType, { url, form }: Target): void {
    leaving = true;
    if (form) postDocument(url, form);
    // Going to where the address is already would be a jump, if it names a part of the page. A reload may post a form again.
    else if (navigationType === 'traverse' || (url.hash && url.href === location.href)) location.reload();
    else location.href = url.href;
  }
}

/** Whether a navigation is another one, and not called off. */
function isOther(one: AbortSignal | undefined, own: AbortSignal): boolean {
  return one !== own && one?.aborted === false;
}

/** An answer that others may wait for as well cannot be called off; it, or its failure, is nobody's once the visitor has gone elsewhere. */
function unlessLeft<T>(work: Promise<T>, { isLeft }: Target): Promise<T> {
  return work.finally(() => {
    if (isLeft()) throw new DOMException('The visitor has gone elsewhere.', 'AbortError');
  });
}

/** Posts what was sent once more, as a document: the page's own form does not know any more which button was pressed. */
function postDocument(url: URL, sent: FormData): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = url.href;
  if ([...sent.values()].some((value) => value instanceof File)) form.enctype = 'multipart/form-data';
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of sent) formData.append(name, value);
  });
  document.body.append(form);
  form.submit();
}

/** A new page is announced by its heading, as a document load would be by its title; an address that names a part of it leads there. */
function focusContent(): void {
  const content = namedPart() ?? document.querySelector<HTMLElement>('main h1');
  if (!content) return;
  // What takes focus by itself stays among what the tab key reaches.
  if (content.tabIndex < 0) content.tabIndex = -1;
  content.focus({ preventScroll: true });
}

/** The element that the address's fragment names. */
function namedPart(): HTMLElement | null {
  try {
    return document.getElementById(decodeURIComponent(location.hash.slice(1)));
  } catch {
    return null;
  }
}
