/** The environment of the inquiry service. */
import path from 'node:path';
import { field, isNetwork, readEnv } from '@colonnade/service/env';
import { z } from 'zod';
import { type Mailbox, readMailbox } from './mail/address.ts';
import { categories } from './schema.ts';

const mailbox = z.string().transform((text, context): Mailbox => {
  const read = readMailbox(text);
  if (read === undefined) context.addIssue('must be a mail address, such as Nollvik <office@nollvik.example>');
  return read ?? { name: '', address: '' };
});

const routes = z.string().transform((text, context) => {
  const entries = text.split(',').map((entry) => entry.split('=').map((part) => part.trim()));
  const read = entries.map(([category = '', address = '']) => [category, readMailbox(address)] as const);
  const good = read.every(([category, to]) => (categories as readonly string[]).includes(category) && to !== undefined);
  if (!good) context.addIssue(`must be like calibration=lab@nollvik.example,repair=… with categories of ${categories.join(', ')}`);
  return Object.fromEntries(read) as Record<string, Mailbox>;
});

const count = (least: number) =>
  z.coerce.number(`must be a whole number`).int('must be a whole number').min(least, `must be at least ${least}`);

const schema = z
  .object({
    /** The port of the API and of `/livez`, `/readyz`, `/metrics`. */
    INQUIRY_PORT: field.port.default(3202),
    /** The address to listen on; loopback unless the gateway is on another machine. */
    HOST: z.string().default('127.0.0.1'),
    /** MongoDB for this service only; the path names the database (default `colonnade_inquiry`). */
    INQUIRY_MONGODB_URI: field.mongodbUri.optional(),
    /** MongoDB for all services, used where the one above is not set. */
    MONGODB_URI: field.mongodbUri.optional(),

    /** The mail server, `smtp://user:password@host:587` or `smtps://…`. Without it mails are written into `MAIL_DIR`. */
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\/[^/\s]+\/?$/, 'must be smtp://… or smtps://…')
      .refine(URL.canParse, 'must be smtp://… or smtps://…')
      .refine(decodes, 'must have %25 for a % in user or password')
      .optional(),
    /** Who mails come from, name and address. */
    MAIL_FROM: mailbox.optional(),
    /** Who answers inquiries. */
    MAIL_TO: mailbox.optional(),
    /** Who answers those of a category, where it is somebody else: `calibration=lab@…,repair=…`. */
    MAIL_ROUTES: routes.default({}),
    /** Everything that outlives a restart. */
    DATA_DIR: z.string().default('.data'),
    /** Where mails are written without a mail server; default `mail` in `DATA_DIR`. */
    MAIL_DIR: z.string().optional(),
    /** How often a mail is tried: 160 times take from 75 to 151 hours, so that a mail server may be down for a weekend. */
    MAIL_ATTEMPTS: count(1).default(160),
    /** The wait after the first failure, in milliseconds; doubles with each, up to an hour. */
    MAIL_RETRY_MS: count(1).default(10_000),
    /** How long one process has a mail for itself, in milliseconds, renewed while it sends; one that was killed delays its mails by this. */
    MAIL_LEASE_MS: count(100).default(60_000),

    /** Inquiries that one visitor may send within the window below; 0 takes any number. An office behind one address is one visitor. */
    INQUIRY_LIMIT: count(0).default(60),
    INQUIRY_LIMIT_WINDOW_MS: count(1000).default(600_000),
    /** Beside loopback: addresses or networks (`10.0.0.0/8`) whose `X-Forwarded-For` names the visitor, separated by commas. */
    INQUIRY_TRUSTED_PEERS: z
      .string()
      .default('')
      .transform((list) => list.split(',').flatMap((entry) => entry.trim() || []))
      .refine((peers) => peers.every(isNetwork), 'must be addresses or networks, such as 10.0.0.0/8'),

    /** Wrong staff tokens per minute from one address until they are answered 429. Only a fuzzing run needs another. */
    STAFF_ATTEMPTS: count(1).default(10),
    /** Days after closing, or after a later note, until personal data is erased. */
    RETENTION_DAYS: z.coerce.number('must be a number').positive('must be over 0').default(730),
    /** How often that is looked after, in milliseconds. */
    RETENTION_CHECK_MS: count(50).default(3_600_000),
  })
  .refine((env) => env.INQUIRY_MONGODB_URI ?? env.MONGODB_URI, { path: ['INQUIRY_MONGODB_URI'], error: 'is required, or MONGODB_URI' })
  .refine((env) => !env.SMTP_URL || env.MAIL_FROM, { path: ['MAIL_FROM'], error: 'is required with SMTP_URL' })
  .refine((env) => !env.SMTP_URL || env.MAIL_TO, { path: ['MAIL_TO'], error: 'is required with SMTP_URL' });

/** Reads it; ends the process where it is wrong. `LOG_LEVEL` is read by the log. */
export function inquiryEnv() {
  const env = readEnv(schema);
  const to = env.MAIL_TO ?? { name: '', address: 'office@localhost' };
  return {
    port: env.INQUIRY_PORT,
    host: env.HOST,
    mongodbUri: env.INQUIRY_MONGODB_URI ?? env.MONGODB_URI ?? '',
    mail: {
      smtpUrl: env.SMTP_URL,
      dir: path.resolve(env.MAIL_DIR ?? path.join(env.DATA_DIR, 'mail')),
      from: env.MAIL_FROM ?? { name: '', address: 'inquiry@localhost' },
      responsible: (category: string) => env.MAIL_ROUTES[category] ?? to,
      outbox: { attempts: env.MAIL_ATTEMPTS, retryMs: env.MAIL_RETRY_MS, leaseMs: env.MAIL_LEASE_MS },
    },
    attemptsPerMinute: env.STAFF_ATTEMPTS,
    visitors: { limit: env.INQUIRY_LIMIT, windowMs: env.INQUIRY_LIMIT_WINDOW_MS, trustedPeers: env.INQUIRY_TRUSTED_PEERS },
    retention: { days: env.RETENTION_DAYS, checkMs: env.RETENTION_CHECK_MS },
  };
}

/** `URL` takes any `%`. */
function decodes(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}
