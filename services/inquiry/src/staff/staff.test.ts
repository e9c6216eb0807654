import { listStaff } from '@colonnade/service/staff';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { startTestService, type TestService, valid } from '../../fixtures/inquiry-service.ts';
import { csvRow } from './csv.ts';
import { InquiryReading } from './reading.ts';

let service: TestService;
let anna: Awaited<ReturnType<TestService['staff']>>;
beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_staff_test' });
  anna = await service.staff('office');
});
beforeEach(() => service.clear());
afterAll(() => service.close());

const received = async (part: object = {}) => (await service.post({ ...valid, ...part })).body.reference as string;
const etagOf = async (reference: string) => (await anna('GET', `/inquiries/${reference}`)).headers.get('etag') ?? '';
const change = async (method: string, reference: string, what: string, body?: unknown) =>
  anna(method, `/inquiries/${reference}/${what}`, { body, ifMatch: await etagOf(reference) });
const setStatus = (reference: string, status: string, reason?: string) => change('PUT', reference, 'status', { status, reason });
const listed = async (query = '') =>
  (await anna('GET', `/inquiries${query}`)).body.items.map((item: { reference: string }) => item.reference);

describe('who may', () => {
  it('office and admin, and nobody else', async () => {
    const reference = await received();
    const editor = await service.staff('editor');
    const admin = await service.staff('admin');
    for (const path of ['/inquiries', '/inquiries.csv', `/inquiries/${reference}`]) {
      expect((await service.send('GET', `/staff${path}`)).status).toBe(401);
      expect((await editor('GET', path)).status).toBe(403);
      expect((await admin('GET', path)).status).toBe(200);
      expect((await anna('GET', path)).headers.get('cache-control')).toBe('no-store');
    }
    expect((await service.send('POST', `/staff/inquiries/${reference}/erase`)).status).toBe(401);
  });
});

it('notes in the log who has listed, read and exported what', async () => {
  const reference = await received();
  const info = vi.spyOn(service.log, 'info').mockImplementation(() => {});
  onTestFinished(() => info.mockRestore());
  for (const path of ['/inquiries', `/inquiries/${reference}`, '/inquiries.csv', '/inquiries/NV-0000-0000']) await anna('GET', path);
  const { _id: staff } = (await listStaff(service.db)).find(({ name }) => name === 'Anna') ?? {};
  expect(info.mock.calls.filter(([, message]) => /^inquir/.test(message ?? ''))).toEqual([
    [{ requestId: expect.any(String), staff, inquiries: 1 }, 'inquiries listed'],
    [{ requestId: expect.any(String), staff, reference }, 'inquiry read'],
    [{ requestId: expect.any(String), staff }, 'inquiries exported'],
  ]);
});

describe('the list', () => {
  it('is newest first, in pages that neither lose nor repeat one', async () => {
    const sent: string[] = [];
    for (let i = 0; i < 7; i++) sent.unshift(await received());
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const { body } = await anna('GET', `/inquiries?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items.map((item: { reference: string }) => item.reference));
      cursor = body.next;
    }
    expect(seen).toEqual(sent);
  });

  it('is filtered by status, subject, who has it and day, and by all of them', async () => {
    const [a, b, c] = [await received(), await received({ category: 'repair' }), await received({ category: 'repair' })];
    await setStatus(b, 'in-progress');
    await change('PUT', b, 'assignee', { assignee: 'Berta' });
    await service.inquiries.updateOne({ reference: c }, { $set: { order: `2020-02-29T12:00:00.000Z ${c}` } });
    const today = new Date().toISOString().slice(0, 10);
    expect(await listed('?status=in-progress')).toEqual([b]);
    expect(await listed('?category=repair')).toEqual([b, c]);
    expect(await listed('?assignee=Berta')).toEqual([b]);
    expect(await listed('?assignee=berTA')).toEqual([b]);
    expect(await listed('?assignee=Bert')).toEqual([]);
    expect(await listed('?assignee=none')).toEqual([a, c]);
    expect(await listed('?from=2020-02-29&to=2020-02-29')).toEqual([c]);
    expect(await listed(`?from=${today}`)).toEqual([b, a]);
    expect(await listed(`?status=in-progress&category=repair&assignee=Berta&from=${today}&to=${today}`)).toEqual([b]);
    expect(await listed('?status=answered')).toEqual([]);
  });

  it.each(['?status=lost', '?limit=0', '?limit=101', '?limit=1e1', '?from=2026-02-30', '?cursor=%24', '?status=new&status=new', '?page=1'])(
    'refuses %s',
    async (query) => {
      expect((await anna('GET', `/inquiries${query}`)).status).toBe(422);
    },
  );
});

describe('a change', () => {
  it('needs the version that was read, and one of two wins', async () => {
    const reference = await received();
    const note = (ifMatch?: string) => anna('POST', `/inquiries/${reference}/notes`, { body: { text: 'x' }, ifMatch });
    expect((await note()).status).toBe(428);
    for (const other of ['"2"', '"x"', 'W/"1"']) expect((await note(other)).status).toBe(412);
    for (const bad of ['1', '', '"1', '"1", "2"']) expect((await note(bad)).status).toBe(400);
    const answers = await Promise.all([note('"1"'), note('"1"'), note('"1"')]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    expect(await etagOf(reference)).toBe('"2"');
    expect(await service.audit.countDocuments({ reference })).toBe(1);
  });

  it('of status goes forward, by one step or more', async () => {
    const reference = await received();
    expect((await setStatus(reference, 'in-progress')).body).toMatchObject({ status: 'in-progress', version: 2 });
    for (const illegal of ['new', 'in-progress']) expect((await setStatus(reference, illegal)).status).toBe(409);
    expect((await setStatus(reference, 'answered')).status).toBe(200);
    expect((await setStatus(reference, 'in-progress')).status).toBe(409);
    const closed = await setStatus(reference, 'closed', 'Ordered by telephone.');
    expect(closed.body).toMatchObject({ status: 'closed', closingReason: 'Ordered by telephone.', closedAt: expect.any(String) });
    for (const illegal of ['new', 'in-progress', 'answered', 'closed']) expect((await setStatus(reference, illegal)).status).toBe(409);
    for (const at of ['answered', 'closed']) expect((await setStatus(await received(), at)).status).toBe(200);
  });

  it('is told with who and when, and notes are kept', async () => {
    const reference = await received();
    const berta = await service.staff('admin', 'Berta');
    await change('PUT', reference, 'assignee', { assignee: ' Lab ' });
    await berta('POST', `/inquiries/${reference}/notes`, { body: { text: 'Called back.\nWants two.' }, ifMatch: '*' });
    const { body } = await setStatus(reference, 'in-progress');
    const by = (name: string) => ({ id: expect.stringMatching(/^[0-9a-f]{12}$/), name });
    const { consent: _, ...written } = valid;
    expect(body).toMatchObject({ ...written, assignee: 'Lab', status: 'in-progress' });
    expect(body.notes).toEqual([{ at: expect.any(String), by: by('Berta'), text: 'Called back.\nWants two.' }]);
    expect(body.history).toEqual([
      { at: expect.any(String), by: by('Anna'), action: 'assign', to: 'Lab' },
      { at: expect.any(String), by: by('Berta'), action: 'note', to: null },
      { at: expect.any(String), by: by('Anna'), action: 'status', to: 'in-progress' },
    ]);
    expect((await change('PUT', reference, 'assignee', { assignee: null })).body.assignee).toBeNull();
  });

  it.each([
    ['assignee', 'PUT', { assignee: '' }],
    ['assignee', 'PUT', { assignee: 'none' }],
    ['assignee', 'PUT', { assignee: { $gt: '' } }],
    ['status', 'PUT', { status: 'lost' }],
    ['status', 'PUT', {}],
    ['status', 'PUT', { status: 'closed', version: 9 }],
    ['notes', 'POST', { text: ' \n ' }],
    ['notes', 'POST', { text: 'x'.repeat(5001) }],
  ])('of %s by %s refuses %j', async (what, method, body) => {
    const reference = await received();
    expect((await change(method, reference, what, body)).status).toBe(422);
    expect(await etagOf(reference)).toBe('"1"');
  });

  it('of what is not there is 404', async () => {
    for (const reference of ['NV-0000-0000', 'x', '%24gt'])
      expect((await anna('POST', `/inquiries/${reference}/erase`, { ifMatch: '*' })).status).toBe(404);
    expect((await change('POST', await received(), 'mails/boss/resend')).status).toBe(404);
  });
});

describe('the export', () => {
  it('is a table of what the filter lets through, and is told', async () => {
    const reference = await received({ name: '=HYPERLINK("http://x.example")', company: '', message: 'One "two"\nthree, four' });
    await received({ category: 'repair' });
    const { text, headers } = await anna('GET', '/inquiries.csv?category=calibration');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    const [head, row] = text.split('\r\n');
    expect(head).toBe('"reference","received","status","category","assignee","name","email","company","message","closed"');
    expect(row).toMatch(new RegExp(`^"${reference}","20[^"]*Z","new","calibration","",`));
    expect(row).toMatch(/"'=HYPERLINK\(""http:\/\/x.example""\)","hanako@example.com","","One ""two""\nthree, four",""$/);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(text.split('\r\n')).toHaveLength(3);
    expect(await service.audit.find({ action: 'export' }).toArray()).toMatchObject([{ by: { name: 'Anna' } }]);
  });

  it('begins with a byte order mark where that is asked for', async () => {
    const reading = new InquiryReading(service.db);
    for (const bom of [true, false]) {
      const { value } = await reading.csv({}, { bom }).next();
      expect(String(value).startsWith('\ufeff"reference"')).toBe(bom);
    }
    expect((await anna('GET', '/inquiries.csv?bom=true')).status).toBe(200);
    expect((await anna('GET', '/inquiries.csv?bom=yes')).status).toBe(422);
  });

  it.each(['=1', '+1', '-1', '@x', '\t=1', '\r=1', ' =1', '\n=1', '＝1', '＋1', '－1', '＠x', '|x', '%x'])('shows %j as text', (cell) => {
    expect(csvRow([cell])).toBe(`"'${cell}"\r\n`);
  });

  it('quotes every cell', () => {
    expect(csvRow(['a', 'b,"c"', null, 'd\ne', '山田'])).toBe('"a","b,""c""","","d\ne","山田"\r\n');
  });
});

it('has a document of itself', async () => {
  const { body } = await service.send('GET', '/openapi.json');
  expect(body.openapi).toBe('3.1.0');
  expect(Object.keys(body.paths)).toEqual([
    '/api/inquiries',
    '/api/inquiries/form-token',
    '/api/inquiries/{reference}',
    '/staff/inquiries',
    '/staff/inquiries.csv',
    '/staff/inquiries/{reference}',
    '/staff/inquiries/{reference}/assignee',
    '/staff/inquiries/{reference}/status',
    '/staff/inquiries/{reference}/notes',
    '/staff/inquiries/{reference}/erase',
    '/staff/inquiries/{reference}/mails/{kind}/resend',
  ]);
});
