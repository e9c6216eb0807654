import type { Category } from '@colonnade/inquiry/schema';

/** The fields in the order of the form, as the visitor knows them. */
export const fieldLabels = {
  name: 'Your name',
  email: 'Email address',
  company: 'Company',
  category: 'Subject',
  message: 'Message',
  consent: 'Privacy policy',
} as const;
export type FieldName = keyof typeof fieldLabels;
export const fieldNames = Object.keys(fieldLabels) as FieldName[];

/** What the visitor reads for each option value. */
export const categoryLabels: Record<Category, string> = {
  product: 'Quotation',
  calibration: 'Calibration',
  repair: 'Repair or spare part',
  documents: 'Documents',
  other: 'Something else',
};

/** The name under which the page says that no inquiry can be received now, before one is sent. */
export const closed = 'closed';

/** Not for the visitor: tells two submits of one form, says when it was shown, and has to stay empty. */
const hiddenNames = ['key', 'startedAt', 'website'] as const;

/** An inquiry before it is checked. Fields the form does not have are left behind; a file counts as missing. */
export interface Written {
  /** In the shape of `inquirySchema`. */
  inquiry: Record<string, string | true | undefined>;
  /** As it came, to show the form again. */
  values: Record<string, string>;
}

/** Reads the form, in the browser before it is sent and on the server. */
export function readForm(form: FormData): Written {
  const values: Record<string, string> = {};
  for (const name of [...fieldNames, ...hiddenNames]) {
    const value = form.get(name);
    // A browser sends line breaks as CRLF and counts them as one character: so do we.
    if (typeof value === 'string') values[name] = value.replaceAll('\r\n', '\n');
  }
  const { name, email, company, category, message, consent } = values;
  return { values, inquiry: { name, email, company: company || undefined, category, message, consent: consent === 'on' || undefined } };
}
