/** Puts files of a page that is about to be shown into the document, each once, and waits until they are there. */

const styles = new Map<string, Promise<void>>();
const modules = new Map<string, Promise<void>>();

/** Marks what the document came with: its styles stand in it, its modules are preloaded. */
export function alreadyLoaded(files: { js: string[]; css: string[] }): void {
  for (const url of files.css) styles.set(url, Promise.resolve());
  for (const url of files.js) modules.set(url, Promise.resolve());
}

/** @throws when one of the files does not arrive or is not what the release says it is */
export async function loadFiles(files: { js: string[]; css: string[] }, integrity: Record<string, string>): Promise<void> {
  await Promise.all([
    ...files.css.map((url) => once(styles, url, 'stylesheet', integrity)),
    // A module is imported only after all have passed: import() itself would run a file whose preload failed.
    ...files.js.map((url) => once(modules, url, 'modulepreload', integrity)),
  ]);
}

function once(known: Map<string, Promise<void>>, url: string, rel: string, integrity: Record<string, string>): Promise<void> {
  const pending =
    known.get(url) ??
    new Promise<void>((resolve, reject) => {
      const link = document.createElement('link');
      link.rel = rel;
      link.href = url;
      const hash = integrity[url];
      if (hash) link.integrity = hash;
      link.onload = () => resolve();
      link.onerror = () => {
        known.delete(url);
        link.remove();
        reject(new Error(`${url} did not load`));
      };
      document.head.append(link);
    });
  known.set(url, pending);
  return pending;
}
