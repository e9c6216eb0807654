import { type Page, PageContext } from '@colonnade/mfe/host';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import content from '../content/inquiry.md';
import { meta } from './meta.ts';
import Inquiry from './routes/inquiry.tsx';

const site = { name: 'Nollvik', origin: 'https://www.example', language: 'en' };
const page: Page = { url: '/inquiry', params: {}, site, data: undefined, slots: {}, navigation: 'idle' };
const shown = (rest: Partial<Page>) =>
  renderToString(
    <PageContext.Provider value={{ ...page, ...rest }}>
      <Inquiry />
    </PageContext.Provider>,
  );

test('without data the page says that it cannot receive, gives the telephone numbers and keeps the form', () => {
  const html = shown({ errors: { closed: 'x' }, values: { key: 'k-1' } });
  expect(html).toContain('We cannot receive inquiries at the moment.');
  expect(html).toContain('<a class="num" href="tel:+46313900610">+46 31 390 06 10</a>');
  expect(html).toMatch(/name="key" value="k-1"/);
  expect(html).toContain('Send the inquiry');
  expect(html).not.toContain('was not sent');
  expect(meta({ data: undefined, site })).toMatchObject({ title: 'Inquiry' });
});

test('an inquiry that was not taken comes back as it was written', () => {
  const html = shown({ errors: { form: 'Later, please.' }, values: { message: 'Six <rings>' } });
  expect(html).toContain('The inquiry was not sent.');
  expect(html).toContain('Later, please.');
  expect(html).toContain('Six &lt;rings&gt;');
});

test('what a visitor consents to is content, with a link to the policy', () => {
  const html = shown({ data: { key: 'k-3' } });
  expect(html.replace(/<[^>]*>/g, '')).toContain(content.consent.replaceAll('*', ''));
  expect(/<a [^>]*href="\/privacy"[^>]*>([^<]*)<\/a>/.exec(html)?.[1]).toBe(content.consent.split('*')[1]);
});

test('with data nothing is said', () => {
  expect(shown({ data: { key: 'k-2' } })).not.toContain('cannot receive');
});
