/** Visitors of pages that have nothing to do with a fault: they must not notice it. */
export interface Onlookers {
  /** Ends their visits. @returns how often each page gave which status */
  end(): Promise<Record<string, Record<string, number>>>;
}

/** Asks for each page again and again, one request at a time. */
export function onlookers(origin: string, paths: string[]): Onlookers {
  let ended = false;
  const seen: Record<string, Record<string, number>> = {};
  const visits = paths.map(async (path) => {
    const counts: Record<string, number> = {};
    seen[path] = counts;
    while (!ended) {
      const status = await fetch(origin + path).then(
        async (response) => {
          await response.arrayBuffer();
          return response.status;
        },
        () => 'none',
      );
      counts[status] = (counts[status] ?? 0) + 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });
  return {
    async end() {
      ended = true;
      await Promise.all(visits);
      return seen;
    },
  };
}
