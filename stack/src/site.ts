import { existsSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { build } from './build.ts';
import { databaseUri } from './database-uri.ts';
import { watchBuilds } from './dev/watch-builds.ts';
import { watchServices } from './dev/watch-services.ts';
import type { StackEnv } from './env.ts';
import { KeptPart } from './kept-part.ts';
import { forgetOldLines } from './log-files.ts';
import { KeptMongod } from './mongo/kept-mongod.ts';
import { startMongod } from './mongo/mongod.ts';
import { databases, type Owner } from './mongo/mongod-secrets.ts';
import { type BuiltRelease, buildables, root } from './parts.ts';
import { checkPorts } from './ports.ts';
import { PartFailed } from './process.ts';
import { forgetLostReleases, releaseAll, wereReleased } from './release.ts';
import { releaseKeys } from './release-keys.ts';
import { type HeldSocket, holdSocket } from './socket.ts';

const readyMs = 30_000;
const logLimitBytes = 20_000_000;
const probeBytes = 1_000_000;

export interface SiteOptions {
  env: StackEnv;
  /** Development: watches and rebuilds instead of building once. */
  dev: boolean;
  /** Told to whoever waits, a line at a time. */
  tell(line: string): void;
  /** Gives up while starting. */
  signal?: AbortSignal;
  /** To be released with the workspace's own microfrontends. */
  releases?: BuiltRelease[];
  /** For every process, over the environment of this one. */
  extraEnv?: Record<string, string | undefined>;
}

export interface Site {
  origin: string;
  opsOrigin: string;
  dataDir: string;
  /** Name, address and process id of every part, for the table. */
  parts: { name: string; address: string; pid: number | undefined }[];
  /** Resolves with what happened when a part ends by itself. */
  failed: Promise<PartFailed>;
  /** Ends everything, visitors first. */
  stop(): Promise<void>;
}

/**
 * Builds what is stale, releases it, and starts every part of the site on this machine.
 * @throws an Error whose message tells a person what is wrong and what to do; nothing is left running then
 */
export async function startSite(options: SiteOptions): Promise<Site> {
  const stops: (() => Promise<unknown>)[] = [];
  try {
    return await start(options, stops);
  } catch (error) {
    await stopAll(stops);
    throw error;
  }
}

async function start(
  { env, dev, tell, signal, releases = [], extraEnv = {} }: SiteOptions,
  stops: (() => Promise<unknown>)[],
): Promise<Site> {
  const dataDir = path.resolve(env.DATA_DIR);
  const logDir = path.join(dataDir, 'logs');
  const mailDir = path.resolve(env.MAIL_DIR ?? path.join(dataDir, 'mail'));
  // Listened for from the beginning, so that nothing that waits later has missed it.
  const givenUp = new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason), { once: true }));
  givenUp.catch(() => {});
  await makeWritable(dataDir, logDir);
  await checkPorts({
    PORT: env.PORT,
    OPS_PORT: env.OPS_PORT,
    SHELL_PORT: env.SHELL_PORT,
    NEWS_PORT: env.NEWS_PORT,
    INQUIRY_PORT: env.INQUIRY_PORT,
    ...(!dev && { REGISTRY_PORT: env.REGISTRY_PORT }),
  });

  if (!env.MONGODB_URI && forgetLostReleases(dataDir))
    tell('the data of MongoDB are gone, and what was released here with them: this workspace’s releases are made anew');

  const failed = Promise.withResolvers<PartFailed>();
  const unlessFailed = <T>(work: Promise<T>) => Promise.race([work, givenUp, failed.promise.then((failure) => Promise.reject(failure))]);
  const mongoStarting = database();
  // Both to the end, even where one fails: only then is it known what has to be stopped. Of watching builds that is known from the
  // beginning, and one that waits for a save may have no end.
  const [mongoStart, buildEnd] = await Promise.allSettled([
    mongoStarting,
    dev
      ? unlessFailed(Promise.all([watchBuilds({ dataDir, logDir, tell, stops }), mongoStarting])).then((): BuiltRelease[] => [])
      : buildAll(tell, signal),
  ]);
  if (buildEnd.status === 'rejected') throw buildEnd.reason;
  if (mongoStart.status === 'rejected') throw mongoStart.reason;
  signal?.throwIfAborted();
  const mongo = mongoStart.value;
  // Now that no other run uses this data directory, and before its parts start.
  await forgetOldLines(logDir, /^(?!mongod\.|build-)/);

  const common = {
    ...extraEnv,
    // HOST is the public door's: everything else is for this machine only.
    HOST: '127.0.0.1',
    NODE_ENV: dev ? 'development' : 'production',
    DATA_DIR: dataDir,
    SITE_ORIGIN: env.SITE_ORIGIN ?? `http://localhost:${env.PORT}`,
  };
  const url = (port: number) => `http://127.0.0.1:${port}`;
  const held: HeldSocket[] = [];
  const socket = (port: number, host = '127.0.0.1') => {
    const one = holdSocket({ host, port });
    held.push(one);
    return one;
  };
  const run = (name: string, file: string, own: Record<string, string | undefined>, sockets: Record<string, HeldSocket>) => {
    const log = path.join(logDir, `${name}.log`);
    if (existsSync(log) && statSync(log).size > logLimitBytes) renameSync(log, `${log}.1`);
    const one = new KeptPart({ name, file: path.join(root, file), env: { ...common, ...own }, logDir, sockets, tell });
    one.failed.then(failed.resolve);
    return one;
  };
  const services = () => [
    run(
      'news',
      'services/news/src/main.ts',
      { NEWS_PORT: String(env.NEWS_PORT), NEWS_MONGODB_URI: mongo.uris.news, SEED_SAMPLE: 'true' },
      { news: socket(env.NEWS_PORT) },
    ),
    run(
      'inquiry',
      'services/inquiry/src/main.ts',
      { INQUIRY_PORT: String(env.INQUIRY_PORT), INQUIRY_MONGODB_URI: mongo.uris.inquiry, SMTP_URL: env.SMTP_URL, MAIL_DIR: mailDir },
      { inquiry: socket(env.INQUIRY_PORT) },
    ),
  ];
  const keys = releaseKeys(dataDir);
  const registry = () =>
    run(
      'registry',
      'services/registry/src/main.ts',
      {
        REGISTRY_PORT: String(env.REGISTRY_PORT),
        REGISTRY_MONGODB_URI: mongo.uris.registry,
        ROOT_KEY: keys.rootPublicFile,
        SHELL_TOKEN: keys.shellToken,
      },
      { registry: socket(env.REGISTRY_PORT) },
    );
  const shell = () =>
    run(
      'shell',
      'shell/src/server/main.ts',
      {
        SHELL_PORT: String(env.SHELL_PORT),
        SERVICES: [`news=${url(env.NEWS_PORT)}`, `inquiry=${url(env.INQUIRY_PORT)}`, ...(env.SERVICES ? [env.SERVICES] : [])].join(),
        // In development releases change in place, and nobody signs them.
        ...(dev
          ? { REGISTRY_URL: undefined }
          : { REGISTRY_URL: url(env.REGISTRY_PORT), ROOT_KEY: keys.rootPublicFile, SHELL_TOKEN: keys.shellToken }),
      },
      { shell: socket(env.SHELL_PORT) },
    );
  const gateway = () =>
    run(
      'gateway',
      'gateway/src/main.ts',
      {
        HOST: env.HOST,
        PORT: String(env.PORT),
        OPS_PORT: String(env.OPS_PORT),
        ALLOWED_HOSTS: env.ALLOWED_HOSTS,
        SHELL_URL: url(env.SHELL_PORT),
        NEWS_URL: url(env.NEWS_PORT),
        INQUIRY_URL: url(env.INQUIRY_PORT),
        REGISTRY_URL: dev ? undefined : url(env.REGISTRY_PORT),
        PREVIEW_KEY: env.PREVIEW_KEY ?? keys.previewKey,
      },
      { gateway: socket(env.PORT, env.HOST), 'gateway-ops': socket(env.OPS_PORT) },
    );

  const running: KeptPart[] = [];
  // The gateway stops first, so that no visitor meets a part that is gone; then the rest at once.
  stops.push(async () => {
    // From here on newcomers are refused instead of waiting for a process that does not come.
    for (const one of held) one.close();
    await part('gateway')?.stop();
    await Promise.all(running.map((one) => one.stop()));
  });
  const part = (name: string) => running.find((one) => one.name === name);
  const answers: Record<string, number> = {
    news: env.NEWS_PORT,
    inquiry: env.INQUIRY_PORT,
    registry: env.REGISTRY_PORT,
    shell: env.SHELL_PORT,
    gateway: env.OPS_PORT,
  };
  const serves = (name: string) => ready(`${url(answers[name] as number)}/readyz`, part(name) as KeptPart);

  tell('starting the services, the shell and the gateway');
  let released: Promise<void> | undefined;
  running.push(...services(), ...(dev ? [] : [registry()]));
  if (!dev) {
    const all = [...buildEnd.value, ...releases];
    released = unlessFailed(
      (async () => {
        await part('registry')?.listening();
        await serves('registry');
        await releaseAll(all, { registryUrl: url(env.REGISTRY_PORT), mongodbUri: mongo.uris.registry, keys, dataDir, tell });
      })(),
    );
    // Where something is new, the shell is to begin with it; a database elsewhere may be new as a whole. Else it need not wait
    // for the registry: it knows what was live.
    released.catch(() => {});
    if (env.MONGODB_URI || !wereReleased(all, dataDir)) await released;
  }
  // The gateway lets visitors wait for a shell that starts beside it, and no longer than that takes.
  running.push(shell(), gateway());
  if (dev) watchServices({ running, stops, tell, ready: serves });
  await Promise.all(running.map((one) => one.listening()));
  const behind = running.map(({ name }) => name).filter((name) => name !== 'gateway');
  await unlessFailed(Promise.all([released, ...behind.map(serves)]).then(() => serves('gateway')));

  return {
    origin: `http://localhost:${env.PORT}`,
    opsOrigin: url(env.OPS_PORT),
    dataDir,
    parts: [
      { name: 'site', address: `http://localhost:${env.PORT}`, pid: part('gateway')?.pid },
      { name: 'ops (health, metrics)', address: `http://localhost:${env.OPS_PORT}/health`, pid: part('gateway')?.pid },
      { name: 'shell', address: url(env.SHELL_PORT), pid: part('shell')?.pid },
      { name: 'news service', address: url(env.NEWS_PORT), pid: part('news')?.pid },
      { name: 'inquiry service', address: url(env.INQUIRY_PORT), pid: part('inquiry')?.pid },
      ...(dev ? [] : [{ name: 'registry', address: url(env.REGISTRY_PORT), pid: part('registry')?.pid }]),
      { name: 'MongoDB', address: mongo.address, pid: mongo.pid },
      ...(env.SMTP_URL ? [] : [{ name: 'mails (SMTP_URL is not set)', address: mailDir, pid: undefined }]),
    ],
    failed: failed.promise,
    stop: () => stopAll(stops),
  };

  async function database(): Promise<{ uris: Record<Owner, string>; address: string; pid: number | undefined }> {
    if (env.MONGODB_URI) {
      tell('using the MongoDB of MONGODB_URI');
      return {
        uris: {
          news: databaseUri(env.MONGODB_URI, databases.news),
          inquiry: databaseUri(env.MONGODB_URI, databases.inquiry),
          registry: databaseUri(env.MONGODB_URI, databases.registry),
        },
        address: 'MONGODB_URI',
        pid: undefined,
      };
    }
    const mongod = await startMongod({ dataDir, port: env.MONGO_PORT, log: tell }).catch((error: Error) => {
      throw new PartFailed(error.message, { cause: error });
    });
    const kept = new KeptMongod(mongod, { start: () => startMongod({ dataDir, port: mongod.port, log: tell }), tell });
    stops.push(() => kept.stop());
    kept.failed.then(({ message }) => failed.resolve(new PartFailed(`${message} See ${path.join(logDir, 'mongod.log')}.`)));
    tell('MongoDB is up');
    return { uris: mongod.uris, address: `mongodb://127.0.0.1:${mongod.port}`, pid: mongod.pid };
  }
}

/** @throws PartFailed by name, before a part or mongod fails in its own words */
async function makeWritable(dataDir: string, logDir: string): Promise<void> {
  const probe = path.join(dataDir, 'writable');
  try {
    mkdirSync(logDir, { recursive: true });
    // Of some size: a full disk still takes an empty file.
    writeFileSync(probe, Buffer.alloc(probeBytes));
  } catch (error) {
    throw new PartFailed(`DATA_DIR ${dataDir} cannot be written: ${(error as Error).message}`, { cause: error });
  } finally {
    await rm(probe, { force: true }).catch(() => {});
  }
}

async function buildAll(tell: (line: string) => void, signal: AbortSignal | undefined): Promise<BuiltRelease[]> {
  const parts = buildables();
  tell(`building the shell and ${parts.length - 1} microfrontends where they changed`);
  // All to the end, even where one fails: nothing may go on building after we have gone.
  const builds = await Promise.allSettled(
    parts.map(async (part) => {
      const { version } = await build(part, tell, signal);
      return part.kind === 'mfe' ? [{ name: part.name, version, dir: path.join(part.dir, 'dist') }] : [];
    }),
  );
  return builds.flatMap((built) => {
    if (built.status === 'rejected') throw built.reason;
    return built.value;
  });
}

/** Waits until a part says it is ready. @throws PartFailed with what it and its log say instead, after 30 s */
async function ready(url: string, part: KeptPart): Promise<void> {
  const until = performance.now() + readyMs;
  let said = 'nothing';
  while (performance.now() < until) {
    try {
      // A connection kept open would make each process wait for it when it ends.
      const response = await fetch(url, { signal: AbortSignal.timeout(2000), headers: { Connection: 'close' } });
      if (response.ok) return;
      said = await response.text();
    } catch {
      said = 'nothing';
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw part.failure(`does not become ready. Its ${url} says: ${said}`);
}

/** In the reverse of the order in which things were started; one failure does not keep the rest alive. */
async function stopAll(stops: (() => Promise<unknown>)[]): Promise<void> {
  while (stops.length > 0)
    await stops
      .pop()?.()
      .catch((error: unknown) => console.error(error));
}
