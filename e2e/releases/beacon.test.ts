import { expect, test } from '../support/test.ts';

test('a browser says once that something failed, and in which release set; nothing of the error', async ({ page, open, complaints }) => {
  const beacons: (string | null)[] = [];
  page.on('request', (request) => request.url().endsWith('/_beacon') && beacons.push(request.postData()));
  await open('/company');
  const set = await page.evaluate(() => JSON.parse(document.getElementById('boot')?.textContent ?? '{}').set as string);
  const fail = () =>
    page.evaluate(async () => {
      const thrown = new Promise((resolve) => addEventListener('error', resolve, { once: true }));
      setTimeout(() => {
        throw new Error('somebody’s secret');
      });
      await thrown;
    });
  await fail();
  await fail();
  await expect.poll(() => beacons).toEqual([JSON.stringify({ set, kind: 'error' })]);
  expect(complaints.list).toEqual(Array(2).fill('exception: somebody’s secret'));
  complaints.list = [];

  // The control: a page that works says nothing, not even when it is left.
  await open('/privacy');
  await open('/company');
  expect(beacons).toHaveLength(1);
});
