/** Mail over SMTP, a connection for each: an inquiry every few minutes is a lot. */
import { createTransport } from 'nodemailer';
import { DeliveryFailed, messageOf, type Transport } from './transport.ts';

const connectMs = 10_000;
/**
 * RFC 5321, 4.5.3.2.6: a server that has the whole message may take ten minutes to say so. Cut off earlier it delivers it all the
 * same, and each attempt would be one more copy.
 */
const silenceMs = 600_000;

/**
 * A transport for `smtp://user:password@host:587` or `smtps://…`. With smtp:// it changes to TLS where the server offers it; where
 * there is a password to protect and the server is on another machine, it insists.
 */
export function smtpTransport(smtpUrl: string): Transport {
  const url = new URL(smtpUrl);
  const secure = url.protocol === 'smtps:';
  const auth = url.username ? { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) } : undefined;
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  const transport = createTransport({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    auth,
    requireTLS: !secure && auth !== undefined && !loopback,
    connectionTimeout: connectMs,
    dnsTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
  });
  return {
    deliver: async (mail, signal) => {
      // nodemailer 10.5 takes a signal, which its types do not know yet.
      const message = { ...messageOf(mail), signal } as ReturnType<typeof messageOf>;
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw failureOf(error);
      }
    },
  };
}

/**
 * 5xx is for good only where the server has refused this recipient or this message. To the greeting, the login or the sender it
 * says that our settings are wrong or the server is in trouble: then every mail would be given up, so they wait instead.
 */
function failureOf(error: unknown): DeliveryFailed {
  const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string };
  const aboutThisMail = command === 'RCPT TO' || command === 'DATA';
  const permanent = aboutThisMail && responseCode !== undefined && responseCode >= 500 && responseCode < 600;
  return new DeliveryFailed([responseCode, command ?? code].filter(Boolean).join(' ') || 'unknown', permanent);
}
