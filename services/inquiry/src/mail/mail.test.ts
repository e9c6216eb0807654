import { readdir, readFile, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { parseContent } from '@colonnade/content/front-matter';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import schemas from '../../content/schema.ts';
import { startTestService, type TestService, until, valid } from '../../fixtures/inquiry-service.ts';
import { parseMail, startSmtpServer } from '../../fixtures/smtp-server.ts';
import { type Background, startBackground } from '../background.ts';
import { readMailbox } from './address.ts';
import type { MailSettings } from './compose.ts';
import { Outbox } from './outbox.ts';
import { startMailWorker } from './worker.ts';

let service: TestService;
const open: { stop?(): Promise<unknown>; close?(): Promise<unknown> }[] = [];

beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_mail_test' });
});
beforeEach(() => service.clear());
afterEach(async () => {
  for (const { stop, close } of open.splice(0).reverse()) await (stop ?? close)?.();
});
afterAll(() => service.close());

const settings: MailSettings = {
  from: { name: 'Nollvik', address: 'inquiry@nollvik.example' },
  responsible: (category) => ({ name: '', address: category === 'repair' ? 'workshop@nollvik.example' : 'office@nollvik.example' }),
};
function background(smtpUrl?: string, outbox = service.outbox): Background {
  const started = startBackground({
    ...service,
    outbox,
    mail: { ...settings, smtpUrl, dir: service.mailDir },
    retention: { days: 730, checkMs: 3_600_000 },
    database: service.database,
  });
  open.push(started);
  return started;
}
async function smtp(options?: Parameters<typeof startSmtpServer>[0]) {
  const server = await startSmtpServer(options);
  open.push(server);
  return server;
}
const states = async () => (await service.mails.find().sort({ _id: 1 }).toArray()).map(({ state }) => state);
const metrics = async () => (await service.send('GET', '/metrics')).text;

describe('over SMTP', () => {
  it('goes once to the office and once to the visitor', async () => {
    const server = await smtp();
    background(server.url);
    const { reference } = (await service.post(valid)).body;
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    const [office, visitor] = server.received.toSorted((a, b) => (a.to < b.to ? 1 : -1));
    expect(server.received).toHaveLength(2);
    expect(office).toMatchObject({ from: 'inquiry@nollvik.example', to: 'office@nollvik.example' });
    expect(office?.headers).toMatchObject({
      from: 'Nollvik <inquiry@nollvik.example>',
      'reply-to': 'hanako@example.com',
      'message-id': `<${reference}.office@nollvik.example>`,
      subject: `[${reference}] Inquiry: Calibration`,
      'auto-submitted': 'auto-generated',
    });
    for (const words of ['山田 花子', 'Yamada', valid.message]) expect(office?.text).toContain(words);
    expect(visitor).toMatchObject({ from: 'inquiry@nollvik.example', to: 'hanako@example.com' });
    expect(visitor?.headers).toMatchObject({
      from: 'Nollvik <inquiry@nollvik.example>',
      'reply-to': 'office@nollvik.example',
      'message-id': `<${reference}.visitor@nollvik.example>`,
      'auto-submitted': 'auto-replied',
    });
    expect(visitor?.text).toContain(`Reference: ${reference}`);
    expect(visitor?.text).toContain(`受付番号: ${reference}`);
    // It would carry anybody's words to anybody.
    for (const words of ['山田', 'Yamada', 'How long']) expect(visitor?.text).not.toContain(words);
  });

  it('goes to whoever answers the category', async () => {
    const server = await smtp();
    background(server.url);
    await service.post({ ...valid, category: 'repair' });
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    expect(server.received.map(({ to }) => to).toSorted()).toEqual(['hanako@example.com', 'workshop@nollvik.example']);
  });

  it('confirms to one address three times a day, however it is written; the office gets and sees every inquiry', async () => {
    // A day that does not end in the middle of the test.
    vi.useFakeTimers({ toFake: ['Date'], now: new Date().setUTCHours(12) });
    onTestFinished(() => void vi.useRealTimers());
    const server = await smtp();
    background(server.url);
    const to = (who: string) => server.received.filter((mail) => mail.to.toLowerCase() === who).length;
    const settled = () => until('settled', async () => (await service.mails.countDocuments({ dueAt: { $exists: true } })) === 0);
    const spellings = ['hanako@example.com', 'Hanako@Example.com', 'HANAKO@EXAMPLE.COM', 'hanako@EXAMPLE.com', 'hanakO@example.com'];
    const answers = await Promise.all([...spellings, 'taro@example.com'].map((email) => service.post({ ...valid, email })));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(201));
    const fourth = await service.post(valid);
    await settled();
    expect([to('hanako@example.com'), to('taro@example.com'), to('office@nollvik.example')]).toEqual([3, 1, 7]);
    const { body: seen } = await (await service.staff('office'))('GET', `/inquiries/${fourth.body.reference}`);
    expect([seen.mails[0].state, seen.mails[1].state, seen.mails[1].sentAt]).toEqual(['sent', 'cancelled', null]);
    vi.setSystemTime(Date.now() + 86_400_000);
    await service.post(valid);
    await settled();
    expect(to('hanako@example.com')).toBe(4);
  });

  it('arrives later where the server is away', async () => {
    const away = await startSmtpServer();
    await away.close();
    const worker = background(away.url);
    await service.post(valid);
    worker.wake();
    await until('tried in vain', async () => (await service.mails.countDocuments({ failure: { $exists: true } })) === 2);
    expect(await metrics()).toMatch(/inquiry_outbox_mails\{state="pending",service="test"\} 2/);
    expect(await metrics()).toMatch(/inquiry_outbox_oldest_pending_seconds\{service="test"\} [0-9.e-]+/);
    const back = await smtp({ port: away.port });
    // The back-off of a long silence is not waited for here.
    await service.mails.updateMany({}, { $set: { attempts: 1, state: 'pending', dueAt: new Date() } });
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    expect(back.received).toHaveLength(2);
  });

  it('is tried again after 4xx', async () => {
    let times = 0;
    const server = await smtp({ refuse: (to) => (to.startsWith('hanako') && ++times <= 2 ? { at: 'RCPT', code: 451 } : undefined) });
    background(server.url);
    await service.post(valid);
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    expect(server.received).toHaveLength(2);
    expect(await service.mails.findOne({ kind: 'visitor' })).toMatchObject({ attempts: 3, state: 'sent' });
  });

  it('is sent once where the server has it and says so much later than the lease of a dead worker ends', async () => {
    const answer = Promise.withResolvers<void>();
    const server = await smtp({ beforeAnswer: () => answer.promise });
    const leaseMs = 1000;
    // The clock stands while a renewal is waited for: on no machine does a lease end before it.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const workers = [1, 2].map(() => background(server.url, new Outbox(service.db, { ...service.outbox.options, leaseMs })));
    await service.post(valid);
    for (const worker of workers) worker.wake();
    await until('both with the server', () => server.received.length === 2);
    for (const _ of Array(6)) {
      vi.setSystemTime(Date.now() + leaseMs / 2);
      for (const worker of workers) worker.wake();
      const renewed = { state: 'sending', dueAt: new Date(Date.now() + leaseMs) } as const;
      await until('both renewed', async () => (await service.mails.countDocuments(renewed)) === 2);
    }
    answer.resolve();
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    expect(server.received).toHaveLength(2);
    expect(await service.mails.countDocuments({ attempts: 1 })).toBe(2);
  });

  it('waits for the server as long as it may think: ten minutes, here at a hundredth', async () => {
    const server = await smtp({ beforeAnswer: () => new Promise((resolve) => setTimeout(resolve, 1500)) });
    const { setTimeout: silence } = Socket.prototype;
    const spy = vi.spyOn(Socket.prototype, 'setTimeout').mockImplementation(function (this: Socket, timeoutMs, listener) {
      return silence.call(this, this.remotePort === server.port ? timeoutMs / 100 : timeoutMs, listener);
    });
    onTestFinished(() => spy.mockRestore());
    background(server.url);
    await service.post(valid);
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    expect(server.received).toHaveLength(2);
  });

  it('does not wait for another that the server is slow to take', async () => {
    const answer = Promise.withResolvers<void>();
    const server = await smtp({ beforeAnswer: () => (server.received.length <= 3 ? answer.promise : undefined) });
    background(server.url);
    for (const _ of [1, 2, 3]) await service.post(valid);
    await until('others sent', async () => (await service.mails.countDocuments({ state: 'sent' })) === 3);
    expect(await service.mails.countDocuments({ state: 'sending' })).toBe(3);
    answer.resolve();
    await until('all sent', async () => (await service.mails.countDocuments({ state: 'sent' })) === 6);
  });

  it.each(['RCPT', 'DATA'] as const)('is given up after 5xx to %s, visibly, and sent again when somebody says so', async (at) => {
    let broken = true;
    const server = await smtp({ refuse: (to) => (broken && to.startsWith('hanako') ? { at, code: 550 } : undefined) });
    background(server.url);
    const { reference } = (await service.post(valid)).body;
    await until('settled', async () => (await states()).join() === 'sent,failed');
    const staff = await service.staff('office');
    const listed = (await staff('GET', '/inquiries')).body;
    expect(listed.items[0].mails).toEqual({ office: 'sent', visitor: 'failed' });
    const shown = await staff('GET', `/inquiries/${reference}`);
    expect(shown.body.mails[1]).toMatchObject({ kind: 'visitor', state: 'failed', attempts: 1, failure: expect.stringMatching(/^550 /) });
    expect(shown.text.match(/hanako/g)).toHaveLength(1);
    expect(await metrics()).toMatch(/inquiry_outbox_mails\{state="failed",service="test"\} 1/);

    broken = false;
    const etag = shown.headers.get('etag') ?? '';
    expect((await staff('POST', `/inquiries/${reference}/mails/office/resend`, { ifMatch: etag })).status).toBe(409);
    expect((await staff('POST', `/inquiries/${reference}/mails/visitor/resend`, { ifMatch: etag })).status).toBe(200);
    await until('sent', async () => (await states()).join() === 'sent,sent');
    expect(server.received.map(({ to }) => to)).toEqual(['office@nollvik.example', 'hanako@example.com']);
  });

  it('is given up after 5xx only where that is about the visitor’s address; to the office never', async () => {
    const refusals = [
      [550, '5.1.1 <x@y.example>: Recipient address rejected: User unknown', 'failed'],
      [552, '5.2.2 Mailbox full', 'failed'],
      [554, '5.2.1 Mailbox disabled', 'failed'],
      [553, 'No such name', 'failed'],
      [554, '5.7.1 <mail.example[192.0.2.1]>: Client host rejected: Access denied', 'pending'],
      [553, '5.7.1 <a@b.example>: Sender address rejected: not owned by user', 'pending'],
      [554, '5.7.1 <x@y.example>: Relay access denied', 'pending'],
      [550, '5.1.0 <a@b.example>: Sender address rejected: User unknown in local recipient table', 'pending'],
      [550, '5.1.8 <a@b.example>: Sender address rejected: Domain not found', 'pending'],
      [504, '5.5.2 <mail>: Helo command rejected: need fully-qualified hostname', 'pending'],
      [554, 'Transaction failed', 'pending'],
    ] as const;
    const server = await smtp({
      refuse: (to) => {
        const [code, words] = refusals[Number(/\d+/.exec(to)?.[0] ?? 0)] ?? refusals[0];
        return { at: 'RCPT', code, words };
      },
    });
    const references: string[] = [];
    for (const i of refusals.keys()) references.push((await service.post({ ...valid, email: `visitor${i}@example.com` })).body.reference);
    background(server.url, new Outbox(service.db, { ...service.outbox.options, retryMs: 3_600_000 }));
    const count = refusals.length;
    await until('all tried', async () => (await service.mails.countDocuments({ failure: { $exists: true } })) === 2 * count);
    expect(await service.mails.countDocuments({ kind: 'office', state: 'pending', failure: '550 RCPT TO' })).toBe(count);
    for (const [i, [code, words, state]] of refusals.entries()) {
      const mail = await service.mails.findOne({ _id: `${references[i]}.visitor` });
      expect(mail, words).toMatchObject({ state, failure: `${code} RCPT TO` });
    }
  });

  it('is given up after the last attempt', async () => {
    const server = await smtp({ refuse: () => ({ at: 'RCPT', code: 451 }) });
    background(server.url);
    await service.post(valid);
    await service.mails.updateMany({}, { $set: { attempts: 4 } });
    await until('given up', async () => (await states()).join() === 'failed,failed');
    expect(await service.mails.countDocuments({ attempts: 5, dueAt: { $exists: false } })).toBe(2);
  });

  it('has no header that a visitor wrote', async () => {
    const server = await smtp();
    background(server.url);
    for (const injected of ['a\r\nBcc: x@y.example', 'a\nBcc: x@y.example', 'a\rBcc: x@y.example', 'a\u0085Bcc: x@y.example'])
      for (const field of ['name', 'email', 'company']) expect((await service.post({ ...valid, [field]: injected })).status).toBe(422);
    // What no control character is needed for: line separators, encoded words, another recipient.
    const strange = { name: 'A\u2028Bcc: x@y.example', company: '=?utf-8?q?=0D=0ABcc:_x@y.example?=', message: 'To: x@y.example\n.\nQUIT' };
    await service.post({ ...valid, ...strange, email: "o'hara+x@example.com" });
    await until('both sent', async () => (await states()).join() === 'sent,sent');
    for (const { headers } of server.received) {
      expect(Object.keys(headers).toSorted()).toEqual([
        'auto-submitted',
        'content-transfer-encoding',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'reply-to',
        'subject',
        'to',
      ]);
      expect(JSON.stringify(headers)).not.toContain('x@y.example');
    }
    expect(server.received.map(({ to }) => to).toSorted()).toEqual(["o'hara+x@example.com", 'office@nollvik.example']);
    expect(server.received.find(({ to }) => to.startsWith('office'))?.text).toContain('To: x@y.example\n.\nQUIT');
  });
});

it('confirms in the words of the content file, which can name nothing that a visitor wrote', async () => {
  background();
  const { reference } = (await service.post(valid)).body;
  await until('both written', async () => (await states()).join() === 'sent,sent');
  const { text } = parseMail(await readFile(path.join(service.mailDir, `${reference}.visitor.eml`), 'utf8'));
  const file = await readFile(new URL('../../content/confirmation.md', import.meta.url), 'utf8');
  const { data } = parseContent(schemas.confirmation, file, 'confirmation.md');
  const words = data.text.split('\n').filter((line) => !line.includes('{'));
  expect(text.split('\n').filter((line) => words.includes(line))).toEqual(words);
  expect(text).not.toMatch(/[{}]/);

  const mistake = (from: string, to: string) => () => parseContent(schemas.confirmation, file.replaceAll(from, to), 'confirmation.md');
  expect(mistake('{received}', '{name}')).toThrow(/^confirmation\.md:6: text: only \{reference\}/);
  expect(mistake('{reference} /', '/')).toThrow('confirmation.md:5: subject: has to name the {reference}');
});

it('is written into a folder where there is no server', async () => {
  background();
  const { reference } = (await service.post(valid)).body;
  await until('both written', async () => (await states()).join() === 'sent,sent');
  expect((await readdir(service.mailDir)).toSorted()).toEqual([`${reference}.office.eml`, `${reference}.visitor.eml`]);
  const file = path.join(service.mailDir, `${reference}.office.eml`);
  expect(parseMail(await readFile(file, 'utf8')).text).toContain(valid.message);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

it('is tried again where the lease of a dead worker has ended, and not before', async () => {
  const { reference } = (await service.post(valid)).body;
  const taken = await service.outbox.claim();
  await service.outbox.claim();
  expect(await service.outbox.claim()).toBeNull();
  await service.mails.updateMany({}, { $set: { dueAt: new Date(Date.now() - 1) } });
  background();
  await until('both sent', async () => (await states()).join() === 'sent,sent');
  // The dead worker comes back to life: its word no longer counts.
  expect(taken && (await service.outbox.sent(taken))).toBe(false);
  expect(await service.mails.findOne({ _id: `${reference}.office` })).toMatchObject({ attempts: 2 });
});

it('is removed where its inquiry was erased while it was sent, and kept where another instance has it by now', async () => {
  const tooLate: string[] = [];
  async function sendWhile(happens: (reference: string) => Promise<unknown>): Promise<string> {
    const { reference } = (await service.post(valid)).body;
    await service.mails.deleteOne({ reference, kind: 'visitor' });
    const deliver = vi.fn(async () => void (await happens(reference)));
    const worker = startMailWorker({
      ...service,
      settings,
      transport: { deliver },
      onTooLate: async (late) => void tooLate.push(late),
    });
    await until('delivered', () => deliver.mock.calls.length > 0);
    await worker.stop();
    return reference;
  }
  await sendWhile((reference) => service.mails.updateMany({ reference }, { $set: { lease: 'of another' } }));
  expect(tooLate).toEqual([]);
  await service.mails.deleteMany({});
  const by = { id: '0123456789ab', name: 'Anna' };
  const erased = await sendWhile((reference) => service.erasure.erase({ reference, seen: '*', by }));
  expect(tooLate).toEqual([erased]);
});

it('tells once that the database is away, however many mails are under way', async () => {
  for (const _ of [1, 2]) await service.post(valid);
  const answer = Promise.withResolvers<void>();
  const deliver = vi.fn(() => answer.promise);
  const warn = vi.fn();
  const log = Object.assign(Object.create(service.log), { warn });
  const worker = startMailWorker({ ...service, log, settings, transport: { deliver }, onTooLate: async () => {} });
  open.push(worker);
  await until('four under way', () => deliver.mock.calls.length === 4);
  const claim = vi.spyOn(service.outbox, 'claim').mockRejectedValue(new Error('away'));
  const sent = vi.spyOn(service.outbox, 'sent').mockRejectedValue(new Error('away'));
  onTestFinished(() => {
    claim.mockRestore();
    sent.mockRestore();
  });
  answer.resolve();
  await until('looked again and again', () => {
    worker.wake();
    return claim.mock.calls.length >= 12;
  });
  expect(sent).toHaveBeenCalledTimes(4);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('takes the next mails as soon as others have ended, and ends when those under way have', async () => {
  const { reference } = (await service.post(valid)).body;
  const mail = await service.mails.findOneAndDelete({ reference, kind: 'office' });
  await service.mails.deleteMany({});
  // At four a second they would take longer than is waited for.
  if (mail) await service.mails.insertMany(Array.from({ length: 100 }, (_, i) => ({ ...mail, _id: `${reference}.${i}` })));
  const last = Promise.withResolvers<void>();
  let four = Promise.withResolvers<void>();
  const deliver = vi.fn(() => {
    const count = deliver.mock.calls.length;
    if (count > 96) return last.promise;
    const { promise, resolve } = four;
    if (count % 4 === 0) {
      four = Promise.withResolvers();
      resolve();
    }
    return promise;
  });
  const sent = vi.spyOn(service.outbox, 'sent');
  onTestFinished(() => sent.mockRestore());
  const worker = startMailWorker({ ...service, settings, transport: { deliver }, onTooLate: async () => {} });
  open.push(worker);
  await until('the last four under way', () => deliver.mock.calls.length === 100);
  const stopped = worker.stop();
  last.resolve();
  await stopped;
  expect(sent.mock.settledResults.filter(({ type, value }) => type === 'fulfilled' && value)).toHaveLength(100);
});

it.each([
  ['office@nollvik.example', { name: '', address: 'office@nollvik.example' }],
  ['Nollvik Instrument AB <office@nollvik.example>', { name: 'Nollvik Instrument AB', address: 'office@nollvik.example' }],
  ['"Nollvik, Office" <office@nollvik.example>', { name: 'Nollvik, Office', address: 'office@nollvik.example' }],
  ['office', undefined],
  ['a@b.example, c@d.example', undefined],
  ['Nollvik <a@b.example>\r\nBcc: c@d.example', undefined],
])('reads %j as an address of the settings', (text, expected) => {
  expect(readMailbox(text)).toEqual(expected);
});
