import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Chrome } from './chrome.ts';
import { ErrorPage, errorMeta } from './error-page.tsx';

const chrome: Chrome = {
  site: { name: 'Nollvik', origin: 'https://www.nollvik.example', language: 'en' },
  nav: [{ label: 'News', path: '/news' }],
  contact: { phone: '+46 31 390 06 00' },
  footer: { address: [], links: [], note: '' },
};
const html = (status: number, digest?: string) =>
  renderToStaticMarkup(<ErrorPage status={status} host="www.nollvik.example" digest={digest} chrome={chrome} />);
const applicationError =
  'Application error: a client-side exception has occurred while loading www.nollvik.example (see the browser console for more information)';

test('500 shows the generic text in one piece, and the digest that finds it in the log', () => {
  expect(html(500, '7f3a20c1')).toContain(`>${applicationError}<`);
  expect(html(500, '7f3a20c1')).toContain('>Digest: 7f3a20c1<');
});

test('an exception in the browser shows the same text, without digest', () => {
  expect(html(0)).toContain(`>${applicationError}<`);
  expect(html(0)).not.toContain('Digest');
});

test('every other status has words of its own, one heading and a way on', () => {
  for (const status of [401, 403, 404, 409, 429, 503]) {
    const page = html(status);
    expect(page.match(/<h1>/g)).toHaveLength(1);
    expect(page).toContain(`data-status="${status}"`);
    expect(page).toContain('href="/"');
    expect(page).not.toContain('Application error');
    expect(errorMeta(status).title).not.toBe(errorMeta(500).title);
  }
});
