import { Ending } from '@colonnade/service/ending';
import { expect, test } from 'vitest';
import { InFlight } from './in-flight.ts';

const staying = new Ending();

test('hands a place over in order of arrival', async () => {
  const places = new InFlight({ max: 1, maxQueued: 2, waitMs: 10_000 });
  const leave = await places.enter(staying);
  const entered: number[] = [];
  const waiting = [1, 2].map(async (name) => {
    const leaveAfter = await places.enter(staying);
    entered.push(name);
    leaveAfter();
  });
  await expect(places.enter(staying)).rejects.toMatchObject({ reason: 'full' });
  leave();
  await Promise.all(waiting);
  expect(entered).toEqual([1, 2]);
  expect([places.taken, places.queued]).toEqual([0, 0]);
});

test('forgets who leaves while waiting, and who has waited long enough', async () => {
  const places = new InFlight({ max: 1, maxQueued: 1, waitMs: 20 });
  const leave = await places.enter(staying);
  await expect(places.enter(staying)).rejects.toMatchObject({ reason: 'waited' });
  const patient = new InFlight({ max: 1, maxQueued: 1, waitMs: 3_600_000 });
  await patient.enter(staying);
  const leaving = new Ending();
  const waiting = patient.enter(leaving);
  expect(patient.queued).toBe(1);
  leaving.end(new Error('has left'));
  await expect(waiting).rejects.toThrow('has left');
  expect([places.queued, patient.queued]).toEqual([0, 0]);
  leave();
  expect([places.taken, patient.taken]).toEqual([0, 1]);
});
