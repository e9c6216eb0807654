/** What this service stores, as TypeScript sees it; `collections.ts` is how MongoDB does. */
import type { ObjectId } from 'mongodb';
import type { Category, Inquiry } from './schema.ts';

export const statuses = ['new', 'in-progress', 'answered', 'closed'] as const;
export type Status = (typeof statuses)[number];
export const mailKinds = ['office', 'visitor'] as const;
export type MailKind = (typeof mailKinds)[number];
export const mailStates = ['pending', 'sending', 'sent', 'failed', 'cancelled'] as const;
export type MailState = (typeof mailStates)[number];

/** Who did something: somebody of the company, or the service itself. */
export interface Actor {
  id: string;
  name: string;
}

export interface Note {
  at: Date;
  by: Actor;
  /** Missing once the inquiry is erased. */
  text?: string;
}

/** One inquiry. All that is about the visitor is optional here, because it goes when the inquiry is erased. */
export interface InquiryDocument extends Partial<Pick<Inquiry, 'name' | 'email' | 'company' | 'message' | 'consent'>> {
  /** Random. (In version 1 it was a digest of the content, which would have outlived the content.) */
  _id: ObjectId;
  reference: string;
  /** Names the submit, so that a repeated one is stored once; unique. Derived from the content: erased with it. */
  submission?: string;
  /** When it came and its reference: one string to sort, filter and page by, so that each of these needs one index. */
  order: string;
  category: Category;
  receivedAt: Date;
  status: Status;
  assignee: string | null;
  notes: Note[];
  /** Counts changes: the ETag. */
  version: number;
  closedAt: Date | null;
  closingReason?: string;
  erased: boolean;
  schemaVersion: 2;
}

/**
 * One mail that is owed. It says which, not what: the text is made from the inquiry when it is sent, so that no second copy of
 * a visitor's words exists and an erased inquiry has nothing left to send.
 */
export interface MailDocument {
  /** `{reference}.{kind}` */
  _id: string;
  reference: string;
  kind: MailKind;
  state: MailState;
  attempts: number;
  createdAt: Date;
  /** When a worker may take it: the next attempt, or, while it is being sent, the end of the lease. Missing when nothing is to be done. */
  dueAt?: Date;
  /** Which attempt of which worker holds the lease. */
  lease?: string;
  sentAt?: Date;
  /** The last failure as a code: a server's words may hold the address. */
  failure?: string;
  schemaVersion: 1;
}

export type AuditAction = 'assign' | 'status' | 'note' | 'erase' | 'resend' | 'export';

/** Who did what and when. No free text, so that nothing of a visitor gets in and nothing has to be taken out. */
export interface AuditDocument {
  _id: ObjectId;
  /** Missing where it is about many, as an export is. */
  reference?: string;
  at: Date;
  by: Actor;
  action: AuditAction;
  /** What it became, such as a status. */
  to?: string | null;
  schemaVersion: 1;
}

/** The value of `order`. */
export const orderOf = (receivedAt: Date, reference: string) => `${receivedAt.toISOString()} ${reference}`;
