import { watch } from 'node:fs';
import path from 'node:path';
import type { KeptPart } from '../kept-part.ts';
import { root } from '../parts.ts';

const settleMs = 100;

interface WatchOptions {
  /** By their names the sources are found. */
  running: KeptPart[];
  stops: (() => Promise<unknown>)[];
  tell(line: string): void;
  /** Resolves when the process of this name serves. */
  ready(name: string): Promise<void>;
}

/** What each process runs without a build. The shell's workers are built; of its sources only the supervisor's count here. */
const sources: Record<string, { dirs: string[]; only?: RegExp }> = {
  news: { dirs: ['services/news/src', 'kit/service/src', 'kit/content/src'] },
  inquiry: { dirs: ['services/inquiry/src', 'services/inquiry/content', 'kit/service/src', 'kit/content/src'] },
  gateway: { dirs: ['gateway/src', 'kit/service/src', 'kit/release/src', 'kit/mfe/src'] },
  shell: {
    dirs: ['shell/src/server', 'kit/service/src', 'kit/release/src', 'kit/mfe/src'],
    only: /^(main|release-set|deadline|env)\.ts$|^(containment\/(fences|death-report|work)|supervisor\/|trial\/)/,
  },
};

/** Whether a process runs this file, named from the repository's folder, as it is. */
export function restartsOn(name: string, file: string): boolean {
  const source = sources[name];
  const dir = source?.dirs.find((each) => file.startsWith(`${each}/`));
  if (!source || !dir) return false;
  return !source.only || dir.startsWith('kit') || source.only.test(file.slice(dir.length + 1));
}

/** Development: restarts a process when its sources change, then tells the browsers to load their page anew. */
export function watchServices({ running, stops, tell, ready }: WatchOptions): void {
  for (const part of running) {
    const source = sources[part.name];
    if (!source) continue;
    let timer: NodeJS.Timeout | undefined;
    let restarting = Promise.resolve();
    const changed = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        restarting = restarting.then(() => restart(part));
      }, settleMs);
    };
    for (const dir of source.dirs) {
      const watcher = watch(path.join(root, dir), { recursive: true }, (_event, file) => {
        if (file && /\.(tsx?|md)$/.test(file) && !file.includes('.test.') && restartsOn(part.name, path.join(dir, file))) changed();
      });
      stops.push(async () => watcher.close());
    }
  }

  async function restart(part: KeptPart): Promise<void> {
    tell(`${part.name}: sources changed, restarting`);
    try {
      await part.restart();
      // It listens before it has its database: a page loaded then would be a 503.
      await ready(part.name);
      running.find(({ name }) => name === 'shell')?.send('reload');
    } catch (error) {
      // A typing mistake is no reason to end everything: the next save tries again.
      tell((error as Error).message);
    }
  }
}
