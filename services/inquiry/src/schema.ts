/**
 * What an inquiry is: the one definition for the form in the browser, its action on the server and the service.
 * Built with `zod/mini`, because it travels to the browser.
 */
import * as z from 'zod/mini';

/** The option values of the form. */
export const categories = ['product', 'calibration', 'repair', 'documents', 'other'] as const;
export type Category = (typeof categories)[number];

const line = (max: number, missing: string, long: string) =>
  z
    .string(missing)
    .check(z.trim(), z.minLength(1, missing), z.maxLength(max, long), z.regex(/^[^\p{Cc}]*$/u, 'Use plain text in one line.'));

/** Shape of `POST /api/inquiries`. Unknown fields are refused. Lengths count UTF-16 units. */
export const inquirySchema = z.strictObject({
  name: line(100, 'Enter your name.', 'Use at most 100 characters.'),
  email: z
    .string('Enter your email address.')
    .check(
      z.trim(),
      z.minLength(1, 'Enter your email address.'),
      z.maxLength(254, 'Use at most 254 characters.'),
      z.email('Write the address as in name@company.example.'),
    ),
  company: z.optional(
    z
      .string('Use plain text.')
      .check(z.trim(), z.maxLength(200, 'Use at most 200 characters.'), z.regex(/^[^\p{Cc}]*$/u, 'Use plain text in one line.')),
  ),
  category: z.enum(categories, 'Choose a subject.'),
  message: z
    .string('Write a message.')
    .check(z.trim(), z.minLength(1, 'Write a message.'), z.maxLength(5000, 'Use at most 5,000 characters.')),
  consent: z.literal(true, 'We can store and answer the inquiry only if you agree.'),
});
export type Inquiry = z.infer<typeof inquirySchema>;

/** The first message of each field that does not validate, by field name; null where all do. */
export function inquiryErrors(input: unknown): Record<string, string> | null {
  const result = inquirySchema.safeParse(input);
  if (result.success) return null;
  // A Map, because a field may be called `constructor` or `__proto__`.
  const errors = new Map<string, string>();
  for (const issue of result.error.issues) {
    const unknown = issue.code === 'unrecognized_keys';
    // An unknown name can be of any length: it is not sent back whole.
    const field = unknown ? (issue.keys[0] ?? '').slice(0, 50) : String(issue.path[0] ?? '');
    if (!errors.has(field)) errors.set(field, unknown ? 'This field is not known.' : issue.message);
  }
  return Object.fromEntries(errors);
}
