import { expect, test } from 'vitest';
import { SetsSite } from '../../test/sets-site.ts';

const error = (set: string, more: object = {}) => JSON.stringify({ set, kind: 'error', ...more });
const from = (address: string) => ({ 'X-Forwarded-For': address });

async function site(): Promise<SetsSite> {
  const site = await new SetsSite().start();
  await site.point({ live: 'a', canary: 'b', canaryPercent: 10 });
  return site;
}
const post = (at: SetsSite, body: string, headers: Record<string, string> = {}) => at.visit('/_beacon', { method: 'POST', body, headers });
const outcomes = async (at: SetsSite) =>
  Object.fromEntries(
    (await at.metrics.getSingleMetric('beacons_total')?.get())?.values.map(({ labels, value }) => [labels.outcome, value]) ?? [],
  );

test('an error counts once for each address, set and minute; a /64 is one address', async () => {
  const at = await site();
  for (let time = 0; time < 3; time++) expect((await post(at, error('b'))).status).toBe(204);
  expect(at.beacons).toEqual([{ beacon: { set: 'b', address: '127.0.0.1' } }]);
  for (const address of ['203.0.113.9', '203.0.113.9', '::ffff:203.0.113.9', '2001:db8::1', '2001:db8::2', '2001:db8:0:1::1'])
    await post(at, error('b'), from(address));
  expect(at.beacons).toHaveLength(4);
  await post(at, error('a'));
  expect(at.beacons).toHaveLength(5);
  at.now += 61_000;
  await post(at, error('b'));
  expect(at.beacons).toHaveLength(6);
  expect(await outcomes(at)).toEqual({ counted: 6, repeated: 5, unknown: 0 });
});

test('of a set that is not resident nothing is counted, whatever it is called', async () => {
  const at = await site();
  for (const set of ['gone', '__proto__', '', 'a b']) expect((await post(at, error(set))).status).toBe(204);
  expect(at.beacons).toEqual([]);
  expect(await outcomes(at)).toEqual({ counted: 0, repeated: 0, unknown: 4 });
});

test('what the error says goes nowhere', async () => {
  const at = await site();
  expect(
    (await post(at, error('b', { message: 'Jane Doe, jane@example.com', stack: 'x' }), { 'Content-Type': 'application/json' })).status,
  ).toBe(204);
  expect(JSON.stringify(at.beacons)).not.toContain('Jane');
  expect(await at.metrics.metrics()).not.toContain('Jane');
  expect(at.asked).toEqual([]);
});

test.each([
  ['', 400],
  ['{', 400],
  ['null', 400],
  ['[]', 400],
  [JSON.stringify({ set: 'b' }), 400],
  [JSON.stringify({ set: 'b', kind: 'other' }), 400],
  [JSON.stringify({ set: 5, kind: 'error' }), 400],
  [error('b', { message: 'x'.repeat(2048) }), 413],
])('a body that is no beacon is refused: %s', async (body, status) => {
  const at = await site();
  expect((await post(at, body)).status).toBe(status);
  expect(at.beacons).toEqual([]);
});

test('another site cannot make a browser send one', async () => {
  const at = await site();
  expect((await post(at, error('b'), { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
  expect((await post(at, error('b'), { Origin: 'http://evil.example' })).status).toBe(403);
  expect(at.beacons).toEqual([]);
  expect((await post(at, error('b'), { 'Sec-Fetch-Site': 'same-origin' })).status).toBe(204);
});
