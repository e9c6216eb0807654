import { inquiryErrors } from '@colonnade/inquiry/schema';
import { type Context, type HandlerArgs, invalid, redirect, type ServiceAnswer, type ServiceClient, unavailable } from '@colonnade/mfe';
import { z } from 'zod';
import { closed, readForm } from '../fields.ts';

/** What the page shows: the form with a fresh key, or the number of an inquiry that has arrived. Nothing comes with a 503. */
export type InquiryData = { key: string; startedAt?: string } | { received: { reference: string } };

/** Without the letters that are read as digits (I, L, O) or make words (U): Crockford's base 32. */
const referencePattern = /^NV-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/;
const keyPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const stored = z.object({ reference: z.string().regex(referencePattern) });
const token = z.object({ startedAt: z.string() });
const cannotReceive = 'We cannot receive inquiries at the moment.';
const refused = z.object({ errors: z.record(z.string(), z.string()) });

/**
 * Shows a reference number only if the service knows it: the address bar cannot put words on the page.
 * @throws Invalid 503 where the service cannot take an inquiry now: the form is shown and says it
 */
export async function loader({ request, context }: HandlerArgs): Promise<InquiryData> {
  const key = crypto.randomUUID();
  // A form that was not taken is shown as the action says; it has its token already.
  if (request.method === 'POST') return { key };
  const reference = new URL(request.url).searchParams.get('reference') ?? '';
  if (referencePattern.test(reference) && (await isKnown(context, reference))) return { received: { reference } };
  try {
    return { key, startedAt: await formToken(context) };
  } catch (error) {
    return invalid({ [closed]: cannotReceive }, { key }, 503, error);
  }
}

/**
 * Sends the inquiry to the service and the visitor to its reference number.
 * @throws Invalid with what was written, when a field does not validate here or there, when too many came (nothing was
 * stored then), or when the service does not answer: whether it was stored nobody knows
 */
export async function action({ request, context }: HandlerArgs): Promise<never> {
  const { inquiry, values } = readForm(await request.formData());
  const errors = inquiryErrors(inquiry);
  if (errors) invalid(errors, values);

  const { status, body } = await post(context, inquiry, values).catch((error: unknown) => noAnswer(values, error));
  if (status === 201 || status === 200) redirect(`/inquiry?reference=${stored.parse(body).reference}`);
  if (status === 422) invalid(refused.parse(body).errors, values);
  if (status === 429)
    invalid({ form: 'Many inquiries came from your address in a short time. Please send this one in a few minutes.' }, values, 429);
  return invalid({ form: cannotReceive }, values, 503, new Error(`inquiry service answered ${status}`));
}

function noAnswer(values: Record<string, string>, cause: unknown): never {
  invalid({ noAnswer: 'No answer came in time. Please send it again in a few minutes.' }, values, 503, cause);
}

/** @throws StatusError 503 where the service does not answer */
async function post(
  context: Context,
  inquiry: Record<string, string | true | undefined>,
  values: Record<string, string>,
): Promise<ServiceAnswer> {
  const key = values.key ?? '';
  return service(context).request('/api/inquiries', {
    method: 'POST',
    body: { ...inquiry, startedAt: values.startedAt || undefined, website: values.website || undefined },
    // the key makes a second submit of the same form harmless; a form without one is still an inquiry
    headers: keyPattern.test(key) ? { 'Idempotency-Key': key } : {},
  });
}

async function isKnown(context: Context, reference: string): Promise<boolean> {
  const { status } = await service(context).request(`/api/inquiries/${reference}`);
  if (status !== 200 && status !== 404) unavailable(30, new Error(`inquiry service answered ${status}`));
  return status === 200;
}

/** Signed by the service. A form without it is a form all the same. @throws StatusError 503 where the service does not answer */
async function formToken(context: Context): Promise<string | undefined> {
  const { body } = await service(context).request('/api/inquiries/form-token');
  return token.safeParse(body).data?.startedAt;
}

function service(context: Context): ServiceClient {
  return context.services.inquiry ?? unavailable();
}
