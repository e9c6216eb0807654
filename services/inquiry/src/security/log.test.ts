/** What the log holds of a visitor: nothing, whatever is sent and whatever fails. */
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { startProcess } from '../../fixtures/inquiry-process.ts';
import { startTestService, type TestService } from '../../fixtures/inquiry-service.ts';

const seeded = {
  name: 'Seededname',
  email: 'seededmail@example.com',
  company: 'Seededcompany',
  category: 'other',
  message: 'Seededmessage\r\n{"level":"fatal","msg":"forged"}\u001b[31m',
  consent: true,
};
const trace = /seeded|203\.0\.113|forged|\\u001b/i;

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ mongodbAdminUri: inject('mongodbAdminUri'), database: 'inquiry_log_test' });
});
afterAll(() => service.close());

it('is one JSON object a line without a trace of what was sent, also where MongoDB refuses the document', async () => {
  const process = await startProcess({ INQUIRY_MONGODB_URI: service.uri, DATA_DIR: service.mailDir, LOG_LEVEL: 'trace' });
  const from = { 'x-forwarded-for': '203.0.113.77', 'user-agent': 'Seededagent', referer: 'https://seeded.example/', cookie: 'a=seeded' };
  const plain = { ...seeded, message: 'Seededmessage' };
  expect((await process.post(plain, { ...from, 'idempotency-key': 'seeded' })).status).toBe(201);
  for (const field of Object.keys(plain)) {
    for (const injected of ['Seeded\r\n{"level":"fatal","msg":"forged"}', '\u001b[2JSeeded', 'Seeded'.repeat(4000)]) {
      const { status } = await process.post({ ...plain, [field]: injected }, from);
      expect([201, 413, 422]).toContain(status);
    }
  }
  expect((await process.post('Seededtext', from)).status).toBe(400);
  const query = await fetch(`${process.base}/api/inquiries?seeded=1`, { headers: from });
  expect(query.status).toBe(405);

  // The database's own check says in its error which value it found: as if a release had another idea of a name.
  await service.db.command({ collMod: 'inquiries', validator: { $jsonSchema: { properties: { name: { maxLength: 1 } } } } });
  expect((await process.post(plain, from)).status).toBe(500);
  await process.end('SIGTERM');

  const lines = process.log().trim().split('\n');
  expect(lines.length).toBeGreaterThan(20);
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), time: expect.any(String) });
  expect(lines.filter((line) => line.includes('"status":500')).length).toBeGreaterThan(0);
  expect(lines.filter((line) => trace.test(line))).toEqual([]);
});

it('would find what somebody wrote into it', () => {
  const careless = JSON.stringify({ level: 'info', msg: `inquiry of ${seeded.name}` });
  expect(trace.test(careless)).toBe(true);
  expect(trace.test(JSON.stringify({ msg: seeded.message }))).toBe(true);
});
