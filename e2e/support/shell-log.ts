import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'playwright/test';
import { fixtureDataDir } from './fixture-site.ts';

/** The one line of the shell's log that has each of these texts; it is written a moment after the answer. */
export async function logLine(...texts: string[]): Promise<unknown> {
  await expect.poll(async () => (await logLines(texts)).length, `log lines with ${texts}`).toBe(1);
  return JSON.parse((await logLines(texts))[0] ?? '');
}

async function logLines(texts: string[]): Promise<string[]> {
  const lines = (await readFile(path.join(fixtureDataDir, 'logs/shell.log'), 'utf8')).split('\n');
  return lines.filter((line) => texts.every((text) => line.includes(text)));
}
