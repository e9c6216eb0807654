/** Development only: keeps the page in step with what the server runs. */
import type { DevState } from '../server/dev-events.ts';

/** Applies a new build of a microfrontend in place; a new shell, or an update that React cannot apply, reloads the page. */
export function followServer(set: string): void {
  let known: DevState | undefined;
  listen();

  function listen(): void {
    const events = new EventSource('/_dev/events');
    events.addEventListener('reload', () => location.reload());
    events.onmessage = ({ data }) => compare(JSON.parse(data as string) as DevState);
    // An answer such as 503 ends an EventSource for good: while a process restarts there is one.
    events.onerror = () => events.readyState === EventSource.CLOSED && setTimeout(listen, 300);
  }

  async function compare(now: DevState): Promise<void> {
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
  }
}

declare global {
  var __colonnadeHot: Set<() => Promise<boolean>> | undefined;
}
