/** Development only: keeps the page in step with what the server runs. */
import type { DevState } from '../server/dev-events.ts';

/** Applies a new build of a microfrontend in place; a new shell, or an update that React cannot apply, reloads the page. */
export function followServer(set: string): void {
  let known: DevState | undefined;
  const events = new EventSource('/_dev/events');
  events.addEventListener('reload', () => location.reload());
  events.onmessage = async ({ data }) => {
    const now = JSON.parse(data as string) as DevState;
    const before = known;
    known = now;
    if (!before) {
      if (now.set !== set) location.reload();
      return;
    }
    if (now.set === before.set) return;
    if (now.shell !== before.shell) return location.reload();
    const applied = await Promise.all([...(globalThis.__colonnadeHot ?? [])].map((update) => update().catch(() => false)));
    if (!applied.some(Boolean)) return location.reload();
    // New styles come as files of the same name: fetch those again that the page has.
    for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')) link.href = `${link.href.split('?', 1)[0]}?${now.set}`;
  };
}

declare global {
  var __colonnadeHot: Set<() => Promise<boolean>> | undefined;
}
