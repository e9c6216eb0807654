/** From documents to what the staff API answers. */
import { type AuditDocument, type InquiryDocument, type MailDocument, mailKinds } from '../documents.ts';
import type { InquiryDetail, InquiryList } from './schema.ts';

/** One line of a list. */
export function summaryOf(document: InquiryDocument, mails: Map<string, MailDocument>): InquiryList['items'][number] {
  const state = (kind: string) => mails.get(`${document.reference}.${kind}`)?.state ?? null;
  return { ...head(document), mails: { office: state('office'), visitor: state('visitor') } };
}

/** Everything about one inquiry. */
export function detailOf(document: InquiryDocument, mails: Map<string, MailDocument>, history: AuditDocument[]): InquiryDetail {
  return {
    ...head(document),
    message: document.message ?? null,
    closingReason: document.closingReason ?? null,
    version: document.version,
    notes: document.notes.map(({ at, by, text }) => ({ at: at.toISOString(), by, text: text ?? null })),
    mails: mailKinds.flatMap((kind) => {
      const mail = mails.get(`${document.reference}.${kind}`);
      if (mail === undefined) return [];
      const { state, attempts, sentAt, failure } = mail;
      return [{ kind, state, attempts, sentAt: sentAt?.toISOString() ?? null, failure: failure ?? null }];
    }),
    history: history.map(({ at, by, action, to }) => ({ at: at.toISOString(), by, action, to: to ?? null })),
  };
}

function head({ reference, receivedAt, category, status, assignee, name, email, company, closedAt, erased }: InquiryDocument) {
  return {
    reference,
    receivedAt: receivedAt.toISOString(),
    category,
    status,
    assignee,
    name: name ?? null,
    email: email ?? null,
    company: company ?? null,
    closedAt: closedAt?.toISOString() ?? null,
    erased,
  };
}
