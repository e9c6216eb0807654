import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '../support/test.ts';

const logDir = path.join(import.meta.dirname, '../.data/logs');
const seeded = {
  name: 'Seededname',
  email: 'seededmail@example.com',
  company: 'Seededcompany',
  category: 'other',
  message: 'Seededmessage\r\n{"level":"fatal","msg":"forged"}\u001b[31m',
};
const trace = /seeded|203\.0\.113\.77|forged|\\u001b/i;

const read = () =>
  readdirSync(logDir)
    .filter((file) => file.endsWith('.log'))
    .flatMap((file) =>
      readFileSync(path.join(logDir, file), 'utf8')
        .trim()
        .split('\n')
        .map((line) => ({ file, line })),
    );

test('no log of the site holds what a visitor sent, and each line is one JSON object', async ({ page, open, request }) => {
  await open('/inquiry');
  for (const name of ['name', 'email', 'company'] as const) await page.fill(`[name=${name}]`, seeded[name]);
  await page.fill('[name=message]', 'Seededmessage');
  await page.selectOption('[name=category]', seeded.category);
  await page.check('[name=consent]');
  await page.click('form button[type=submit]');
  await expect(page.locator('[data-reference]')).toBeVisible();

  const headers = {
    'X-Forwarded-For': '203.0.113.77',
    Forwarded: 'for=203.0.113.77',
    'User-Agent': 'Seededagent',
    Referer: 'https://seeded.example/?a=seeded',
    Cookie: 'a=seeded',
    'Accept-Language': 'seeded',
  };
  const answers = [
    await request.post('/inquiry', { form: seeded, headers, maxRedirects: 0 }),
    await request.post('/inquiry', { form: { ...seeded, consent: 'on' }, headers: { ...headers, Origin: 'https://seeded.example' } }),
    await request.post('/inquiry', { form: { ...seeded, message: 'Seededmessage', consent: 'on' }, headers, maxRedirects: 0 }),
    await request.post('/api/inquiries', { data: { ...seeded, consent: true }, headers }),
    await request.post('/api/inquiries', {
      data: Buffer.from('{"name":"Seeded'),
      headers: { ...headers, 'Content-Type': 'application/json' },
    }),
    await request.get('/inquiry?name=Seededname&reference=Seeded%0d%0aforged', { headers }),
    await request.get('/news?q=Seededname', { headers }),
    await request.get('/news?page=Seeded', { headers }),
  ];
  expect(answers.map((answer) => answer.status())).toEqual([422, 403, 303, 422, 400, 200, 200, 404]);

  // How far each of them came. Every process writes its lines in batches of its own.
  const reached = ['shell', 'gateway', 'inquiry', 'inquiry', 'inquiry', 'inquiry', 'gateway', 'shell'];
  const awaited = answers.flatMap((answer, i) =>
    ['gateway', reached[i]].map((log) => ({ file: `${log}.log`, id: answer.headers()['x-request-id'] as string })),
  );
  const missing = () => {
    const written = read();
    return awaited.filter(({ file, id }) => !written.some((each) => each.file === file && each.line.includes(id)));
  };
  await expect.poll(missing).toEqual([]);
  const lines = read();
  expect(new Set(lines.map(({ file }) => file))).toEqual(
    new Set(['gateway.log', 'inquiry.log', 'mongod.log', 'news.log', 'registry.log', 'shell.log']),
  );
  for (const { file, line } of lines) expect(JSON.parse(line), `${file}: ${line}`).toBeInstanceOf(Object);
  expect(lines.filter(({ line }) => trace.test(line))).toEqual([]);
  // It would have been found.
  expect(trace.test(JSON.stringify({ msg: `inquiry of ${seeded.name}` }))).toBe(true);
});
