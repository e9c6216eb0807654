/**
 * What an inquiry is: the one definition for the form in the browser, its action on the server and the service.
 * Built with `zod/mini`, because it travels to the browser.
 */
import * as z from 'zod/mini';

/** The option values of the form. */
export const categories = ['product', 'calibration', 'repair', 'documents', 'other'] as const;
export type Category = (typeof categories)[number];

/*
 * Patterns of plain text. They go into the OpenAPI document, so each is one pattern that says everything, with ranges instead of
 * classes, which every dialect reads alike. Blanks before the first other character are named apart: no text takes long to refuse.
 */

/** Text in one line that is not blank. No control character: it cannot begin another header of a mail. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they are about
export const lineOfText = /^[^\S\x00-\x1f\x7f-\x9f\ufeff]*[^\s\x00-\x1f\x7f-\x9f\ufeff][^\x00-\x1f\x7f-\x9f]*$/;

/** The same, or nothing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they are about
const lineOrNothing = /^[^\x00-\x1f\x7f-\x9f]*$/;

/** Several lines that are not blank, with tabs and what word processors paste as line ends. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what they are about
export const linesOfText = /^[^\S\x1c-\x1f\x85\ufeff]*[^\s\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff][^\x00-\x08\x0e-\x1f\x7f-\x9f]*$/;

/** Whether there is nothing but blanks: what is missing gets other words than what is wrong. */
const isBlank = (text: unknown) => typeof text === 'string' && text.trim() === '';

/** zod's own pattern for an address, with the blanks around it that a paste brings. */
const address = new RegExp(`^\\s*${z.regexes.email.source.slice(1, -1)}\\s*$`);

const oneLine = 'Use plain text in one line.';
/** What is said where a text is missing, and where it is wrong. */
const words = (missing: string, wrong: string) => ({
  error: ({ input }: { input?: unknown }) => (isBlank(input) ? missing : wrong),
});

/**
 * Shape of `POST /api/inquiries`. Unknown fields are refused. Lengths count UTF-16 units, as `maxlength` in a form does.
 * Everything is checked before blanks are trimmed, so that the JSON schema made from this says exactly what is taken. No field
 * but the message takes a control character: nothing here can begin another header of a mail.
 */
export const inquirySchema = z.strictObject({
  name: z
    .string('Enter your name.')
    .check(z.maxLength(100, 'Use at most 100 characters.'), z.regex(lineOfText, words('Enter your name.', oneLine)), z.trim()),
  email: z
    .string('Enter your email address.')
    .check(
      z.maxLength(254, 'Use at most 254 characters.'),
      z.regex(address, words('Enter your email address.', 'Write the address as in name@company.example.')),
      z.trim(),
    ),
  company: z.optional(
    z.string('Use plain text.').check(z.maxLength(200, 'Use at most 200 characters.'), z.regex(lineOrNothing, oneLine), z.trim()),
  ),
  category: z.enum(categories, 'Choose a subject.'),
  message: z
    .string('Write a message.')
    .check(
      z.maxLength(5000, 'Use at most 5,000 characters.'),
      z.regex(linesOfText, words('Write a message.', 'Use plain text.')),
      z.trim(),
    ),
  consent: z.literal(true, 'We can store and answer the inquiry only if you agree.'),
});
export type Inquiry = z.infer<typeof inquirySchema>;

/** The first message of each field that does not validate, by field name; null where all do. */
export function inquiryErrors(input: unknown): Record<string, string> | null {
  const result = inquirySchema.safeParse(input);
  return result.success ? null : fieldErrors(result.error);
}

/** The first message of each field, by field name. */
export function fieldErrors(error: z.core.$ZodError): Record<string, string> {
  // A Map, because a field may be called `constructor` or `__proto__`.
  const errors = new Map<string, string>();
  for (const issue of error.issues) {
    const unknown = issue.code === 'unrecognized_keys';
    // An unknown name can be of any length: it is not sent back whole.
    const field = unknown ? (issue.keys[0] ?? '').slice(0, 50).toWellFormed() : String(issue.path[0] ?? '');
    if (!errors.has(field)) errors.set(field, unknown ? 'This field is not known.' : issue.message);
  }
  return Object.fromEntries(errors);
}
