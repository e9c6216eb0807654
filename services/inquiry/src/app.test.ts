import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { startTestService, type TestService, valid } from '../fixtures/inquiry-service.ts';
import { newReference, referencePattern } from './reference.ts';
import { InquiryStore } from './store.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_app_test' });
});
beforeEach(() => service.clear());
afterAll(() => service.close());

const send = (body: BodyInit, headers: Record<string, string> = {}, method = 'POST', path = '/api/inquiries') =>
  service.send(method, path, { headers, ...(method !== 'GET' && { body }) });
const post = (inquiry: unknown, key?: string) => service.post(inquiry, key === undefined ? {} : { 'idempotency-key': key });
const count = () => service.inquiries.countDocuments();

describe('POST /api/inquiries', () => {
  it('stores exactly the fields of the form and gives a reference', async () => {
    const { status, headers, body } = await post({ ...valid, name: '  山田 花子 ' });
    expect(status).toBe(201);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toEqual({ reference: expect.stringMatching(referencePattern) });
    const { reference } = body;
    expect(await service.inquiries.find().toArray()).toEqual([
      {
        _id: expect.anything(),
        submission: expect.stringMatching(/^[0-9a-f]{64}$/),
        ...valid,
        reference,
        receivedAt: expect.any(Date),
        order: expect.stringMatching(new RegExp(`^20.*Z ${reference}$`)),
        ...{ status: 'new', assignee: null, notes: [], version: 1, closedAt: null, erased: false, schemaVersion: 2 },
      },
    ]);
    const mail = { reference, state: 'pending', attempts: 0, createdAt: expect.any(Date), dueAt: expect.any(Date), schemaVersion: 1 };
    expect(await service.mails.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: `${reference}.office`, kind: 'office', ...mail },
      { _id: `${reference}.visitor`, kind: 'visitor', ...mail },
    ]);
  });

  it('stores an inquiry without a company, and each post without a key', async () => {
    const { company: _, ...rest } = valid;
    const references = [await post(rest), await post(rest)].map(({ body }) => body.reference);
    expect(new Set(references).size).toBe(2);
    expect(await count()).toBe(2);
  });

  it('takes the longest message, however it is written', async () => {
    const message = '界'.repeat(5000);
    const escaped = JSON.stringify({ ...valid, message }).replace(
      /[^\x20-\x7e]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
    expect((await send(escaped)).status).toBe(201);
  });

  it.each<[string, unknown, string[]]>([
    ['nothing', {}, ['name', 'email', 'category', 'message', 'consent']],
    [
      'wrong types',
      { name: 1, email: [], company: {}, category: true, message: null, consent: 'true' },
      ['name', 'email', 'company', 'category', 'message', 'consent'],
    ],
    ['operators', { ...valid, name: { $gt: '' }, email: { $ne: null }, category: { $in: ['product'] } }, ['name', 'email', 'category']],
    ['an operator at the top', { ...valid, $where: '1' }, ['$where']],
    ['a dotted key', { ...valid, 'name.first': 'x' }, ['name.first']],
    ['fields of the document', { ...valid, status: 'done', _id: 'x' }, ['status']],
    ['a constructor', { ...valid, constructor: { prototype: { x: 1 } } }, ['constructor']],
    ['blank fields', { ...valid, name: '  ', message: '\n' }, ['name', 'message']],
    [
      'huge fields',
      { ...valid, name: 'x'.repeat(101), email: `${'x'.repeat(250)}@a.example`, message: 'x'.repeat(5001) },
      ['name', 'email', 'message'],
    ],
    ['two lines in a name', { ...valid, name: 'a\r\nBcc: b' }, ['name']],
    ['two lines in an address', { ...valid, email: 'a@b.example\r\nBcc: c@d.example' }, ['email']],
    ['two lines in a company', { ...valid, company: 'a\nb' }, ['company']],
    ['a bell in a message', { ...valid, message: 'a\u0007b' }, ['message']],
    ['no address', { ...valid, email: 'nobody' }, ['email']],
    ['an unknown subject', { ...valid, category: 'sales' }, ['category']],
    ['no consent', { ...valid, consent: false }, ['consent']],
  ])('refuses %s by field', async (_name, inquiry, fields) => {
    const { status, headers, body } = await post(inquiry);
    expect(status).toBe(422);
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(Object.keys(body.errors)).toEqual(fields);
    expect(await count()).toBe(0);
  });

  it('refuses __proto__ and pollutes nothing', async () => {
    const { status, body } = await send(`{"__proto__": {"polluted": true}, ${JSON.stringify(valid).slice(1)}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(await count()).toBe(0);
  });

  it.each<[string, BodyInit, number, Record<string, string>?]>([
    ['broken JSON', '{"name":', 400],
    ['no body', '', 422],
    ['an array', '[]', 400],
    ['a string', '"x"', 400],
    ['null', 'null', 400],
    ['1 MB', JSON.stringify({ ...valid, message: 'x'.repeat(1_000_000) }), 413],
    ['8,000 levels', `{"name":${'['.repeat(8000)}${']'.repeat(8000)}}`, 422],
    ['100,000 levels', `{"name":${'['.repeat(100_000)}`, 413],
    ['a form', 'name=x', 415, { 'content-type': 'application/x-www-form-urlencoded' }],
    ['plain text', JSON.stringify(valid), 415, { 'content-type': 'text/plain' }],
    ['utf-7', JSON.stringify(valid), 415, { 'content-type': 'application/json; charset=utf-7' }],
    ['another JSON', JSON.stringify(valid), 415, { 'content-type': 'application/ld+json' }],
    ['compressed JSON', new Uint8Array(gzipSync(JSON.stringify(valid))), 415, { 'content-encoding': 'gzip' }],
  ])('refuses %s and stores nothing', async (_name, text, expected, headers) => {
    const { status, body } = await send(text, headers);
    expect([status, body.status]).toEqual([expected, expected]);
    expect(await count()).toBe(0);
  });

  it('says charset=utf-8 is fine', async () => {
    expect((await send(JSON.stringify(valid), { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(201);
  });
});

describe('Idempotency-Key', () => {
  it('stores 20 submits at once as one and gives each the same reference', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post(valid, 'form-1')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.reference)).size).toBe(1);
    expect(await count()).toBe(1);
  });

  it('takes the same key with other content as a new inquiry', async () => {
    const first = await post(valid, 'form-2');
    const second = await post({ ...valid, message: 'Something else.' }, 'form-2');
    const again = await post({ ...valid, message: ' Something else. ' }, 'form-2');
    expect(second.body.reference).not.toBe(first.body.reference);
    expect(again.body.reference).toBe(second.body.reference);
    expect(await count()).toBe(2);
  });

  it('takes the same content with another key as a new inquiry', async () => {
    await Promise.all([post(valid, 'form-3'), post(valid, 'form-4')]);
    expect(await count()).toBe(2);
  });

  it.each(['', 'x'.repeat(101), 'a b', '\u00e9'])('refuses %j', async (key) => {
    expect((await post(valid, key)).status).toBe(400);
    expect(await count()).toBe(0);
  });
});

it('tries another reference where one is taken, and gives up in the end', async () => {
  const references = ['NV-0000-0000', 'NV-0000-0000', 'NV-0000-0001'];
  const repeating = new InquiryStore(service.database, () => references.shift() ?? 'NV-0000-0000');
  expect(await repeating.store(valid)).toBe('NV-0000-0000');
  expect(await repeating.store(valid)).toBe('NV-0000-0001');
  await expect(repeating.store(valid)).rejects.toMatchObject({ code: 11_000 });
  expect(await count()).toBe(2);
});

describe('GET /api/inquiries/{reference}', () => {
  it('tells when it came and nothing of the sender', async () => {
    const { body } = await post(valid);
    const found = await send('', {}, 'GET', `/api/inquiries/${body.reference}`);
    expect(found).toMatchObject({ status: 200 });
    expect(found.body).toEqual({ reference: body.reference, receivedAt: expect.stringMatching(/^20\d\d-.*Z$/) });
    expect(found.headers.get('cache-control')).toBe('no-store');
  });

  it.each(['NV-0000-0000', 'nv-0000-0000', 'NV-0000-000I', '%24gt', 'x'.repeat(500), 'NV-0000-0000/x'])(
    'has nothing at %s',
    async (reference) => {
      expect((await send('', {}, 'GET', `/api/inquiries/${reference}`)).status).toBe(404);
    },
  );
});

it('has no other methods', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await send(JSON.stringify(valid), {}, method);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  }
  const { status, headers } = await send('', {}, 'DELETE', '/api/inquiries/NV-0000-0000');
  expect([status, headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  expect(await count()).toBe(0);
});

it('keeps out of the collection what did not come through this service', async () => {
  await post(valid);
  const good = await service.inquiries.findOneAndDelete({});
  const bad = [
    { name: 5 },
    { email: undefined },
    { consent: false },
    { category: 'sales' },
    { extra: 1 },
    { reference: 'NV-1' },
    { message: 'x'.repeat(5001) },
    { erased: true },
    { status: 'lost' },
  ];
  const inquiries = service.db.collection<{ _id: string }>('inquiries');
  for (const part of bad) {
    const document = { ...good, ...part } as unknown as { _id: string };
    await expect(inquiries.insertOne(document, { ignoreUndefined: true })).rejects.toMatchObject({ code: 121 });
  }
  expect(await count()).toBe(0);
});

it('makes references that nobody mistakes', () => {
  for (let i = 0; i < 200; i++) expect(newReference()).toMatch(referencePattern);
});
