/** Operators, foreign keys and prototypes in every place that a caller fills. */
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { monitored, watchCommands } from '../../../../kit/service/fixtures/command-shapes.ts';
import { operators, operatorTexts, polluted, pollutions, strangeKeys } from '../../../../kit/service/fixtures/hostile.ts';
import { startTestService, type TestService, valid } from '../../fixtures/inquiry-service.ts';

const everyField = { ...valid, website: '', startedAt: '' };
let service: TestService;
let office: Awaited<ReturnType<TestService['staff']>>;
/** What ordinary requests ask the database. */
let ordinary: Set<string>;
let seen: Set<string>;
beforeAll(async () => {
  service = await startTestService({
    mongodbAdminUri: monitored(inject('mongodbAdminUri')),
    database: 'inquiry_injection_test',
    visitors: { limit: 1000, windowMs: 1e11, trustedPeers: [] },
    attemptsPerMinute: 1e6,
  });
  office = await service.staff('office');
  seen = watchCommands(service.database.client);
  await ordinaryTraffic();
  ordinary = new Set(seen);
});
beforeEach(() => seen.clear());
afterAll(() => service.close());

const unheard = () => [...seen].filter((shape) => !ordinary.has(shape));
const count = () => service.inquiries.countDocuments();

/** Everything that visitors and the office do, once. */
async function ordinaryTraffic(): Promise<void> {
  const { body } = await service.post(valid, { 'idempotency-key': 'k', 'x-forwarded-for': '192.0.2.1' });
  await service.post(valid, { 'idempotency-key': 'k', 'x-forwarded-for': '192.0.2.1' });
  await service.post(valid);
  await service.send('GET', '/api/inquiries/form-token');
  const one = `/inquiries/${body.reference}`;
  await service.send('GET', `/api${one}`);
  for (const filter of ['', '?status=new', '?category=other', '?assignee=none', '?assignee=Anna', '?from=2026-01-01', '?to=2026-01-01'])
    await office('GET', `/inquiries${filter}`);
  await office('GET', `/inquiries?cursor=${Buffer.from('x').toString('base64url')}`);
  await office('GET', '/inquiries.csv');
  await office('GET', one);
  await office('PUT', `${one}/assignee`, { body: { assignee: 'Anna' }, ifMatch: '*' });
  await office('PUT', `${one}/status`, { body: { status: 'closed', reason: 'Done' }, ifMatch: '*' });
  await office('POST', `${one}/notes`, { body: { text: 'Called' }, ifMatch: '*' });
  await count();
  await service.inquiries.findOne({ reference: 'x' });
}

it('finds an operator that reaches the database', async () => {
  await service.inquiries.findOne({ reference: { $gt: '' } });
  expect(unheard()).toEqual(['find filter: {reference: {$gt: string}}']);
});

it.each(Object.keys(everyField))('takes no operator as %s', async (field) => {
  const before = await count();
  for (const value of operators) {
    const { status, body } = await service.post({ ...everyField, [field]: value });
    expect([status, body.errors && Object.keys(body.errors)], JSON.stringify(value)).toEqual([422, [field]]);
  }
  expect(await count()).toBe(before);
  expect(unheard()).toEqual([]);
});

it('refuses every key it does not know, and stores the keys of its schema only', async () => {
  for (const key of strangeKeys) {
    const { status } = await service.post({ ...valid, [key]: { $gt: '' } });
    expect(status, key).toBe(422);
  }
  const { body } = await service.post(valid);
  const stored = await service.inquiries.findOne({ reference: body.reference });
  expect(Object.keys(stored ?? {}).toSorted()).toEqual(
    [
      '_id',
      ...Object.keys(valid),
      'assignee',
      'closedAt',
      'erased',
      'notes',
      'order',
      'receivedAt',
      'reference',
      'schemaVersion',
      'status',
      'submission',
      'version',
    ].toSorted(),
  );
});

it('takes a text that looks like an operator as a text', async () => {
  for (const text of operatorTexts) {
    const headers = { 'idempotency-key': /^[\x21-\x7e]+$/.test(text) ? text : 'k', 'x-forwarded-for': text };
    const { status, body } = await service.post({ ...valid, name: text, company: text, message: text }, headers);
    expect(status, text).toBe(201);
    expect(await service.inquiries.findOne({ reference: body.reference })).toMatchObject({ name: text, company: text, message: text });
  }
  expect(unheard()).toEqual([]);
});

it('has nothing at a path that looks like an operator', async () => {
  const paths = [...operatorTexts, '{"$ne":null}', '__proto__', 'constructor', 'NV-0000-0000\0', '../form-token', 'NV-0000-0000[$gt]'];
  for (const path of paths.map(encodeURIComponent)) {
    expect((await service.send('GET', `/api/inquiries/${path}`)).status, path).toBe(404);
    expect((await office('GET', `/inquiries/${path}`)).status, path).toBe(404);
    expect((await office('POST', `/inquiries/${path}/erase`, { ifMatch: '*' })).status, path).toBe(404);
  }
  expect(unheard()).toEqual([]);
});

it('takes no operator in a query of the office', async () => {
  for (const key of ['status', 'category', 'assignee', 'from', 'to', 'cursor', 'limit']) {
    for (const query of [
      `${key}[$gt]=`,
      `${key}[]=a`,
      `${key}=new&${key}=new`,
      `${key}.$ne=a`,
      `${key}=${encodeURIComponent('{"$ne":null}')}`,
    ]) {
      const { status, body } = await office('GET', `/inquiries?${query}`);
      // Somebody may be called anything in one line: it is a name, and nobody has it.
      if (query.startsWith('assignee=%7B')) expect([status, body.items]).toEqual([200, []]);
      else expect(status, query).toBe(422);
      if (!['cursor', 'limit'].includes(key) && status !== 200)
        expect((await office('GET', `/inquiries.csv?${query}`)).status, query).toBe(422);
    }
  }
  for (const query of ['$where=1', '__proto__[polluted]=1', '__proto__=1', 'constructor[prototype][polluted]=1'])
    expect((await office('GET', `/inquiries?${query}`)).status, query).toBe(422);
  const cursor = Buffer.from('{"$gt":""}').toString('base64url');
  expect((await office('GET', `/inquiries?cursor=${cursor}`)).status).toBe(200);
  expect(unheard()).toEqual([]);
});

it('takes no operator in a change of the office, nor as its token or version', async () => {
  const { reference } = (await service.post(valid)).body;
  const one = `/inquiries/${reference}`;
  for (const value of operators) {
    for (const [method, path, key] of [
      ['PUT', 'assignee', 'assignee'],
      ['PUT', 'status', 'status'],
      ['PUT', 'status', 'reason'],
      ['POST', 'notes', 'text'],
    ] as const) {
      const body = { ...(key === 'reason' && { status: 'closed' }), [key]: value };
      const answer = await office(method, `${one}/${path}`, { body, ifMatch: '*' });
      expect(answer.status, `${key} ${JSON.stringify(value)}`).toBe(422);
    }
  }
  for (const key of strangeKeys) {
    const answer = await office('PUT', `${one}/assignee`, { body: { assignee: 'Anna', [key]: 1 }, ifMatch: '*' });
    expect(answer.status, key).toBe(422);
  }
  for (const text of operatorTexts) {
    expect((await office('PUT', `${one}/assignee`, { body: { assignee: 'Anna' }, ifMatch: text })).status).toBe(400);
    const { status } = await service.send('GET', '/staff/inquiries', { headers: { authorization: `Bearer ${text}` } });
    expect(status, text).toBe(401);
  }
  expect(await service.inquiries.findOne({ reference })).toMatchObject({ version: 1, status: 'new', assignee: null });
  expect(unheard()).toEqual([]);
});

it('lets nobody write on the prototype of all objects', async () => {
  const { reference } = (await service.post(valid)).body;
  for (const text of pollutions) {
    const inside = `{"name":${text},${JSON.stringify({ ...valid, name: undefined }).slice(1)}`;
    const beside = `${text.slice(0, -1)},${JSON.stringify(valid).slice(1)}`;
    for (const body of [text, inside, beside]) {
      expect((await service.send('POST', '/api/inquiries', { body })).status, body).toBe(422);
      expect(polluted(), body).toBeUndefined();
    }
    const answer = await office('PUT', `/inquiries/${reference}/assignee`, { body: JSON.parse(text), ifMatch: '*' });
    expect([answer.status, polluted()], text).toEqual([422, undefined]);
  }
});

it('finds a prototype that was written on', () => {
  const merge = (to: Record<string, unknown>, from: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(from)) {
      if (typeof value === 'object' && value && typeof to[key] === 'object') merge(to[key] as never, value as never);
      else to[key] = value;
    }
  };
  merge({}, JSON.parse(pollutions[0] as string));
  expect(polluted()).toBe(true);
  delete (Object.prototype as { polluted?: unknown }).polluted;
});
