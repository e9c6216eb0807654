/** The words of the two mails. Plain text, and no header holds anything that a visitor wrote but the address to answer to. */
import { readFileSync } from 'node:fs';
import { parseContent } from '@colonnade/content/front-matter';
import schemas from '../../content/schema.ts';
import type { InquiryDocument, MailKind } from '../documents.ts';
import type { Category } from '../schema.ts';
import type { Mailbox } from './address.ts';

export interface MailSettings {
  from: Mailbox;
  /** Who answers, by category. */
  responsible(category: Category): Mailbox;
}

const file = 'content/confirmation.md';
const confirmation = parseContent(
  schemas.confirmation,
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8'),
  `services/inquiry/${file}`,
).data;

/** A mail as the transports take it. */
export interface Mail {
  messageId: string;
  from: Mailbox;
  to: Mailbox;
  replyTo: Mailbox;
  subject: string;
  text: string;
  /** RFC 3834: no holiday notice answers a mail that a machine wrote. */
  autoSubmitted: 'auto-generated' | 'auto-replied';
}

const categoryNames: Record<Category, { en: string; ja: string }> = {
  product: { en: 'Quotation', ja: 'お見積もり' },
  calibration: { en: 'Calibration', ja: '校正' },
  repair: { en: 'Repair or spare part', ja: '修理・交換部品' },
  documents: { en: 'Documents', ja: '資料' },
  other: { en: 'Something else', ja: 'その他' },
};

/** Composes a mail of an inquiry that is not erased. The same inquiry gives the same Message-ID, so that a duplicate is recognisable. */
export function compose(inquiry: InquiryDocument, kind: MailKind, { from, responsible }: MailSettings): Mail {
  const { reference, category, email = '' } = inquiry;
  const office = responsible(category);
  // The sender is always the company: with the visitor's address as From, SPF and DMARC would reject it, and rightly.
  const envelope = { messageId: `<${reference}.${kind}@${from.address.split('@')[1]}>`, from };
  const visitor = { name: '', address: email };
  if (kind === 'office') {
    const subject = `[${reference}] Inquiry: ${categoryNames[category].en}`;
    return { ...envelope, to: office, replyTo: visitor, subject, text: officeText(inquiry), autoSubmitted: 'auto-generated' };
  }
  const [subject, text] = [filled(confirmation.subject, inquiry), filled(confirmation.text, inquiry)];
  return { ...envelope, to: visitor, replyTo: office, subject, text, autoSubmitted: 'auto-replied' };
}

function officeText({ reference, category, receivedAt, name, email, company, message }: InquiryDocument): string {
  return [
    `Inquiry ${reference}`,
    '',
    `Subject:  ${categoryNames[category].en}`,
    `Received: ${shownTime(receivedAt)}`,
    `Name:     ${name}`,
    `Company:  ${company || '-'}`,
    `Email:    ${email}`,
    '',
    `${message}`,
    '',
    '--',
    'Your answer to this mail goes to the visitor. Please keep the reference in the subject.',
    `Then note it: pnpm inquiries status ${reference} answered`,
    '',
  ].join('\n');
}

/** Fills in what stands in braces; the schema knows the names. */
function filled(text: string, { reference, category, receivedAt }: InquiryDocument): string {
  const { en, ja } = categoryNames[category];
  const values: Record<string, string> = { reference, received: shownTime(receivedAt), 'category.en': en, 'category.ja': ja };
  return text.replace(/\{([a-z.]+)\}/g, (_all, name) => values[name] ?? '');
}

/** `2026-11-21 05:24 UTC` */
const shownTime = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
