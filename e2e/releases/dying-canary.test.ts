import { fixtureDataDir, fixtureOrigin, fixturePorts } from '../support/fixture-site.ts';
import { calm, fixtureDist, publishVersion, registryOf } from '../support/releases.ts';
import { expect, test } from '../support/test.ts';

const mfe = 'mfe-probe-v1';
const page = '/probe-v1';
const percent = 10;
const atOnce = 30;
/** Good for its trial. From then on each page kills its worker from outside, so that nobody can say whose doing it was. */
const kills = (text: string) =>
  text.replaceAll(
    '`Probe $',
    `\`Probe \${(() => { globalThis.nth = (globalThis.nth ?? 0) + 1; if (nth > 1) process.getBuiltinModule('node:child_process').execSync('kill -9 ' + process.pid); })()} $`,
  );

const registry = () => registryOf(fixtureDataDir, fixturePorts.REGISTRY_PORT);

test.beforeAll(() => calm(registry()));

test('a canary whose workers die is withdrawn by itself, and its visitors have the live page meanwhile', async () => {
  test.setTimeout(90_000);
  await publishVersion(registry(), { from: fixtureDist(mfe), version: '1.9.0', edit: kills });
  const { id, state, version } = await registry().activate(mfe, '1.9.0', percent);
  expect([state, version]).toEqual(['canary', '1.9.0']);
  const statuses: Record<string, number> = {};
  const visit = async (bucket: number) => {
    const answer = await fetch(fixtureOrigin + page, { headers: { Cookie: `colonnade-bucket=${bucket}` } });
    await answer.arrayBuffer();
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
  };
  const running = async () => (await registry().client.activation(id)).state === 'canary';
  while (await running()) await Promise.all(Array.from({ length: atOnce }, (_, n) => Promise.all([visit(0), visit(percent + n)])));
  const { state: end, reasons } = await registry().client.activation(id);
  expect(end).toBe('withdrawn');
  expect(reasons[0]?.reason).toMatch(/^failed in \d+ of \d+ page views/);
  expect(Object.keys(statuses)).toEqual(['200']);
  test.info().annotations.push({ type: 'withdrawn', description: `${reasons[0]?.reason}; answers ${JSON.stringify(statuses)}` });
});
