import { type Context, type ServiceAnswer, unavailable } from '@colonnade/mfe';
import { describe, expect, test } from 'vitest';
import { action, loader } from './inquiry.server.ts';

const written = {
  name: 'Hanako',
  email: 'hanako@example.com',
  company: '',
  category: 'calibration',
  message: 'Six rings\r\nplease',
  consent: 'on',
};
const key = '123e4567-e89b-42d3-a456-426614174000';

interface Sent {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** @param reply null: the service does not answer */
function context(reply: ServiceAnswer | null, sent: Sent[]): Context {
  return {
    services: {
      inquiry: {
        request: async (path, init) => {
          sent.push({ path, body: init?.body, headers: init?.headers });
          return reply ?? unavailable();
        },
      },
    },
    site: { name: 'Nollvik', origin: 'https://www.example', language: 'en' },
    requestId: 'test',
  };
}

function post(fields: Record<string, string | File>, reply: ServiceAnswer | null = { status: 201, body: { reference: 'NV-7K3M-9QXT' } }) {
  const sent: Sent[] = [];
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  return {
    sent,
    result: action({
      request: new Request('https://www.example/inquiry', { method: 'POST', body }),
      params: {},
      context: context(reply, sent),
    }),
  };
}

describe('sending an inquiry', () => {
  test('goes to the service with the form’s key, and leads to the reference', async () => {
    const { sent, result } = post({ ...written, key, extra: 'ignored' });
    await expect(result).rejects.toMatchObject({ status: 303, to: '/inquiry?reference=NV-7K3M-9QXT' });
    expect(sent).toEqual([
      {
        path: '/api/inquiries',
        body: {
          name: 'Hanako',
          email: 'hanako@example.com',
          company: undefined,
          category: 'calibration',
          message: 'Six rings\nplease',
          consent: true,
        },
        headers: { 'Idempotency-Key': key },
      },
    ]);
  });

  test('does without a key that no form of ours made', async () => {
    const { sent, result } = post({ ...written, key: 'x\r\nEvil: 1' });
    await expect(result).rejects.toMatchObject({ status: 303 });
    expect(sent[0]?.headers).toEqual({});
  });

  test('what does not validate is not sent, and comes back as it was written', async () => {
    const { sent, result } = post({ ...written, email: 'nobody@', message: ' ', consent: '' });
    await expect(result).rejects.toMatchObject({
      errors: { email: expect.any(String), message: expect.any(String), consent: expect.any(String) },
      values: { name: 'Hanako', email: 'nobody@' },
    });
    expect(sent).toEqual([]);
  });

  test('a file in place of a text counts as missing', async () => {
    await expect(post({ ...written, name: new File(['x'], 'x.txt') }).result).rejects.toMatchObject({
      errors: { name: 'Enter your name.' },
    });
  });

  test('what the service finds is shown at its field; one that does not take it makes the page 429 or 503', async () => {
    await expect(post(written, { status: 422, body: { errors: { email: 'Not that one.' } } }).result).rejects.toMatchObject({
      errors: { email: 'Not that one.' },
    });
    for (const status of [429, 413]) {
      await expect(post(written, { status, body: null }).result).rejects.toMatchObject({
        status: status === 429 ? 429 : 503,
        errors: { form: expect.any(String) },
        values: { message: 'Six rings\nplease' },
      });
    }
  });

  test('where the service does not answer, it is not said that nothing was sent', async () => {
    await expect(post(written, null).result).rejects.toMatchObject({
      status: 503,
      errors: { noAnswer: expect.any(String) },
      values: { message: 'Six rings\nplease' },
    });
  });
});

describe('showing the page', () => {
  const open = (query: string, status: number, method = 'GET') => {
    const sent: Sent[] = [];
    return {
      sent,
      result: loader({
        request: new Request(`https://www.example/inquiry${query}`, { method }),
        params: {},
        context: context(status === 503 ? null : { status, body: {} }, sent),
      }),
    };
  };

  test('shows a reference that the service knows, and the form for any other', async () => {
    expect(await open('?reference=NV-7K3M-9QXT', 200).result).toEqual({ received: { reference: 'NV-7K3M-9QXT' } });
    expect(await open('?reference=NV-7K3M-9QXT', 404).result).toEqual({ key: expect.any(String) });
  });

  test.each(['', '?reference=', '?reference=../../livez', '?reference=<script>', '?reference=NV-ILOU-0000'])(
    'asks the service nothing for %s',
    async (query) => {
      const { sent, result } = open(query, 200);
      expect(await result).toEqual({ key: expect.any(String) });
      expect(sent.filter(({ path }) => path !== '/api/inquiries/form-token')).toEqual([]);
    },
  );

  test('is 503 with a form that can still be filled where the service does not answer', async () => {
    await expect(open('', 503).result).rejects.toMatchObject({
      status: 503,
      errors: { closed: expect.any(String) },
      values: { key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    // A number that may have arrived is no reason to write once more: the page says 503 and nothing else.
    await expect(open('?reference=NV-7K3M-9QXT', 503).result).rejects.toMatchObject({ status: 503, name: 'StatusError' });
  });

  test('says after a POST what the action found, and asks for nothing that could take its place', async () => {
    const { sent, result } = open('', 503, 'POST');
    expect(await result).toEqual({ key: expect.any(String) });
    expect(sent).toEqual([]);
  });
});
