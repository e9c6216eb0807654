/** What a mail is handed to. */
import type { Mail } from './compose.ts';

export interface Transport {
  /** Hands one mail over. @throws DeliveryFailed, and nothing else, where it was not taken */
  deliver(mail: Mail): Promise<void>;
}

/** A mail was not taken. Holds a code only: the words of a mail server repeat addresses, and nodemailer's errors the whole envelope. */
export class DeliveryFailed extends Error {
  override readonly name = 'DeliveryFailed';
  readonly code: string;
  /** Trying again would not help: the server has refused this recipient. */
  readonly permanent: boolean;

  constructor(code: string, permanent: boolean) {
    super(code);
    this.code = code;
    this.permanent = permanent;
  }
}

/** The same for each transport, for nodemailer. */
export function messageOf({ messageId, from, to, replyTo, subject, text, autoSubmitted }: Mail) {
  return {
    messageId,
    from,
    to,
    replyTo,
    subject,
    text,
    headers: { 'Auto-Submitted': autoSubmitted },
    // A text that looks like a path or an address stays a text.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}
