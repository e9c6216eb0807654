import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Boot } from '../boot.ts';
import { documentHtml, pageHead } from './document.ts';

const assets = {
  styles: ['.a{color:red}', '.b{color:blue}'],
  styleSheets: [],
  modules: ['/_mfe/shell/1/react.js', '/_mfe/shell/1/main.js', '/_mfe/mfe-x/1/remote.js'],
  fonts: ['/_mfe/shell/1/a.woff2'],
  entry: '/_mfe/shell/1/main.js',
  integrity: { '/_mfe/shell/1/main.js': 'sha384-main', '/_mfe/mfe-x/1/remote.js': 'sha384-remote' },
};
const site = { name: 'Nollvik', origin: 'https://www.nollvik.example', language: 'en' };
const hash = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;
const html = (o: Partial<Parameters<typeof documentHtml>[1]> = {}) =>
  String(
    documentHtml(pageHead(assets, 'en'), {
      meta: { title: 'T', description: 'D' },
      site,
      url: '/x',
      root: [Buffer.from('<main></main>')],
      boot: { set: 's', status: 200 } as Boot,
      jsonLd: [],
      ...o,
    }),
  );

const headOf = (given: Parameters<typeof pageHead>[0]) => {
  const { start, ...head } = pageHead(given, 'en');
  return { ...head, start: String(start.bytes) };
};

test('the policy allows exactly the styles and the import map of the page', () => {
  const { start, contentSecurityPolicy } = headOf(assets);
  const map = /<script type="importmap">(.*?)<\/script>/.exec(start)?.[1] ?? '';
  expect(JSON.parse(map)).toEqual({ integrity: assets.integrity });
  expect(contentSecurityPolicy).toContain(`script-src 'self' ${hash(map)};`);
  expect(contentSecurityPolicy).toContain(`style-src 'self' ${hash('.a{color:red}')} ${hash('.b{color:blue}')};`);
  expect(contentSecurityPolicy).toContain("require-trusted-types-for 'script'");
  expect(contentSecurityPolicy).not.toMatch(/unsafe|nonce|\*/);
  // The control: another style is another policy.
  expect(pageHead({ ...assets, styles: ['.c{}'] }, 'en').contentSecurityPolicy).not.toBe(contentSecurityPolicy);
});

test('styles stand before the scripts, and each module but the entry is preloaded with its integrity', () => {
  const { start } = headOf(assets);
  expect(start.indexOf('<style>')).toBeLessThan(start.indexOf('<script'));
  expect(start.indexOf('importmap')).toBeLessThan(start.indexOf('modulepreload'));
  expect(start).toContain('<link rel="modulepreload" href="/_mfe/mfe-x/1/remote.js" integrity="sha384-remote">');
  expect(start).toContain('<link rel="modulepreload" href="/_mfe/shell/1/react.js">');
  expect(start).not.toContain('modulepreload" href="/_mfe/shell/1/main.js');
  expect(start).toContain('<script type="module" src="/_mfe/shell/1/main.js" integrity="sha384-main">');
});

test('in development styles are linked and nothing has a hash', () => {
  const { start, contentSecurityPolicy } = headOf({ ...assets, styles: [], styleSheets: ['/_mfe/mfe-x/dev/a.css'], integrity: {} });
  expect(start).toContain('<link rel="stylesheet" href="/_mfe/mfe-x/dev/a.css">');
  expect(start).not.toMatch(/importmap|integrity|<style>/);
  expect(contentSecurityPolicy).toContain("script-src 'self';");
});

test('text that looks like markup stays text, wherever it stands', () => {
  const evil = '"></title></script><script>alert(1)</script>&<!--';
  const page = html({
    meta: { title: evil, description: evil },
    url: `/${evil}`,
    boot: { set: 's', status: 200, loaderData: { evil } } as unknown as Boot,
    jsonLd: [{ '@type': 'Thing', name: evil }],
  });
  expect(page).not.toContain('<script>alert');
  expect(page.match(/<\/script>/g)).toHaveLength(html({ jsonLd: [{ '@type': 'Thing' }] }).match(/<\/script>/g)?.length ?? 0);
  const boot = /id="boot">(.*)<\/script><\/body>/.exec(page)?.[1] ?? '';
  expect(JSON.parse(boot).loaderData.evil).toBe(evil);
});
