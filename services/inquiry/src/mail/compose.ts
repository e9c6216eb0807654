/** The words of the two mails. Plain text, and no header holds anything that a visitor wrote but the address to answer to. */

import type { InquiryDocument, MailKind } from '../documents.ts';
import type { Category } from '../schema.ts';
import type { Mailbox } from './address.ts';

export interface MailSettings {
  from: Mailbox;
  /** Who answers, by category. */
  responsible(category: Category): Mailbox;
}

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
  const subject = `Your inquiry ${reference} / お問い合わせ受付のお知らせ`;
  return { ...envelope, to: visitor, replyTo: office, subject, text: visitorText(inquiry, from.name), autoSubmitted: 'auto-replied' };
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

/**
 * Anybody can enter anybody's address in the form. So this mail repeats nothing that was written there, not even a name: it is of
 * no use for sending words of one's own to strangers.
 */
function visitorText({ reference, category, receivedAt }: InquiryDocument, company: string): string {
  const { en, ja } = categoryNames[category];
  return [
    'Thank you for your inquiry. It has arrived.',
    '',
    `Reference: ${reference}`,
    `Subject:   ${en}`,
    `Received:  ${shownTime(receivedAt)}`,
    '',
    'You get an answer within two working days, at this address.',
    'If you write or call about it before, please name the reference.',
    '',
    'You did not write to us? Then somebody has entered your address by',
    'mistake, and you need do nothing.',
    '',
    '----------------------------------------',
    '',
    'お問い合わせいただき、ありがとうございます。以下のとおり受け付けました。',
    '',
    `受付番号: ${reference}`,
    `ご用件: ${ja}`,
    `受付日時: ${shownTime(receivedAt)}`,
    '',
    '2営業日以内に、このメールアドレスへご返信いたします。',
    'それまでにご連絡いただく場合は、受付番号をお知らせください。',
    '',
    'お心当たりのない場合は、アドレスの入力間違いと思われます。',
    'お手数ですが、このメールは破棄してください。',
    ...(company ? ['', company] : []),
    '',
  ].join('\n');
}

/** `2026-11-21 05:24 UTC` */
const shownTime = (date: Date) => `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
