/** Mail over SMTP, a connection for each: an inquiry every few minutes is a lot. */
import { createTransport } from 'nodemailer';
import { DeliveryFailed, messageOf, type Transport } from './transport.ts';

const connectMs = 10_000;
/** Until the server has the message. Left before, it delivers nothing; a firewall that lets sessions starve must not hold up all mail. */
const untilMessageMs = 60_000;
/**
 * RFC 5321, 4.5.3.2.6: a server that has the whole message may take ten minutes to say so. Cut off earlier it delivers it all the
 * same, and each attempt would be one more copy.
 */
const afterMessageMs = 600_000;

/**
 * A transport for `smtp://user:password@host:587` or `smtps://…`. With smtp:// it changes to TLS where the server offers it; where
 * there is a password to protect and the server is on another machine, it insists.
 */
export function smtpTransport(smtpUrl: string): Transport {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const auth = url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : undefined;
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const options = {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth,
    requireTLS: !secure && auth !== undefined && !loopback,
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: afterMessageMs,
  };
  return {
    deliver: async (mail) => {
      const late = new AbortController();
      const leaveAfter = (ms: number) => setTimeout(() => late.abort(), ms);
      let timer = leaveAfter(untilMessageMs);
      const transport = createTransport(options).use('stream', ({ message }, done) => {
        // Read only when the server has said 354 to DATA; the dot that hands it over follows its end.
        message.processFunc((stream) =>
          stream.once('end', () => {
            clearTimeout(timer);
            timer = leaveAfter(afterMessageMs);
          }),
        );
        done();
      });
      // nodemailer 10.5 takes a signal, which its types do not know yet.
      const message = { ...messageOf(mail), signal: late.signal } as ReturnType<typeof messageOf>;
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw late.signal.aborted ? new DeliveryFailed('ETIMEDOUT', false) : failureOf(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Where the server says more than three digits (RFC 3463): the recipient's address (5.1.1, .2, .3, .6, .10) or mailbox (5.2.x). */
const enhanced = /^5\d\d[ -](5\.\d{1,3}\.\d{1,3})\b/;
const aboutRecipient = /^5\.(?:1\.(?:[1236]|10)|2\.\d+)$/;
/** Where it does not: no such mailbox, not here, full, no such name (RFC 5321, 4.2.3). */
const mailboxCodes = [550, 551, 552, 553];

/**
 * A refusal is for good only where it is about the recipient. Otherwise our settings are wrong or the server is in trouble, and
 * every mail would be given up, so they wait instead. Which command it answers does not tell: Postfix says what it has against the
 * client or the sender to RCPT TO (`smtpd_delay_reject`), mostly as 554 or with 5.7.1.
 */
function failureOf(error: unknown): DeliveryFailed {
  const failure = error as { code?: string; responseCode?: number; response?: string; command?: string };
  const { code, responseCode, response = '', command } = failure;
  const aboutThisMail = command === 'RCPT TO' || command === 'DATA';
  const detail = enhanced.exec(response)?.[1];
  const permanent = aboutThisMail && (detail ? aboutRecipient.test(detail) : mailboxCodes.includes(responseCode ?? 0));
  return new DeliveryFailed([responseCode, command ?? code].filter(Boolean).join(' ') || 'unknown', permanent);
}
