import { newStaffToken } from '@colonnade/service/staff';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { json } from '../fixtures/release.ts';
import { type Service, startService } from '../fixtures/service.ts';

const shellToken = 'a token of shells, of 32 characters and more'.replaceAll(' ', '-');
let service: Service;
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'registry_shell_token_test', { shellToken });
});
afterAll(() => service?.close());

const report = { candidate: 'aaaaaaaaaaaa', ok: true, tookMs: 1 };
const counts = { counts: [{ of: 'aaaaaaaaaaaa', pages: 1, errors: 1 }] };
/** The statuses of all that only shells may do. */
async function asShell(authorization?: string): Promise<number[]> {
  const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
  const post = (path: string, body: object) => {
    const init = json(body);
    return service.ask(path, { ...init, headers: { ...init.headers, ...headers } });
  };
  return [
    (await post('/shells/shell-1/reports', report)).status,
    (await post('/shells/shell-1/counts', counts)).status,
    await streamStatus('?shell=shell-1', headers),
  ];
}
/** Ends the stream where there is one. */
async function streamStatus(query: string, headers: Record<string, string> = {}): Promise<number> {
  const { status, body } = await fetch(`${service.origin}/events${query}`, { headers });
  await body?.cancel();
  return status;
}

it('takes the word of nobody who lacks the token of the shells', async () => {
  expect(await asShell()).toEqual([401, 401, 401]);
  expect(await asShell('Bearer another-token-of-32-characters-and-more')).toEqual([401, 401, 401]);
  expect(await asShell(`Bearer ${newStaffToken()}`)).toEqual([401, 401, 401]);
  // The control.
  expect(await asShell(`Bearer ${shellToken}`)).toEqual([204, 204, 200]);
});

it('lets everybody look on', async () => {
  expect((await service.ask('/state')).status).toBe(200);
  expect(await streamStatus('')).toBe(200);
});

it('has room for shells however many look on', async () => {
  const leaving = new AbortController();
  const lookOn = async () => (await fetch(`${service.origin}/events`, { signal: leaving.signal })).status;
  const statuses = await Promise.all(Array.from({ length: 64 }, lookOn));
  expect(new Set([...statuses, await lookOn()])).toEqual(new Set([200, 503]));
  expect(await streamStatus('?shell=shell-1', { Authorization: `Bearer ${shellToken}` })).toBe(200);
  leaving.abort();
});
