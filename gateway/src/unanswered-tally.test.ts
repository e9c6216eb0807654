import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { listening } from '../test/servers.ts';
import { UnansweredTally } from './unanswered-tally.ts';

test('tells the supervisor how many there were of each set, once; what it does not take is dropped', async () => {
  const told: unknown[] = [];
  const answers = { status: 503 };
  const { url } = await listening(async (req, res) => {
    told.push([req.url, await json(req)]);
    res.writeHead(answers.status).end();
  });
  const tally = new UnansweredTally(url);
  tally.count('a');
  await tally.tell();
  answers.status = 204;
  for (const set of ['b', 'a', 'b']) tally.count(set);
  await tally.tell();
  await tally.tell();
  expect(told).toEqual([
    ['/unanswered', { set: 'a', requests: 1 }],
    ['/unanswered', { set: 'b', requests: 2 }],
    ['/unanswered', { set: 'a', requests: 1 }],
  ]);
});
