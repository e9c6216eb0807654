/** `pnpm start` and `pnpm dev`: the whole site on this machine. */
import { BuildFailed } from './build.ts';
import { readStackEnv } from './env.ts';
import { PortInUse } from './ports.ts';
import { PartFailed } from './process.ts';
import { whenRunnerEnds } from './runner.ts';
import { type Site, startSite } from './site.ts';

const dev = process.argv.includes('--dev');
const started = performance.now();
const tell = (line: string) => console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${line}`);

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Colonnade needs Node 24, and this is ${process.version}. Run it through pnpm, which brings the right one: npx --yes pnpm@12 start`,
  );
  process.exit(1);
}

let site: Site | undefined;
let ending = false;
const givingUp = new AbortController();
const starting = startSite({ env: readStackEnv(), dev, tell, signal: givingUp.signal });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => end(0));
whenRunnerEnds(() => end(0));

try {
  site = await starting;
} catch (error) {
  if (!ending) {
    const known = error instanceof PortInUse || error instanceof PartFailed || error instanceof BuildFailed;
    console.error(`\n${known ? (error as Error).message : ((error as Error).stack ?? error)}\n`);
    process.exit(1);
  }
}
if (site && !ending) {
  site.failed.then((failure) => {
    if (ending) return;
    console.error(`\n${failure.message}\n\nEverything else is being stopped. Start again with: npx --yes pnpm@12 start\n`);
    end(1);
  });
  console.log(`\n${table(site)}\n\nLogs: ${site.dataDir}/logs    Stop: Ctrl-C\n`);
  console.log(`Colonnade is ready: ${site.origin}`);
}

async function end(code: number): Promise<void> {
  if (ending) return;
  ending = true;
  tell('stopping');
  // While it is still starting, it stops by itself what it has begun.
  givingUp.abort();
  const running = site ?? (await starting.catch(() => undefined));
  await running?.stop();
  process.exit(code);
}

function table({ parts }: Site): string {
  const width = Math.max(...parts.map(({ name }) => name.length));
  const address = Math.max(...parts.map((part) => part.address.length));
  return parts
    .map((part) => `  ${part.name.padEnd(width)}  ${part.address.padEnd(address)}  ${part.pid ? `pid ${part.pid}` : ''}`)
    .join('\n');
}
