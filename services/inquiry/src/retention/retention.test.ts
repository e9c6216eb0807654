import { createHash, createHmac } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BSON } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { startTestService, type TestService, until } from '../../fixtures/inquiry-service.ts';
import { startBackground } from '../background.ts';

let service: TestService;
let anna: Awaited<ReturnType<TestService['staff']>>;
beforeAll(async () => {
  service = await startTestService({
    mongodbAdminUri: inject('mongodbAdminUri'),
    database: 'inquiry_retention_test',
    visitors: { limit: 100, windowMs: 600_000, trustedPeers: [] },
  });
  anna = await service.staff('office');
});
beforeEach(() => service.clear());
afterAll(() => service.close());

const seeded = {
  name: 'Seededname 種田',
  email: 'Seededmail@example.com',
  company: 'Seededcompany',
  category: 'other',
  message: 'Seededmessage',
  consent: true,
};
const visitor = '203.0.113.77';

/** Everything in the database and in the mail folder, as text. */
async function everything(): Promise<string> {
  const parts: string[] = [];
  for (const { collectionName } of await service.db.collections()) {
    parts.push(BSON.EJSON.stringify(await service.db.collection(collectionName).find().toArray()));
  }
  for (const name of await readdir(service.mailDir).catch(() => [])) {
    parts.push(name, await readFile(path.join(service.mailDir, name), 'utf8'));
  }
  return parts.join('\n');
}

/** What the person's values look like where they were hashed, plainly or with any key that is stored, or encoded. */
async function derived(): Promise<string[]> {
  const keys = (await service.db.collection('keys').find().toArray()).map(({ key }) => Buffer.from(key, 'base64url'));
  return Object.values(seeded).flatMap((value) => {
    const text = String(value);
    if (text === 'other' || text === 'true') return [];
    const forms = [text, text.toLowerCase()];
    return forms.flatMap((form) => [
      form,
      Buffer.from(form).toString('base64').slice(0, 10),
      ...['md5', 'sha1', 'sha256'].map((algorithm) => createHash(algorithm).update(form).digest('hex')),
      ...keys.map((key) => createHmac('sha256', key).update(form).digest('hex')),
    ]);
  });
}
async function tracesLeft(submission: string): Promise<string[]> {
  const dump = (await everything()).toLowerCase();
  return [...(await derived()), submission, 'seeded'].filter((trace) => dump.includes(trace.toLowerCase()));
}

function start(days: number) {
  const mail = {
    dir: service.mailDir,
    from: { name: '', address: 'inquiry@nollvik.example' },
    responsible: () => ({ name: '', address: 'office@nollvik.example' }),
  };
  return startBackground({ ...service, mail, retention: { days, checkMs: 50 } });
}

/** An inquiry with all that can hang on it: mails in the folder, notes, a closing reason. */
async function full(): Promise<{ reference: string; submission: string }> {
  const post = await service.post(seeded, { 'x-forwarded-for': visitor, 'idempotency-key': 'seeded-key' });
  const reference: string = post.body.reference;
  const worker = start(730);
  await until('mails written', async () => (await service.mails.countDocuments({ reference, state: 'sent' })) === 2);
  await worker.stop();
  await anna('POST', `/inquiries/${reference}/notes`, { body: { text: 'Seededname called, Seededmail@example.com' }, ifMatch: '*' });
  const { submission = '' } = (await service.inquiries.findOne({ reference })) ?? {};
  return { reference, submission };
}
const close = (reference: string) =>
  anna('PUT', `/inquiries/${reference}/status`, { body: { status: 'closed', reason: 'Seededname has ordered.' }, ifMatch: '*' });

it('leaves no trace of the person after the period, and erases once with several instances', async () => {
  const { reference, submission } = await full();
  await close(reference);
  const kept = (await service.post({ ...seeded, name: 'Keptname' })).body.reference;
  expect(await tracesLeft(submission)).not.toEqual([]);
  expect(await everything()).toContain(submission);
  await service.inquiries.deleteOne({ reference: kept });
  await service.mails.deleteMany({ reference: kept });
  const instances = [start(1e-9), start(1e-9), start(1e-9)];
  await until('erased', async () => (await service.inquiries.countDocuments({ erased: true })) === 1);
  await until('mails gone', async () => (await readdir(service.mailDir)).length === 0);
  await Promise.all(instances.map((instance) => instance.stop()));
  expect(await tracesLeft(submission)).toEqual([]);
  expect(await service.audit.countDocuments({ reference, action: 'erase' })).toBe(1);
  const { body } = await anna('GET', `/inquiries/${reference}`);
  expect(body).toMatchObject({ reference, category: 'other', status: 'closed', erased: true, name: null, email: null, message: null });
  expect(body.notes).toEqual([{ at: expect.any(String), by: { id: expect.any(String), name: 'Anna' }, text: null }]);
  expect(body.history.map(({ action, by }: { action: string; by: { name: string } }) => [action, by.name])).toEqual([
    ['note', 'Anna'],
    ['status', 'Anna'],
    ['erase', 'retention period'],
  ]);
});

it('leaves alone what is open, or closed or noted on for less than the period', async () => {
  const [open, closed] = [await full(), await full()];
  await close(closed.reference);
  const instance = start(1);
  await service.inquiries.updateOne({ reference: open.reference }, { $set: { receivedAt: new Date(0) } });
  const noted = (await service.post({ ...seeded, message: 'noted' })).body.reference;
  await close(noted);
  await anna('POST', `/inquiries/${noted}/notes`, { body: { text: 'Wrote again.' }, ifMatch: '*' });
  await service.inquiries.updateOne({ reference: noted }, { $set: { closedAt: new Date(0) } });
  const old = (await service.post({ ...seeded, message: 'old' })).body.reference;
  await close(old);
  await service.inquiries.updateOne({ reference: old }, { $set: { closedAt: new Date(Date.now() - 86_400_001) } });
  await until('the old one is erased', async () => (await service.inquiries.countDocuments({ erased: true })) === 1);
  await instance.stop();
  expect((await service.inquiries.find({ erased: true }).toArray()).map(({ reference }) => reference)).toEqual([old]);
});

it('erases on request, with mails that wait or were given up', async () => {
  const post = await service.post(seeded, { 'x-forwarded-for': visitor });
  const reference: string = post.body.reference;
  await service.mails.updateOne({ kind: 'visitor' }, { $set: { state: 'failed', failure: '550 RCPT TO' }, $unset: { dueAt: '' } });
  const { submission = '' } = (await service.inquiries.findOne({ reference })) ?? {};
  expect((await anna('POST', `/inquiries/${reference}/erase`, { ifMatch: '"7"' })).status).toBe(412);
  const erased = await anna('POST', `/inquiries/${reference}/erase`, { ifMatch: '"1"' });
  expect([erased.status, erased.body.erased, erased.headers.get('etag')]).toEqual([200, true, '"2"']);
  expect(await tracesLeft(submission)).toEqual([]);
  expect(erased.body.mails.map(({ state }: { state: string }) => state)).toEqual(['cancelled', 'cancelled']);
  expect((await anna('POST', `/inquiries/${reference}/erase`, { ifMatch: '"2"' })).status).toBe(200);
  expect((await anna('POST', `/inquiries/${reference}/notes`, { body: { text: 'x' }, ifMatch: '*' })).status).toBe(409);
  expect(await service.audit.countDocuments({ reference, action: 'erase' })).toBe(1);
  expect((await service.send('GET', `/api/inquiries/${reference}`)).status).toBe(200);
  const instance = start(730);
  await instance.stop();
  expect(await readdir(service.mailDir).catch(() => [])).toEqual([]);
});

it('sends nothing of an inquiry that is erased while its mail is on the way', async () => {
  const { reference } = (await service.post(seeded)).body;
  const job = await service.outbox.claim();
  await service.erasure.erase({ reference, seen: '*', by: { id: 'x', name: 'x' } });
  expect(job && (await service.outbox.sent(job))).toBe(false);
  expect(await service.outbox.claim()).toBeNull();
});

it('sweeps mails of erased inquiries that another instance could not reach, and no other file', async () => {
  const { reference } = (await service.post(seeded)).body;
  await service.erasure.erase({ reference, seen: '*', by: { id: 'x', name: 'x' } });
  await mkdir(service.mailDir, { recursive: true });
  const open = (await service.post(seeded)).body.reference;
  for (const name of [`${reference}.office.eml`, `${reference}.visitor.123.new`, 'README.txt']) {
    await writeFile(path.join(service.mailDir, name), 'Seededmessage');
  }
  const instance = start(730);
  await until('swept', async () => !(await readdir(service.mailDir)).some((name) => name.startsWith(reference)));
  await until('written', async () => (await service.mails.countDocuments({ reference: open, state: 'sent' })) === 2);
  await instance.stop();
  expect((await readdir(service.mailDir)).toSorted()).toEqual([`${open}.office.eml`, `${open}.visitor.eml`, 'README.txt'].toSorted());
});

it('forgets windows of the limit when they have ended', async () => {
  await service.post(seeded, { 'x-forwarded-for': visitor });
  const collections = [service.db.collection('visitor-limits'), service.db.collection<{ _id: string }>('keys')] as const;
  // Of the sender, and of the address that is confirmed to.
  expect(await collections[0].countDocuments()).toBe(2);
  await collections[0].updateMany({}, { $set: { expiresAt: new Date(0) } });
  const instance = start(730);
  await until('forgotten', async () => (await collections[0].countDocuments()) === 0);
  await instance.stop();
});

it('keeps one promise: what visitors agree to ends when the privacy policy says', async () => {
  const text = (file: string) => readFile(new URL(`../../../../${file}`, import.meta.url), 'utf8');
  const [, period] = /^consent: .* until (.+)\.$/m.exec(await text('mfe-inquiry/content/inquiry.md')) ?? [];
  expect(period).toBeDefined();
  expect(await text('mfe-pages/content/privacy.md')).toContain(`Inquiries are deleted ${period}.`);
});
