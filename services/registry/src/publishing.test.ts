import { connect, type Socket } from 'node:net';
import type { Release } from '@colonnade/mfe/release';
import { integrityOf } from '@colonnade/release/files';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { type Built, begin, build, complete, keyringOf, publish, putFile, team } from '../fixtures/release.ts';
import { type Service, startInstance, startService } from '../fixtures/service.ts';

const news = team('News', 'mfe-news', 'mfe-other');
const inquiry = team('Inquiry', 'mfe-inquiry');
const revoked = { ...team('Old', '*') };
const stranger = team('Stranger', '*');
const revokedKey = { ...revoked.key, revokedAt: '2026-11-20T00:00:00Z' };

let service: Service;
let ask: Service['ask'];
beforeAll(async () => {
  service = await startService(inject('mongodbAdminUri'), 'registry_publishing_test');
  ask = service.ask;
  const { putKeyring } = await service.staff();
  expect((await begin(ask, news.sign(build('mfe-news', '1.0.0').bytes))).body.code).toBe('no-keyring');
  expect((await putKeyring(keyringOf(1, news.key, inquiry.key, revokedKey))).status).toBe(201);
});
afterAll(() => service.close());

const absent = async ({ manifest: { name, version } }: Built) => {
  expect((await ask(`/releases/${name}/${version}`)).status).toBe(404);
  expect((await ask(`/releases?name=${name}`)).body.items.map((item: { version: string }) => item.version)).not.toContain(version);
};

it('publishes a release: its files, then itself, which can be read as it was signed', async () => {
  const built = build('mfe-news', '1.0.0');
  const signed = news.sign(built.bytes);
  const begun = await begin(ask, signed);
  expect(begun).toMatchObject({ status: 201, body: { upload: expect.any(String) } });
  expect(begun.body.missing.map(({ path }: { path: string }) => path)).toEqual(Object.keys(built.files));
  await absent(built);
  expect((await publish(ask, news, built)).status).toBe(201);
  expect((await ask('/releases/mfe-news/1.0.0')).body).toEqual(signed);
  expect((await ask('/releases?name=mfe-news')).body.items).toEqual([
    {
      ...{ name: 'mfe-news', version: '1.0.0', publishedAt: expect.any(String), team: 'News', keyId: news.key.id },
      ...{ files: 4, bytes: expect.any(Number), keyRevoked: false },
    },
  ]);
  for (const [path, bytes] of Object.entries(built.files)) {
    const { status, headers, body } = await ask(`/releases/mfe-news/1.0.0/files/${path}`);
    expect([status, body, headers.get('cache-control')]).toEqual([200, bytes.toString(), 'public, max-age=31536000, immutable']);
  }
  expect((await ask('/releases/mfe-news/1.0.0/files/client/none.js')).status).toBe(404);
});

it('takes the same bytes of a version again, and refuses others', async () => {
  const built = build('mfe-news', '1.1.0');
  expect((await publish(ask, news, built)).status).toBe(201);
  expect(await publish(ask, news, built)).toMatchObject({ status: 200, body: { exists: true } });
  const other = await publish(ask, news, build('mfe-news', '1.1.0', '/elsewhere'));
  expect(other).toMatchObject({ status: 409, body: { code: 'version-taken', detail: expect.stringContaining('new version') } });
});

it('asks only for bytes that it does not have', async () => {
  const { body } = await begin(ask, news.sign(build('mfe-news', '1.2.0').bytes));
  expect(body.missing.map(({ path }: { path: string }) => path)).not.toContain('client/page.css');
});

it('lets one of two publishers of one version win, whole', async () => {
  const [one, two] = [build('mfe-news', '2.0.0', '/one'), build('mfe-news', '2.0.0', '/two')];
  const answers = await Promise.all([publish(ask, news, one), publish(ask, news, two)]);
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const winner = answers[0]?.status === 201 ? one : two;
  expect((await ask('/releases/mfe-news/2.0.0')).body.manifest).toBe(winner.bytes.toString('base64'));
  const same = build('mfe-news', '2.1.0');
  const uploads = await Promise.all([1, 2].map(async () => (await begin(ask, news.sign(same.bytes))).body.upload as string));
  for (const [path, bytes] of Object.entries(same.files)) await Promise.all(uploads.map((upload) => putFile(ask, upload, path, bytes)));
  const completed = await Promise.all(uploads.map((upload) => complete(ask, upload)));
  expect(completed.map(({ status }) => status).toSorted()).toEqual([200, 201]);
});

it.each([
  [
    'a tampered byte',
    () => ({ ...news.sign(build('mfe-news', '3.0.0').bytes), manifest: build('mfe-news', '3.0.1').bytes.toString('base64') }),
    403,
    'bad-signature',
  ],
  ["another team's key", () => inquiry.sign(build('mfe-news', '3.0.0').bytes), 403, 'key-not-for-mfe'],
  ['an unknown key', () => stranger.sign(build('mfe-news', '3.0.0').bytes), 403, 'unknown-key'],
  ['a revoked key', () => revoked.sign(build('mfe-news', '3.0.0').bytes), 403, 'revoked-key'],
  ['no JSON', () => news.sign(Buffer.from('{')), 422, 'bad-manifest'],
])('refuses %s', async (_what, sign, status, code) => {
  const answer = await begin(ask, sign());
  expect(answer).toMatchObject({ status, body: { code, detail: expect.any(String), requestId: expect.any(String) } });
  await absent(build('mfe-news', '3.0.0'));
});

const routes = (change: Partial<Release['routes'][number]>) => (m: Release) => ({
  ...m,
  routes: m.routes.map((route) => ({ ...route, ...change })),
});
const withFile = (path: string, integrity: string) => (m: Release) => ({ ...m, files: { ...m.files, [path]: integrity } });

it.each<[string, (manifest: Release) => object, number, string]>([
  ['a missing hash', (m) => ({ ...m, files: { 'server/remote.cjs': m.files['server/remote.cjs'] } }), 422, 'missing-hash'],
  ['a missing hash of what is imported later', routes({ files: { js: [], css: [], later: ['client/later.js'] } }), 422, 'missing-hash'],
  ['a hash that is none', withFile('client/a.js', 'sha384-x'), 422, 'bad-hash'],
  ['a hash of another kind', withFile('client/a.js', 'md5-x'), 422, 'bad-hash'],
  ['an escaping path', withFile('client/../../a.js', integrityOf(Buffer.from('a'))), 422, 'bad-path'],
  ['an absolute path', withFile('/etc/passwd', integrityOf(Buffer.from('a'))), 422, 'bad-path'],
  ['a server file for browsers', (m) => ({ ...m, client: { ...m.client, entry: 'server/remote.cjs' } }), 422, 'bad-path'],
  ['another contract', (m) => ({ ...m, contract: 2 }), 422, 'wrong-contract'],
  ['another container', (m) => ({ ...m, container: 'v3' }), 422, 'wrong-contract'],
  ['a shared range that does not fit', (m) => ({ ...m, shared: { react: '^18.2.0' } }), 422, 'wrong-shared'],
  ['a shared module that shells do not have', (m) => ({ ...m, shared: { vue: '^3.0.0' } }), 422, 'wrong-shared'],
  ['a shared range that is none', (m) => ({ ...m, shared: { react: 'latest' } }), 422, 'wrong-shared'],
  ['a parameter without a trial', routes({ path: '/a/:b', trial: false }), 422, 'no-trial'],
  ['a pattern that is none', routes({ path: '/a//b' }), 422, 'bad-manifest'],
  ['a path of the site itself', routes({ path: '/_mfe/x' }), 409, 'path-conflict'],
  ['two routes for one path', (m) => ({ ...m, routes: [...m.routes, ...m.routes] }), 409, 'path-conflict'],
  [
    'a slot of another team',
    (m) => ({ ...m, slots: [{ name: 'mfe-inquiry/x', loader: false, files: { js: [], css: [] } }] }),
    422,
    'bad-manifest',
  ],
  ['navigation to a page it does not have', (m) => ({ ...m, nav: [{ label: 'X', path: '/x' }] }), 422, 'bad-manifest'],
  ['no routes', ({ routes: _routes, ...m }) => m, 422, 'bad-manifest'],
])('refuses a manifest with %s, and says what to do', async (_what, change, status, code) => {
  const built = build('mfe-news', '3.1.0', '/mfe-news', change);
  const answer = await begin(ask, news.sign(built.bytes));
  expect(answer).toMatchObject({ status, body: { code, detail: expect.stringMatching(/\. [A-Z]/) } });
  await absent(built);
});

it('refuses names whose addresses are the site’s own', async () => {
  const { putKeyring } = await service.staff();
  const all = team('All', '*');
  await putKeyring(keyringOf(2, news.key, inquiry.key, revokedKey, all.key));
  for (const name of ['shell', 'sets']) expect((await begin(ask, all.sign(build(name, '1.0.0').bytes))).body.code).toBe('bad-manifest');
  expect((await begin(ask, all.sign(build('mfe-all', '1.0.0').bytes))).status).toBe(201);
});

it('refuses bytes that are not the signed ones, and keeps none of them', async () => {
  const built = build('mfe-news', '4.0.0');
  const { upload } = (await begin(ask, news.sign(built.bytes))).body;
  const before = await service.collections.blobs.countDocuments();
  const tampered = Buffer.from(built.files['client/page.js'] as Buffer);
  tampered[0] = (tampered[0] as number) ^ 1;
  expect(await putFile(ask, upload, 'client/page.js', tampered)).toMatchObject({ status: 422, body: { code: 'wrong-bytes' } });
  expect(await putFile(ask, upload, 'client/page.js', Buffer.alloc(5_000_001))).toMatchObject({ status: 413 });
  expect((await putFile(ask, upload, 'client/unknown.js', tampered)).status).toBe(404);
  expect((await putFile(ask, 'f'.repeat(32), 'client/page.js', tampered)).status).toBe(404);
  expect(await complete(ask, upload)).toMatchObject({
    status: 409,
    body: { code: 'files-missing', missing: expect.arrayContaining(['client/page.js']) },
  });
  expect(await service.collections.blobs.countDocuments()).toBe(before);
  await absent(built);
  // The same upload goes on with the right bytes.
  expect((await publish(ask, news, built)).status).toBe(201);
});

it('keeps nothing of an upload that is cut, or goes out of its folder', async () => {
  const built = build('mfe-news', '4.1.0');
  const { upload } = (await begin(ask, news.sign(built.bytes))).body;
  const before = await service.collections.blobs.countDocuments();
  const bytes = built.files['client/page.js'] as Buffer;
  const head = (path: string, length: number) =>
    `PUT /uploads/${upload}/files/${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`;
  const cut = await send(head('client/page.js', bytes.length) + bytes.subarray(0, -1).toString());
  cut.destroy();
  for (const path of ['../../../etc/passwd', '..%2f..%2fetc%2fpasswd', 'client/..%5c..%5cx', '%00', '__proto__']) {
    const socket = await send(head(path, bytes.length) + bytes.toString());
    const status = await new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(chunk.toString().slice(9, 12))));
    expect(status, path).toBe('404');
    socket.destroy();
  }
  expect(await service.collections.blobs.countDocuments()).toBe(before);
  expect((await complete(ask, upload)).status).toBe(409);
  // Control: the whole of it is kept.
  expect((await putFile(ask, upload, 'client/page.js', bytes)).status).toBe(204);
  expect(await service.collections.blobs.countDocuments()).toBe(before + 1);
});

async function send(text: string): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1');
  socket.on('error', () => {});
  await new Promise((resolve) => socket.write(text, resolve));
  return socket;
}

it('bounds a release as a whole', async () => {
  const files = Object.fromEntries([1, 2, 3, 4, 5].map((i) => [`client/large-${i}.js`, Buffer.alloc(4_200_000, i)]));
  const hashes = Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, integrityOf(bytes)]));
  const built = build('mfe-news', '5.0.0', '/mfe-news', (m) => ({ ...m, files: { ...m.files, ...hashes } }));
  const answer = await publish(ask, news, { ...built, files: { ...built.files, ...files } });
  expect(answer).toMatchObject({ status: 413, body: { code: 'too-large' } });
  await absent(built);
});

it('has no release where the registry dies between two files; another instance goes on', async () => {
  const built = build('mfe-news', '6.0.0');
  const first = await startInstance(service.uri);
  await first.database.prepared;
  const { upload, missing } = (await begin(first.ask, news.sign(built.bytes))).body;
  await putFile(first.ask, upload, missing[0].path, built.files[missing[0].path] as Buffer);
  await first.close();
  await absent(built);
  expect((await complete(ask, upload)).status).toBe(409);
  for (const { path } of missing.slice(1)) await putFile(ask, upload, path, built.files[path] as Buffer);
  expect((await complete(ask, upload)).status).toBe(201);
});

it('checks again when an upload is complete: a key that was revoked meanwhile publishes nothing', async () => {
  const { putKeyring } = await service.staff();
  const leaver = team('Leaver', '*');
  const { document } = (await ask('/keyring')).body;
  const { version, keys } = JSON.parse(Buffer.from(document, 'base64').toString());
  await putKeyring(keyringOf(version + 1, ...keys, leaver.key));
  const built = build('mfe-other', '1.0.0');
  const { upload } = (await begin(ask, leaver.sign(built.bytes))).body;
  for (const [path, bytes] of Object.entries(built.files)) await putFile(ask, upload, path, bytes);
  await putKeyring(keyringOf(version + 2, ...keys, { ...leaver.key, revokedAt: '2026-11-21T08:00:00Z' }));
  expect((await complete(ask, upload)).body.code).toBe('revoked-key');
  await absent(built);
});

it('forgets an upload after its hour, and sweeps bytes that no release has', async () => {
  const built = build('mfe-news', '7.0.0');
  const { upload } = (await begin(ask, news.sign(built.bytes))).body;
  await putFile(ask, upload, 'client/page.js', built.files['client/page.js'] as Buffer);
  const { collections, registry } = service;
  expect(await registry.blobs.sweep()).toBe(0);
  await collections.uploads.updateOne({ _id: upload }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await complete(ask, upload)).toMatchObject({ status: 404, body: { code: 'no-upload' } });
  await collections.blobs.updateMany({}, { $set: { touchedAt: new Date(Date.now() - 3 * 3_600_000) } });
  expect(await registry.blobs.sweep()).toBeGreaterThan(0);
  expect((await begin(ask, news.sign(built.bytes))).body.missing.map(({ path }: { path: string }) => path)).toContain('client/page.js');
  // What a release has stays.
  expect((await ask('/releases/mfe-news/1.0.0/files/client/page.js')).status).toBe(200);
});

it('answers no browser, no other body and no other method', async () => {
  const signed = news.sign(build('mfe-news', '8.0.0').bytes);
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(signed) };
  expect((await ask('/releases', { ...post, headers: { ...post.headers, origin: 'http://evil.example' } })).body.code).toBe(
    'not-for-browsers',
  );
  expect((await ask('/releases', { ...post, headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  expect((await ask('/releases', { ...post, body: '{' })).status).toBe(400);
  expect((await ask('/releases', { ...post, body: JSON.stringify({ ...signed, manifest: 'a'.repeat(600_000) }) })).status).toBe(413);
  expect((await ask('/releases', { ...post, body: '{}' })).body.errors).toEqual({
    manifest: expect.any(String),
    signature: expect.any(String),
  });
  expect((await ask('/releases', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST');
  expect((await ask('/releases/mfe-news/..')).status).toBe(404);
  await expect.poll(async () => (await ask('/readyz')).status).toBe(200);
});
