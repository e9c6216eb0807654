/** Mails of several real processes, one of them killed in the middle. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, it } from 'vitest';
import { type InquiryProcess, startProcess } from '../../fixtures/inquiry-process.ts';
import { startTestService, type TestService, until, valid } from '../../fixtures/inquiry-service.ts';
import { startSmtpServer } from '../../fixtures/smtp-server.ts';

let service: TestService;
let dataDir: string;
const processes: InquiryProcess[] = [];

beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_processes_test' });
  dataDir = await mkdtemp(path.join(tmpdir(), 'colonnade-inquiry-'));
});
beforeEach(() => service.clear());
afterEach(async () => {
  await Promise.all(processes.splice(0).map((process) => process.end('SIGKILL')));
});
afterAll(async () => {
  await service.close();
  await rm(dataDir, { recursive: true, force: true });
});

const start = async (env: Record<string, string>) => {
  const started = await startProcess({ INQUIRY_MONGODB_URI: service.uri, DATA_DIR: dataDir, MAIL_RETRY_MS: '50', ...env });
  processes.push(started);
  return started;
};
const mailSettings = (url: string) => ({
  SMTP_URL: url,
  MAIL_FROM: 'Nollvik <inquiry@nollvik.example>',
  MAIL_TO: 'office@nollvik.example',
});

it('sends 50 mails of two instances once each', async () => {
  const server = await startSmtpServer();
  const two = await Promise.all([start(mailSettings(server.url)), start(mailSettings(server.url))]);
  await Promise.all(Array.from({ length: 25 }, (_, i) => two[i % 2]?.post({ ...valid, email: `visitor${i}@example.com` })));
  await until('all sent', async () => (await service.mails.countDocuments({ state: 'sent' })) === 50);
  expect(server.received).toHaveLength(50);
  expect(new Set(server.received.map(({ headers }) => headers['message-id'])).size).toBe(50);
  await until('both had their part in it', () => two.every(({ log }) => log().includes('"msg":"mail sent"')));
  await server.close();
});

it('loses nothing where a process is killed in the middle, and says by its Message-ID what came twice', async () => {
  const killed = Promise.withResolvers<void>();
  const server = await startSmtpServer({ beforeAnswer: () => (server.received.length > 5 ? killed.promise : undefined) });
  const settings = { ...mailSettings(server.url), MAIL_LEASE_MS: '1000' };
  const first = await start(settings);
  const references: string[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, i) => {
      const { status, body } = await first.post({ ...valid, email: `visitor${i}@example.com` });
      if (status === 201) references.push(body.reference);
    }),
  );
  await until('some are sent', () => server.received.length > 5);
  await first.end('SIGKILL');
  killed.resolve();
  const sentBefore = server.received.length;
  expect(sentBefore).toBeLessThan(40);
  await start(settings);
  await until('all sent', async () => (await service.mails.countDocuments({ state: 'sent' })) === 40);
  const expected = references.flatMap((reference) => ['office', 'visitor'].map((kind) => `<${reference}.${kind}@nollvik.example>`));
  const ids = server.received.map(({ headers }) => headers['message-id']);
  expect([...new Set(ids)].toSorted()).toEqual(expected.toSorted());
  // Those that were on their way when the process died, at most.
  expect(ids.length - 40).toBeLessThanOrEqual(4);
  await server.close();
});

it('begins no mail while it drains', async () => {
  const server = await startSmtpServer();
  const ending = await start(mailSettings(server.url));
  // The control: until then it sends what another process takes in.
  await service.post(valid);
  await until('its mails are sent', async () => (await service.mails.countDocuments({ state: 'sent' })) === 2);
  // It has to be answered before the process can end.
  const headers = { 'content-type': 'application/json', 'content-length': 2, expect: '100-continue' };
  const slow = request(`${ending.base}/api/inquiries`, { method: 'POST', headers });
  slow.flushHeaders();
  await once(slow, 'continue');
  const ended = ending.end('SIGTERM');
  await until('draining', () => ending.log().includes('"msg":"shutting down"'));
  await service.post(valid);
  // Longer than a worker takes to look.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  slow.end('{}');
  await ended;
  expect(server.received).toHaveLength(2);
  expect(await service.mails.countDocuments({ state: 'pending', attempts: 0 })).toBe(2);
  await server.close();
});

it('logs nothing of a visitor, whatever goes wrong', async () => {
  const server = await startSmtpServer({ refuse: (to) => (to.startsWith('seeded') ? { at: 'RCPT', code: 550 } : undefined) });
  const process = await start({ ...mailSettings(server.url), INQUIRY_LIMIT: '2', LOG_LEVEL: 'trace' });
  const seeded = {
    name: 'Seededname',
    email: 'seededmail@example.com',
    company: 'Seededcompany',
    category: 'other',
    message: 'Seededmessage',
    consent: true,
  };
  const visitor = { 'x-forwarded-for': '203.0.113.77' };
  expect((await process.post(seeded, visitor)).status).toBe(201);
  expect((await process.post({ ...seeded, website: 'https://seeded.example' }, visitor)).status).toBe(201);
  expect((await process.post({ ...seeded, category: 'Seededcategory' }, visitor)).status).toBe(422);
  expect((await process.post(seeded, visitor)).status).toBe(201);
  expect((await process.post(seeded, visitor)).status).toBe(429);
  await until('given up', async () => (await service.mails.countDocuments({ state: 'failed' })) === 2);
  await until('told', () => process.log().includes('mail given up'));
  expect(process.log()).toContain('"code":"550 RCPT TO"');
  expect(process.log()).not.toMatch(/seeded|203\.0\.113/i);
  await server.close();
});
