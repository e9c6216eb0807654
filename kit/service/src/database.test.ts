import { MongoNetworkError, MongoServerError } from 'mongodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startStandalone } from '../../../stack/fixtures/standalone-mongod.ts';
import { databaseErrors, openDatabase } from './database.ts';
import type { Log } from './log.ts';
import { Problem } from './problem.ts';

function passed(error: unknown): unknown {
  let result: unknown;
  databaseErrors(error, {} as never, {} as never, (next: unknown) => {
    result = next;
  });
  return result;
}

it.each([
  ['a broken connection', new MongoNetworkError('secret host')],
  ['a change of the primary', new MongoServerError({ message: 'not primary', code: 10_107 })],
  ['a bulk write whose connection broke', new MongoServerError({ message: 'connection 6 closed' })],
  // Seen when mongod was killed under load: the driver does not wrap it.
  ['a dying socket', Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' })],
])('makes 503 of %s', (_name, error) => {
  expect(passed(error)).toMatchObject({ status: 503, headers: { 'Retry-After': '2' }, cause: error });
  expect(passed(error)).toBeInstanceOf(Problem);
});

it('leaves our own mistakes alone', () => {
  for (const error of [
    new MongoServerError({ message: 'failed validation', code: 121 }),
    new TypeError('x'),
    new Problem(404, 'Not found'),
  ]) {
    expect(passed(error)).toBe(error);
  }
});

it('is not prepared with a mongod that is no replica set, and says so once', async () => {
  const log = { info: vi.fn(), warn: vi.fn() };
  const prepare = vi.fn(async () => {});
  const uri = `${await startStandalone()}/alone?monitorCommands=true`;
  const database = openDatabase({ uri, name: 'alone', appName: 'test', log: log as unknown as Log, prepare });
  const asked: string[] = [];
  database.client.on('commandSucceeded', ({ commandName }) => void asked.push(commandName));
  onTestFinished(() => database.close());

  await expect.poll(() => asked.filter((name) => name === 'hello').length).toBeGreaterThan(2);
  const told = log.warn.mock.calls.map(([{ err }]) => err.message);
  expect(told.filter((message) => message === 'MongoDB is not a replica set')).toHaveLength(1);
  expect(prepare).not.toHaveBeenCalled();
  await expect(database.ping()).rejects.toThrow('not prepared');
});
