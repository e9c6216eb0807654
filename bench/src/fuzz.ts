import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newKeyPair } from '@colonnade/release/keys';
import { createStaff, type Role } from '@colonnade/service/staff';
import { startMongod } from '@colonnade/stack/mongo/mongod';
import { freePort } from '@colonnade/stack/ports';
import { Part } from '@colonnade/stack/process';
import { MongoClient } from 'mongodb';

const root = path.resolve(import.meta.dirname, '../..');
const schemathesis = 'schemathesis==4.32.5';
/** Cases for each operation and phase: some 2,000 in all for each service. */
const examples = 100;

/** What is fuzzed, and by whom. */
const services = [
  { name: 'news', role: 'editor' },
  { name: 'inquiry', role: 'office' },
  { name: 'registry', role: 'operator' },
] as const;
/** Says which answers are right besides those that Schemathesis expects. */
const config = path.join(root, 'services/schemathesis.toml');

/**
 * Runs Schemathesis with all its checks against each service on a MongoDB of its own: server errors, answers that the
 * OpenAPI document does not describe, and bad input that is taken.
 * @returns whether it found nothing
 */
export async function fuzz(): Promise<boolean> {
  const tool = installed();
  const dataDir = mkdtempSync(path.join(tmpdir(), 'colonnade-bench-'));
  const mongod = await startMongod({ dataDir, port: 0, log: console.log });
  try {
    let ok = true;
    for (const { name, role } of services) {
      const port = await freePort();
      const part = new Part({
        name,
        file: path.join(root, 'services', name, 'src/main.ts'),
        env: {
          [`${name.toUpperCase()}_PORT`]: String(port),
          [`${name.toUpperCase()}_MONGODB_URI`]: mongod.uris[name],
          DATA_DIR: dataDir,
          // The checks send wrong tokens and many inquiries on purpose.
          STAFF_ATTEMPTS: '1000000',
          INQUIRY_LIMIT: '0',
          SEED_SAMPLE: 'true',
          ROOT_KEY: newKeyPair().publicKey,
          LOG_LEVEL: 'error',
        },
        logDir: path.join(dataDir, 'logs'),
      });
      try {
        await part.listening();
        const url = `http://127.0.0.1:${port}`;
        await ready(url);
        const token = await tokenOf(mongod.uris[name], role);
        console.log(`\n${name} service`);
        const args = ['--config-file', config, 'run', `${url}/openapi.json`, '-H', `Authorization: Bearer ${token}`];
        ok =
          spawnSync(tool, [...args, '--checks', 'all', '-n', String(examples), '--continue-on-failure'], { stdio: 'inherit', cwd: dataDir })
            .status === 0 && ok;
      } finally {
        await part.stop();
      }
    }
    return ok;
  } finally {
    await mongod.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Schemathesis in a Python environment of this repository's own. @returns its path */
function installed(): string {
  const venv = path.join(root, 'node_modules/.cache/schemathesis');
  const tool = path.join(venv, 'bin/schemathesis');
  if (existsSync(tool)) return tool;
  mkdirSync(path.dirname(venv), { recursive: true });
  console.log(`installing ${schemathesis}`);
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', venv],
    [path.join(venv, 'bin/pip'), 'install', '--quiet', schemathesis],
  ] as [string, ...string[]][]) {
    if (spawnSync(command, args, { stdio: 'inherit' }).status !== 0)
      throw new Error(`${command} ${args.join(' ')} failed: Schemathesis needs python3 with pip and venv`);
  }
  return tool;
}

async function ready(url: string): Promise<void> {
  for (;;) {
    if ((await fetch(`${url}/readyz`)).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function tokenOf(uri: string, role: Role): Promise<string> {
  const client = await MongoClient.connect(uri);
  try {
    return await createStaff(client.db(), { name: 'Schemathesis', role });
  } finally {
    await client.close();
  }
}
