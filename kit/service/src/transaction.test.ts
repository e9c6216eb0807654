import { type CommandStartedEvent, MongoClient } from 'mongodb';
import { afterAll, beforeEach, expect, inject, it } from 'vitest';
import { inTransaction } from './transaction.ts';

const name = 'kit_transaction_test';
const client = new MongoClient(inject('mongodbAdminUri'), { monitorCommands: true });
const things = client.db(name).collection<{ _id: string; n: number }>('things');

beforeEach(async () => {
  await things.deleteMany({});
  await things.insertOne({ _id: 'a', n: 0 });
});
afterAll(async () => {
  await client.db(name).dropDatabase();
  await client.close();
});

const count = async () => (await things.findOne({ _id: 'a' }))?.n;

it('loses none of the changes of several at once', async () => {
  let runs = 0;
  const allHaveRead = Promise.withResolvers<void>();
  const add = () =>
    inTransaction(client, async (session) => {
      const { n = 0 } = (await things.findOne({ _id: 'a' }, { session })) ?? {};
      if (++runs === 3) allHaveRead.resolve();
      await allHaveRead.promise;
      await things.updateOne({ _id: 'a' }, { $set: { n: n + 1 } }, { session });
    });
  await Promise.all([add(), add(), add()]);
  expect(await count()).toBe(3);
  expect(runs).toBeGreaterThan(3);
});

it('changes nothing where the work fails', async () => {
  const failing = inTransaction(client, async (session) => {
    await things.updateOne({ _id: 'a' }, { $set: { n: 1 } }, { session });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  expect(await count()).toBe(0);
});

it('gives up where another is in its way until its time is over', async () => {
  let runs = 0;
  await client.withSession(async (holding) => {
    holding.startTransaction();
    await things.updateOne({ _id: 'a' }, { $set: { n: 9 } }, { session: holding });
    const waiting = inTransaction(
      client,
      async (session) => {
        runs++;
        await things.updateOne({ _id: 'a' }, { $set: { n: 1 } }, { session });
      },
      Date.now() + 2000,
    );
    await expect(waiting).rejects.toMatchObject({ status: 503, headers: { 'Retry-After': '2' } });
    await holding.abortTransaction();
  });
  expect(runs).toBeGreaterThan(1);
  expect(await count()).toBe(0);
});

it('sees one moment, and a majority keeps in its journal what it writes', async () => {
  const commands: CommandStartedEvent[] = [];
  const note = (event: CommandStartedEvent) => void commands.push(event);
  client.on('commandStarted', note);
  await inTransaction(client, async (session) => {
    await things.findOne({ _id: 'a' }, { session });
    await things.updateOne({ _id: 'a' }, { $set: { n: 5 } });
    expect((await things.findOne({ _id: 'a' }, { session }))?.n).toBe(0);
  });
  client.off('commandStarted', note);
  expect(commands[0]?.command.readConcern).toMatchObject({ level: 'snapshot' });
  const end = commands.find(({ commandName }) => commandName === 'commitTransaction');
  expect(end?.command.writeConcern).toMatchObject({ w: 'majority', j: true });
});
