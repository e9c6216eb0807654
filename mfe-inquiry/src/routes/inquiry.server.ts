import { inquiryErrors } from '@colonnade/inquiry/schema';
import { type Context, type HandlerArgs, invalid, redirect, type ServiceClient, unavailable } from '@colonnade/mfe';
import { z } from 'zod';
import { readForm } from '../fields.ts';

/** What the page shows: the form with a fresh key, or the number of an inquiry that has arrived. */
export type InquiryData = { key: string } | { received: { reference: string } };

/** Without the letters that are read as digits (I, L, O) or make words (U): Crockford's base 32. */
const referencePattern = /^NV-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;
const keyPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const stored = z.object({ reference: z.string().regex(referencePattern) });
const refused = z.object({ errors: z.record(z.string(), z.string()) });

/** Shows a reference number only if the service knows it: the address bar cannot put words on the page. */
export async function loader({ request, context }: HandlerArgs): Promise<InquiryData> {
  const reference = new URL(request.url).searchParams.get('reference') ?? '';
  if (referencePattern.test(reference) && (await isKnown(context, reference))) return { received: { reference } };
  return { key: crypto.randomUUID() };
}

/**
 * Sends the inquiry to the service and the visitor to its reference number.
 * @throws Invalid with what was written, when a field does not validate here or there
 * @throws StatusError 503 when the service is down or over its limit: nothing was stored
 */
export async function action({ request, context }: HandlerArgs): Promise<never> {
  const { inquiry, values } = readForm(await request.formData());
  const errors = inquiryErrors(inquiry);
  if (errors) invalid(errors, values);

  const key = values.key ?? '';
  const answer = await service(context).request('/api/inquiries', {
    method: 'POST',
    body: inquiry,
    // the key makes a second submit of the same form harmless; a form without one is still an inquiry
    headers: keyPattern.test(key) ? { 'Idempotency-Key': key } : {},
  });
  if (answer.status === 201 || answer.status === 200) redirect(`/inquiry?reference=${stored.parse(answer.body).reference}`);
  if (answer.status === 422) invalid(refused.parse(answer.body).errors, values);
  unavailable(30, new Error(`inquiry service answered ${answer.status}`));
}

async function isKnown(context: Context, reference: string): Promise<boolean> {
  const { status } = await service(context).request(`/api/inquiries/${reference}`);
  if (status !== 200 && status !== 404) unavailable(30, new Error(`inquiry service answered ${status}`));
  return status === 200;
}

function service(context: Context): ServiceClient {
  return context.services.inquiry ?? unavailable();
}
