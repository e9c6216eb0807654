import { afterEach, expect, it, vi } from 'vitest';
import { inquiryEnv } from './env.ts';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('trusts addresses and networks, and refuses by name what is neither', () => {
  vi.stubEnv('MONGODB_URI', 'mongodb://127.0.0.1');
  vi.stubEnv('INQUIRY_TRUSTED_PEERS', '10.0.0.0/8, 2001:db8::1');
  expect(inquiryEnv().visitors.trustedPeers).toEqual(['10.0.0.0/8', '2001:db8::1']);
  vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  for (const wrong of ['foo', '10.0.0.0/33', '10.0.0.1,loopback']) {
    vi.stubEnv('INQUIRY_TRUSTED_PEERS', wrong);
    expect(inquiryEnv, wrong).toThrow('exit');
    expect(stderr.mock.lastCall?.[0]).toBe('INQUIRY_TRUSTED_PEERS: must be addresses or networks, such as 10.0.0.0/8\n');
  }
});

it('refuses a password that does not decode, and does not show it', () => {
  vi.stubEnv('MONGODB_URI', 'mongodb://127.0.0.1');
  vi.stubEnv('MAIL_FROM', 'site@example.com');
  vi.stubEnv('MAIL_TO', 'office@example.com');
  vi.stubEnv('SMTP_URL', 'smtp://site:50%25@mail.example:587');
  expect(inquiryEnv().mail.smtpUrl).toBe('smtp://site:50%25@mail.example:587');
  vi.spyOn(process, 'exit').mockImplementation(() => {
    throw new Error('exit');
  });
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('SMTP_URL', 'smtp://site:50%@mail.example:587');
  expect(inquiryEnv).toThrow('exit');
  expect(stderr.mock.calls).toEqual([['SMTP_URL: must have %25 for a % in user or password\n']]);
});
