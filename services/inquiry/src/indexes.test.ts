/** Every query that the service makes, as MongoDB explains it. */
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startTestService, type TestService, until, valid } from '../fixtures/inquiry-service.ts';
import { VisitorLimit } from './abuse/visitor-limit.ts';
import { startBackground } from './background.ts';
import { Outbox } from './mail/outbox.ts';
import { Erasure } from './retention/erasure.ts';
import { InquiryChanges } from './staff/changes.ts';
import { InquiryReading } from './staff/reading.ts';
import { InquiryStore } from './store.ts';

let service: TestService;
let watched: MongoClient;
const commands: Document[] = [];
beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_indexes_test' });
  watched = new MongoClient(service.uri, { monitorCommands: true });
  watched.on('commandStarted', ({ command }) => void commands.push(structuredCopy(command)));
});
afterAll(async () => {
  await watched.close();
  await service.close();
});

/** What `explain` takes: the command without what the driver added for its session. */
function structuredCopy({
  lsid: _l,
  txnNumber: _t,
  $clusterTime: _c,
  $db: _d,
  startTransaction: _s,
  autocommit: _a,
  readConcern: _r,
  writeConcern: _w,
  ...rest
}: Document) {
  return rest;
}
function stages(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const own = 'stage' in plan && typeof plan.stage === 'string' ? [plan.stage] : [];
  return [...own, ...Object.values(plan).flatMap(stages)];
}
const explain = (command: Document) => service.db.command({ explain: command, verbosity: 'executionStats' });
const explainable = ['find', 'findAndModify', 'update', 'delete', 'aggregate', 'count', 'distinct'];

it('uses an index', async () => {
  const db = watched.db();
  const client = watched;
  const by = { id: 'x', name: 'Anna' };
  const store = new InquiryStore({ db, client });
  const limit = new VisitorLimit(db, { limit: 5, windowMs: 60_000 });
  const references: string[] = [];
  for (let i = 0; i < 3; i++) references.push(await store.store(valid, { key: `key-${i}`, counted: await limit.admit('192.0.2.1') }));
  const [first = '', second = ''] = references;
  expect([await store.known(valid, 'key-0'), await store.store(valid, { key: 'key-0' })]).toEqual([first, first]);
  await store.receipt(first);
  const reading = new InquiryReading(db);
  for (const status of [undefined, 'new'] as const)
    for (const category of [undefined, 'repair'] as const)
      for (const assignee of [undefined, 'none', 'Anna'])
        for (const [from, to] of [
          [undefined, undefined],
          ['2026-01-01', '2026-12-31'],
        ])
          await reading.list({ status, category, assignee, from, to }, { limit: 2, cursor: Buffer.from('2099').toString('base64url') });
  for await (const _row of reading.csv({}, { bom: false }));
  await reading.detail(first);
  const changes = new InquiryChanges({ db, client });
  await changes.assign({ reference: first, seen: '*', by }, 'Anna');
  await service.mails.updateMany({ reference: first }, { $set: { state: 'failed' } });
  await changes.resend({ reference: first, seen: '*', by }, 'office');
  await changes.setStatus({ reference: second, seen: '*', by }, 'closed', undefined);
  const outbox = new Outbox(db, { leaseMs: 10_000, retryMs: 1, attempts: 3 });
  await Promise.all([outbox.counts(), outbox.oldestS()]);
  const job = await outbox.claim();
  if (job) await outbox.notSent(job, { code: 'x', permanent: false });
  const erasure = new Erasure({ db, client, mailDir: service.mailDir });
  const background = startBackground({
    ...{ outbox, erasure, log: service.log, retention: { days: 1e-9, checkMs: 50 } },
    database: { db, prepared: Promise.resolve() },
    mail: { dir: service.mailDir, from: { name: '', address: 'a@b.example' }, responsible: () => ({ name: '', address: 'a@b.example' }) },
  });
  await until('erased', async () => (await service.inquiries.countDocuments({ erased: true })) === 1);
  await until('sent', async () => (await service.mails.countDocuments({ state: 'sent' })) >= 3);
  await background.stop();

  const seen = new Set<string>();
  for (const command of commands) {
    const kind = Object.keys(command)[0] ?? '';
    if (!explainable.includes(kind)) continue;
    const explained = await explain(command);
    const used = stages(explained);
    expect(used, JSON.stringify(command)).not.toContain('COLLSCAN');
    expect(used, JSON.stringify(command)).not.toContain('SORT');
    seen.add(`${kind} ${command[kind]}`);
  }
  for (const collection of ['inquiries', 'outbox', 'visitor-limits', 'keys']) expect([...seen].join()).toContain(collection);
  expect(seen.size).toBeGreaterThan(10);
});

it('reads as much for a page of many as for one of few', async () => {
  const [example] = await service.inquiries.find({ erased: false }).toArray();
  const reference = (i: number) =>
    `NV-${String(i)
      .padStart(8, '0')
      .replace(/^(.{4})/, '$1-')}`;
  const keysFor = async (filter: object) => {
    commands.length = 0;
    await new InquiryReading(watched.db()).list(filter, { limit: 20 });
    let keys = 0;
    for (const command of commands.filter(({ find, distinct }) => [find, distinct].includes('inquiries'))) {
      const explained = await explain(command);
      expect(stages(explained), JSON.stringify(command)).not.toContain('SORT');
      keys += explained.executionStats.totalKeysExamined;
    }
    return keys;
  };
  const filters = [{}, { status: 'new' }, { category: 'repair' }, { assignee: 'none' }, { status: 'closed', assignee: 'Anna' }] as const;
  const examined: number[][] = [];
  for (const upTo of [1000, 10_000]) {
    const present = await service.inquiries.countDocuments();
    const { _id, submission, ...rest } = example ?? ({} as never);
    const documents = Array.from({ length: upTo - present }, (_, offset) => {
      const i = present + offset;
      return {
        ...rest,
        submission: i.toString(16).padStart(64, '0'),
        reference: reference(i),
        order: `2026-01-01T00:00:00.${String(i % 1000).padStart(3, '0')}Z ${reference(i)}`,
        status: (['new', 'in-progress', 'answered', 'closed'] as const)[i % 4],
        category: (['product', 'calibration', 'repair', 'documents', 'other'] as const)[i % 5],
        assignee: i % 3 ? null : i % 9 ? 'Anna' : 'ANNA',
      };
    });
    await service.db.collection('inquiries').insertMany(documents);
    examined.push(await Promise.all([keysFor(filters[0])]));
    for (const filter of filters.slice(1)) examined.at(-1)?.push(await keysFor(filter));
  }
  for (const [i] of filters.entries()) expect(examined[1]?.[i]).toBeLessThanOrEqual((examined[0]?.[i] ?? 0) * 2);
  expect(Math.max(...(examined[1] ?? []))).toBeLessThan(100);
});
