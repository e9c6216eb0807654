import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { forgetOldLines } from './log-files.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const ours = (days: number) => `{"level":"info","time":"${daysAgo(days)}","msg":"Grüße"}\n`;
const mongods = (days: number) => `{"t":{"$date":"${daysAgo(days).replace('Z', '+00:00')}"},"s":"I"}\n`;

it('takes out of logs what is older than thirty days', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'colonnade-logs-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [young, youngToo, old] = [`${ours(29)}a line of Node’s own\n${ours(1)}`, mongods(29), ours(40)];
  const files = {
    'news.log': [`${ours(40)}a line of Node’s own\n${ours(31)}`, young],
    'news.log.1': [ours(60), ''],
    'mongod.log': [mongods(31), youngToo],
    'shell.log': [old, young],
  };
  for (const [name, parts] of Object.entries(files)) await writeFile(path.join(folder, name), parts.join(''));
  await forgetOldLines(folder, /^(?!shell)/);
  const kept = Object.fromEntries(
    await Promise.all((await readdir(folder)).map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')])),
  );
  expect(kept).toEqual({ 'news.log': young, 'mongod.log': youngToo, 'shell.log': old + young });
});
