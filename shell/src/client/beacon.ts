/**
 * Tells the site, once in the life of a document, that something failed in this browser, and in which release set: by that a
 * release is judged. Nothing of the error itself is sent.
 */
export function reportFailures(set: string): () => void {
  let sent = false;
  const report = () => {
    if (sent) return;
    sent = true;
    navigator.sendBeacon('/_beacon', JSON.stringify({ set, kind: 'error' }));
  };
  addEventListener('error', report);
  addEventListener('unhandledrejection', report);
  return report;
}
