import { z } from 'zod';

/**
 * Anybody can enter anybody's address in the form. So the confirmation repeats nothing that was written there, not even a name: it
 * is of no use for sending words of one's own to strangers.
 */
const filledIn = z
  .string()
  .regex(
    /^(?:[^{}]|\{(?:reference|received|category\.en|category\.ja)\})*$/,
    'only {reference}, {received}, {category.en} and {category.ja} can stand in braces',
  )
  .includes('{reference}', { error: 'has to name the {reference}' });

/** The mail to a visitor whose inquiry has arrived. There is no body. */
const confirmation = z.strictObject({ subject: filledIn.regex(/^.+$/, 'has to be one line'), text: filledIn });

/** Schemas by the name of the content file. */
export default { confirmation };
