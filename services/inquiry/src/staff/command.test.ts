/** `pnpm inquiries` as a process, against a real service. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createStaff } from '@colonnade/service/staff';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startTestService, type TestService, valid } from '../../fixtures/inquiry-service.ts';

const script = fileURLToPath(new URL('../../../../stack/src/commands/inquiries.ts', import.meta.url));
let service: TestService;
let token: string;
beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_command_test' });
  token = await createStaff(service.db, { name: 'Anna', role: 'office' });
});
afterAll(() => service.close());

function run(args: string[], env: Record<string, string> = {}) {
  const own = { PATH: process.env.PATH, INQUIRY_URL: service.base, COLONNADE_TOKEN: token, ...env };
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    execFile(process.execPath, [script, ...args], { env: own }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

it('takes an inquiry from its arrival to its erasure', async () => {
  const { reference } = (await service.post(valid)).body;
  expect((await run(['list', '--status', 'new'])).out).toMatch(new RegExp(`${reference} .* new +calibration +- +山田 花子, Yamada`));
  for (const args of [
    ['assign', reference, 'Berta'],
    ['status', reference, 'in-progress'],
    ['note', reference, 'Called back.'],
    ['close', reference, '--reason', 'Ordered.'],
  ]) {
    expect(await run(args)).toMatchObject({ code: 0, err: '', out: expect.stringContaining(reference) });
  }
  expect(await run(['close', reference])).toMatchObject({ code: 1, err: 'The inquiry is closed already.\n' });
  const shown = await run(['show', reference.toLowerCase()]);
  for (const words of [
    '山田 花子',
    'hanako@example.com',
    'How long does',
    'closed, since',
    'Ordered.',
    'Called back.',
    'Anna: assign Berta',
  ]) {
    expect(shown.out).toContain(words);
  }
  expect((await run(['export', '--assignee', 'Berta'])).out.split('\r\n')).toHaveLength(3);
  expect(await run(['erase', reference])).toMatchObject({ code: 1, err: expect.stringContaining('--yes') });
  expect((await run(['erase', reference, '--yes'])).code).toBe(0);
  expect((await run(['show', reference])).out).not.toMatch(/山田|hanako|How long|Ordered|Called/);
});

it('finds the service of this machine by its port', async () => {
  expect((await run(['list'], { INQUIRY_URL: '', INQUIRY_PORT: new URL(service.base).port })).code).toBe(0);
});

it('says in plain words what is wrong', async () => {
  const { reference } = (await service.post(valid)).body;
  const failures: [string[], number, string, Record<string, string>?][] = [
    [['show', 'NV-0000-0000'], 1, 'no inquiry with this reference'],
    [['status', reference, 'new'], 1, 'It can become in-progress or answered or closed.'],
    [['list', '--from', 'yesterday'], 1, 'from: Write the day as in 2026-11-21.'],
    [['list'], 1, 'pnpm staff add', { COLONNADE_TOKEN: '' }],
    [['list'], 1, 'was revoked', { COLONNADE_TOKEN: 'x' }],
    [['list'], 1, 'does not answer', { INQUIRY_URL: 'http://127.0.0.1:1' }],
    [['lost'], 2, 'There is no command lost.'],
    [['assign', reference], 2, 'Give a reference and a name'],
  ];
  for (const [args, code, words, env] of failures) {
    const result = await run(args, env);
    expect(result).toMatchObject({ code, err: expect.stringContaining(words) });
    expect(result.err).not.toMatch(/^\s+at /m);
  }
});

it('obeys nothing that a visitor wrote', async () => {
  const { reference } = (await service.post(valid)).body;
  await service.inquiries.updateOne({ reference }, { $set: { message: 'a\u001b]0;owned\u0007b', name: '\u001b[31mred' } });
  for (const args of [['show', reference], ['list']]) {
    const { out } = await run(args);
    for (const control of ['\u001b', '\u0007']) expect(out).not.toContain(control);
  }
});
