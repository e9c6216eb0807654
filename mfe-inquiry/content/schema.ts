import { z } from 'zod';

const text = z.string().trim().min(1);
/** Shown as it is written, and called without its spaces. */
const phone = z.string().regex(/^\+[\d ]+$/, 'write a number such as +46 31 390 06 10');

/** `/inquiry`. There is no body; the other words of the form are in `src/`. */
const inquiry = z.strictObject({
  lede: text,
  /** What stands between the asterisks is the link to the privacy policy. */
  consent: z.string().regex(/^[^*]*\*[^*]+\*[^*]*$/, 'put the words of the link to the privacy policy between asterisks, once'),
  contact: z.strictObject({
    phones: z.array(z.strictObject({ label: text, number: phone })).min(1),
    hours: text,
    /** The address, line by line. */
    parcels: z.array(text).min(1),
  }),
  received: z.strictObject({ steps: z.array(text).min(1), phone }),
});

export type InquiryContent = z.infer<typeof inquiry>;

/** Schemas by the name of the content file. */
export default { inquiry };
