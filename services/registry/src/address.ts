/** What stands in addresses: their parameters and queries. */

import { activationIdSchema, mfeNameSchema, shellIdSchema, versionSchema } from '@colonnade/release/api';
import { z } from 'zod';

const wholeNumber = (maximum: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, `must be a number from 0 to ${maximum}`)
    .transform(Number)
    .refine((number) => number <= maximum, `must be a number from 0 to ${maximum}`)
    .optional()
    .transform((number) => number ?? 0)
    .meta({ openapi: { type: 'integer', minimum: 0, maximum, default: 0 } });

export const byNameSchema = z.strictObject({ name: mfeNameSchema.optional() });
export const releaseParams = z.object({ name: mfeNameSchema, version: versionSchema });
export const fileParams = releaseParams.extend({ path: z.array(z.string()).transform((segments) => segments.join('/')) });
export const activationParams = z.object({ id: activationIdSchema });
/** Seconds. */
export const waitSchema = z.strictObject({ wait: wholeNumber(20) });
export const afterSchema = z.strictObject({ after: wholeNumber(2_147_483_647) });
export const shellParams = z.object({ id: shellIdSchema });
export const listenerSchema = z.strictObject({ shell: shellIdSchema.optional() });
export const uploadParams = z.object({ upload: z.string() });
