import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { signedKeyringSchema } from '@colonnade/release/schema';
import * as z from 'zod';

const lastGoodSchema = z.object({
  /** Of the registry's state, for a person who looks. */
  sequence: z.int(),
  live: z.record(z.string(), z.string()),
  activation: z.string().nullable(),
  /** As the root key has signed it: verified again when it is read. */
  keyring: signedKeyringSchema,
});

/** What a shell that starts while the registry is away begins with. */
export type LastGood = z.infer<typeof lastGoodSchema>;

const fileIn = (dataDir: string) => path.join(dataDir, 'shell/last-good.json');

/** Null where nothing was ever good. */
export function readLastGood(dataDir: string): LastGood | null {
  try {
    return lastGoodSchema.parse(JSON.parse(readFileSync(fileIn(dataDir), 'utf8')));
  } catch {
    return null;
  }
}

/** In one step: a supervisor and its successor may write at once. */
export function writeLastGood(dataDir: string, lastGood: LastGood): void {
  const file = fileIn(dataDir);
  const draft = `${file}.${process.pid}`;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(draft, JSON.stringify(lastGood, null, 2));
  renameSync(draft, file);
}
