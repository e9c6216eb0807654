/** One real mongod for all integration tests of a run. Each test file uses a database name of its own. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startMongod } from './mongod.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of a user who may do everything; a test puts its own database name into the path. */
    mongodbAdminUri: string;
    /** As services get them: each for a user of one database. */
    mongodbUris: { news: string; inquiry: string };
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'colonnade-test-mongo-'));
  const mongod = await startMongod({ dataDir, port: 0, log: (line) => console.error(line) });
  project.provide('mongodbAdminUri', mongod.adminUri);
  project.provide('mongodbUris', mongod.uris);
  return async () => {
    await mongod.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
