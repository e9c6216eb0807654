/** Calls back when the document has loaded and the browser has nothing to do. */
export function whenIdle(act: () => void): void {
  if (document.readyState !== 'complete') addEventListener('load', () => whenIdle(act), { once: true });
  else if ('requestIdleCallback' in window) requestIdleCallback(act);
  // Safari has no idle callbacks.
  else setTimeout(act, 200);
}

/** Calls back when what has just been changed is on the screen. */
export function whenPainted(act: () => void): void {
  // A tab that is not shown paints nothing.
  if (document.hidden) act();
  else requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(act)));
}
