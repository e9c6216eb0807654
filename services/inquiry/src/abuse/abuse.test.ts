import type { Request } from 'express';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { startTestService, type TestService, valid } from '../../fixtures/inquiry-service.ts';
import { referencePattern } from '../reference.ts';
import { FormTokens } from './form-token.ts';
import { visitorOf } from './visitor.ts';
import { VisitorWaits } from './visitor-waits.ts';

let service: TestService;
let other: TestService;
// A window that does not end in the middle of a test.
const visitors = { limit: 3, windowMs: 1e11, trustedPeers: [] };
beforeAll(async () => {
  const options = { mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_abuse_test', visitors };
  service = await startTestService(options);
  other = await startTestService(options);
});
beforeEach(() => service.clear());
afterAll(async () => {
  await other.close();
  await service.close();
});
const from = (address: string, key?: string) => ({ 'x-forwarded-for': address, ...(key && { 'idempotency-key': key }) });
const count = () => service.inquiries.countDocuments();

describe('the trap for robots', () => {
  it('answers as always and stores nothing', async () => {
    const { status, body } = await service.post({ ...valid, website: 'https://spam.example' });
    expect(status).toBe(201);
    expect(body).toEqual({ reference: expect.stringMatching(referencePattern) });
    expect([await count(), await service.mails.countDocuments()]).toEqual([0, 0]);
  });

  it('lets through who leaves it empty, and stores neither field', async () => {
    const startedAt = await new FormTokens(service.db, () => Date.now() - 10_000).create();
    expect((await service.post({ ...valid, website: '', startedAt })).status).toBe(201);
    const stored = await service.inquiries.findOne({});
    expect(stored).not.toHaveProperty('website');
    expect(stored).not.toHaveProperty('startedAt');
  });
});

describe('the age of a form', () => {
  it('makes one that was shown a moment ago wait, whichever instance it is sent to, and then takes it', async () => {
    const asked = performance.now();
    const { startedAt } = (await service.send('GET', '/api/inquiries/form-token')).body;
    expect((await other.post({ ...valid, startedAt })).status).toBe(201);
    expect(performance.now() - asked).toBeGreaterThan(950);
    expect(await count()).toBe(1);
    const later = new FormTokens(other.db, () => Date.now() + 2000);
    expect(await later.waitMs(startedAt)).toBe(0);
  });

  it('makes neither a repeated submit wait nor one over the limit', async () => {
    const wait = vi.spyOn(VisitorWaits.prototype, 'wait').mockResolvedValue();
    onTestFinished(() => wait.mockRestore());
    const visitor = from('192.0.2.6', 'form-1');
    for (let i = 0; i < 3; i++) await service.post(valid, i === 0 ? visitor : from('192.0.2.6'));
    wait.mockClear();
    expect((await service.post(valid, visitor)).status).toBe(201);
    expect((await service.post(valid, from('192.0.2.6'))).status).toBe(429);
    expect(wait).not.toHaveBeenCalled();
    expect(await count()).toBe(3);
    // The control.
    expect((await service.post(valid, from('192.0.2.9'))).status).toBe(201);
    expect(wait).toHaveBeenCalledOnce();
  });

  it('lets four of one visitor wait at a time, and the next four after them', async () => {
    const waits = new VisitorWaits();
    const visitors = [...Array<string>(10).fill('192.0.2.7'), '192.0.2.8', ...Array<undefined>(10).fill(undefined)];
    for (const _ of [1, 2]) {
      const ends = await Promise.allSettled(visitors.map((visitor) => waits.wait(visitor, 50)));
      const refused = ends.flatMap((end, i) => (end.status === 'rejected' ? { i, ...end.reason } : []));
      expect(refused).toMatchObject([4, 5, 6, 7, 8, 9].map((i) => ({ i, status: 429, headers: { 'Retry-After': '1' } })));
    }
  });

  it('is no reason to refuse one without a token, of another day, or of somebody else', async () => {
    const old = await new FormTokens(service.db, () => Date.now() - 90_000_000).create();
    const forged = `${Date.now().toString(36)}.${'A'.repeat(43)}`;
    for (const startedAt of [undefined, '', old, forged, 'x'.repeat(200)])
      expect((await service.post({ ...valid, startedAt })).status).toBe(201);
    expect((await service.post({ ...valid, startedAt: 1 })).status).toBe(422);
  });
});

describe('the limit per visitor', () => {
  it('is one for all instances, and says when to come back', async () => {
    for (const instance of [service, other, service]) expect((await instance.post(valid, from('192.0.2.1'))).status).toBe(201);
    const refused = await other.post(valid, from('192.0.2.1'));
    expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'application/problem+json']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(1e8);
    expect(await count()).toBe(3);
    expect((await service.post(valid, from('192.0.2.2'))).status).toBe(201);
  });

  it('holds for many at once, with the mails', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, (_, i) => (i % 2 ? service : other).post(valid, from('192.0.2.3'))));
    const stored = answers.filter(({ status }) => status === 201).length;
    expect(answers.filter(({ status }) => status !== 201 && status !== 429)).toEqual([]);
    expect(stored).toBe(3);
    expect([await count(), await service.mails.countDocuments()]).toEqual([3, 6]);
  });

  it('is what holds them: without it any number is stored', async () => {
    const open = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_no_limit_test' });
    const answers = await Promise.all(Array.from({ length: 12 }, () => open.post(valid, from('192.0.2.3'))));
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    await open.close();
  });

  it('counts neither a repeated submit nor a form with an error nor a robot', async () => {
    for (let i = 0; i < 6; i++) expect((await service.post(valid, from('192.0.2.4', 'form-1'))).status).toBe(201);
    for (let i = 0; i < 6; i++) expect((await service.post({ ...valid, name: '' }, from('192.0.2.4'))).status).toBe(422);
    for (let i = 0; i < 6; i++) expect((await service.post({ ...valid, website: 'x' }, from('192.0.2.4'))).status).toBe(201);
    for (let i = 0; i < 2; i++) expect((await service.post(valid, from('192.0.2.4'))).status).toBe(201);
    expect((await service.post(valid, from('192.0.2.4'))).status).toBe(429);
    // A repeated submit is still answered: it was stored.
    expect((await service.post(valid, from('192.0.2.4', 'form-1'))).status).toBe(201);
  });

  it('takes a /64 as one visitor, and has none where the shell speaks for itself', async () => {
    for (let i = 1; i <= 3; i++) expect((await service.post(valid, from(`2001:db8:1:2::${i}`))).status).toBe(201);
    expect((await service.post(valid, from('2001:db8:1:2:ffff::1'))).status).toBe(429);
    expect((await service.post(valid, from('2001:db8:1:3::1'))).status).toBe(201);
    for (let i = 0; i < 5; i++) expect((await service.post(valid)).status).toBe(201);
  });

  it('stores no address, and under another key in the next window', async () => {
    await service.post(valid, from('192.0.2.5'));
    const limits = await service.db.collection('visitor-limits').find().sort({ expiresAt: -1 }).toArray();
    // Of the sender, and of the address that is confirmed to.
    expect(limits).toHaveLength(2);
    for (const limit of limits) {
      expect(Object.keys(limit).toSorted()).toEqual(['_id', 'count', 'expiresAt']);
      expect(limit._id).toMatch(/^[0-9a-f]{64}$/);
    }
    const [stored] = limits;
    const [key] = await service.db
      .collection('keys')
      .find({ _id: /^visitor/ as never })
      .toArray();
    expect(key?.expiresAt).toEqual(stored?.expiresAt);
    expect(key?.expiresAt.getTime()).toBeLessThanOrEqual(Date.now() + 1e11);
  });
});

describe('who a visitor is', () => {
  const of = (peer: string, forwarded?: string, trusted: string[] = ['10.0.0.0/8', 'fd00::/8']) =>
    visitorOf(trusted)({ socket: { remoteAddress: peer }, get: () => forwarded } as unknown as Request);

  it.each([
    ['127.0.0.1', '203.0.113.1', '203.0.113.1'],
    ['::1', '203.0.113.1', '203.0.113.1'],
    ['::ffff:127.0.0.1', '198.51.100.9, 203.0.113.1', '203.0.113.1'],
    ['10.1.2.3', '::ffff:203.0.113.1', '203.0.113.1'],
    ['fd00::1', '2001:DB8:0:1::5', '2001:db8:0:1::/64'],
    ['127.0.0.1', '::1', '0:0:0:0::/64'],
    ['127.0.0.1', '2001:db8::', '2001:db8:0:0::/64'],
    ['127.0.0.1', undefined, undefined],
    ['127.0.0.1', 'unknown', undefined],
    ['192.0.2.9', '203.0.113.1', '192.0.2.9'],
    ['192.0.2.9', undefined, '192.0.2.9'],
    ['', '203.0.113.1', undefined],
  ])('from %s with %s is %s', (peer, forwarded, expected) => {
    expect(of(peer, forwarded)).toBe(expected);
  });
});
