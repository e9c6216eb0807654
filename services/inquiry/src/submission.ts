/** What a post holds: the inquiry and what helps against robots. Apart from `schema.ts`, so that it does not travel to the browser. */
import * as z from 'zod/mini';
import { inquirySchema } from './schema.ts';

/** The fields of a post that are not the visitor's words: a trap for robots and when the form was shown. Both may be missing. */
const trapSchema = z.object({
  /** Hidden in the form, so that only a robot fills it. */
  website: z.optional(z.string('Leave this field empty.').check(z.maxLength(1000, 'Leave this field empty.'))),
  /** What `GET /api/inquiries/form-token` gave when the form was first shown. */
  startedAt: z.optional(z.string('Use the token of the form.').check(z.maxLength(200, 'Use the token of the form.'))),
});
/** The body of `POST /api/inquiries`. */
export const submissionSchema = z.extend(inquirySchema, trapSchema.shape);
export type Submission = z.infer<typeof submissionSchema>;
