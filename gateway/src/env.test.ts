import { expect, test, vi } from 'vitest';

async function read(values: Record<string, string>) {
  vi.resetModules();
  vi.unstubAllEnvs();
  vi.stubEnv('NODE_ENV', 'production');
  for (const [name, value] of Object.entries(values)) vi.stubEnv(name, value);
  return (await import('./env.ts')).env;
}

/** What a process that does not start with these says. */
async function refusal(values: Record<string, string>): Promise<unknown> {
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    await expect(read(values), JSON.stringify(values)).rejects.toThrow('exit');
    return stderr.mock.lastCall?.[0];
  } finally {
    exit.mockRestore();
    stderr.mockRestore();
    vi.unstubAllEnvs();
  }
}

test('only the public port listens beyond this machine, and no proxy is believed, unless set otherwise', async () => {
  const env = await read({});
  expect(env).toMatchObject({ HOST: '', OPS_HOST: '127.0.0.1', TRUSTED_PROXIES: [], PURGE_URLS: [] });
  for (const url of [env.SHELL_URL, env.NEWS_URL, env.INQUIRY_URL]) expect(new URL(url).hostname).toBe('127.0.0.1');
});

test('shared caches are URLs, as many as there are', async () => {
  const { PURGE_URLS } = await read({ PURGE_URLS: 'http://127.0.0.1:6081/, http://cache.internal' });
  expect(PURGE_URLS).toEqual(['http://127.0.0.1:6081', 'http://cache.internal']);
});

test('a purge goes to the URL as it was written: paths have capitals', async () => {
  const { PURGE_URLS, ALLOWED_HOSTS } = await read({ PURGE_URLS: 'https://cache.example/Purge/', ALLOWED_HOSTS: 'WWW.Example.com' });
  expect([PURGE_URLS, ALLOWED_HOSTS]).toEqual([['https://cache.example/Purge'], ['www.example.com']]);
});

test('the URL of a stream of changes may have a query', async () => {
  const { CHANGES_URLS } = await read({ CHANGES_URLS: 'news=http://127.0.0.1:3201/changes?of=news&by=a=b,pages=https://pages.internal/' });
  expect(CHANGES_URLS).toEqual({ news: 'http://127.0.0.1:3201/changes?of=news&by=a=b', pages: 'https://pages.internal/' });
});

test('what requests go on to is not asked over TLS, and a URL that says so is refused', async () => {
  for (const name of ['SHELL_URL', 'NEWS_URL', 'INQUIRY_URL']) {
    expect(await refusal({ [name]: 'HTTPS://news.internal' })).toMatch(new RegExp(`^${name}: must start with http://, [^\n]+\n$`));
    expect(await refusal({ [name]: 'news.internal' })).toBe(`${name}: must be a URL that starts with http:// or https://\n`);
  }
});

test('the site’s origin has no path, and its names no scheme and no port', async () => {
  const { ALLOWED_HOSTS } = await read({ SITE_ORIGIN: 'https://www.example.com/', ALLOWED_HOSTS: 'localhost, 127.0.0.1,[::1]' });
  expect(ALLOWED_HOSTS).toEqual(['localhost', '127.0.0.1', '[::1]']);
  expect(await refusal({ SITE_ORIGIN: 'https://www.example.com/foo' })).toBe('SITE_ORIGIN: must have no path\n');
  for (const wrong of ['https://www.example.com', 'www.example.com:443', 'localhost,www.example.com/', '::1', '[::1]:3000']) {
    expect(await refusal({ ALLOWED_HOSTS: wrong })).toMatch(/^ALLOWED_HOSTS: must be host names without scheme and port/);
  }
});

test('proxies are addresses, subnets or one of three words; a key for previews is not short', async () => {
  expect((await read({ TRUSTED_PROXIES: 'Loopback, 10.0.0.0/8,2001:db8::/32 , 192.0.2.1' })).TRUSTED_PROXIES).toEqual([
    'loopback',
    '10.0.0.0/8',
    '2001:db8::/32',
    '192.0.2.1',
  ]);
  expect(await refusal({ PREVIEW_KEY: 'short' })).toBe('PREVIEW_KEY: must have at least 32 characters\n');
  for (const wrong of ['true', '10.0.0.0/33', 'proxy.example', '1.2.3.4/8/8', '1']) {
    expect(await refusal({ TRUSTED_PROXIES: wrong })).toContain('TRUSTED_PROXIES');
  }
});
