/** Calls back when the document has loaded and the browser has nothing to do. */
export function whenIdle(act: () => void): void {
  if (document.readyState !== 'complete') addEventListener('load', () => whenIdle(act), { once: true });
  else if ('requestIdleCallback' in window) requestIdleCallback(act);
  // Safari has no idle callbacks.
  else setTimeout(act, 200);
}
