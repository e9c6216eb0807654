import { categories, inquiryErrors } from '@colonnade/inquiry/schema';
import { Form, KeptField, Link, useFormState, usePage } from '@colonnade/mfe';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import content from '../content/inquiry.md';
import { Closed } from './closed.tsx';
import { Field } from './field.tsx';
import { categoryLabels, closed, readForm } from './fields.ts';
import s from './form.module.css';
import { Summary } from './summary.tsx';

/**
 * The inquiry form. Checks with the schema of the service before it sends; what the server finds is shown the same way.
 * @param newKey tells the service that two submits are of the same form
 * @param startedAt tells the service when the form was shown
 */
export function InquiryForm({ newKey, startedAt }: { newKey?: string; startedAt?: string }) {
  const { values, submitting } = useFormState();
  const { errors, summary, onSubmit } = useChecked();
  return (
    <>
      {errors[closed] ? <Closed /> : Object.keys(errors).length > 0 && <Summary errors={errors} ref={summary} />}
      <Form className={s.form} noValidate onSubmit={onSubmit}>
        <KeptField name="key" value={values.key || newKey} />
        <input type="hidden" name="startedAt" defaultValue={values.startedAt || startedAt} />
        <Trap />
        <Field name="name" error={errors.name}>
          {(field) => <input {...field} autoComplete="name" required maxLength={100} defaultValue={values.name} />}
        </Field>
        <Field name="email" error={errors.email} help="We answer to this address and use it for nothing else.">
          {(field) => <input {...field} type="email" autoComplete="email" required maxLength={254} defaultValue={values.email} />}
        </Field>
        <Field name="company" error={errors.company} optional>
          {(field) => <input {...field} autoComplete="organization" maxLength={200} defaultValue={values.company} />}
        </Field>
        <Field name="category" error={errors.category}>
          {(field) => (
            <select {...field} className={s.short} required defaultValue={values.category ?? ''}>
              <option value="">Choose a subject</option>
              {categories.map((category) => (
                <option key={category} value={category}>
                  {categoryLabels[category]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field
          name="message"
          error={errors.message}
          help="Instrument, range, number of pieces. For a repair also the serial number, engraved on the back."
        >
          {(field) => <textarea {...field} rows={8} required maxLength={5000} defaultValue={values.message} />}
        </Field>
        <Field name="consent" error={errors.consent} label={<Consent />}>
          {(field) => <input {...field} type="checkbox" required defaultChecked={values.consent === 'on'} />}
        </Field>
        <button className="button" type="submit" aria-disabled={submitting || undefined}>
          Send the inquiry
        </button>
      </Form>
    </>
  );
}

/** Out of sight, so that only a robot fills it. Named like a field that robots like. */
function Trap() {
  return (
    <div className={s.trap} aria-hidden="true">
      <label htmlFor="website">Leave this empty</label>
      <input id="website" name="website" tabIndex={-1} autoComplete="off" data-1p-ignore="" data-lpignore="true" />
    </div>
  );
}

function Consent() {
  const [before, link, after] = content.consent.split('*');
  return (
    <>
      {before}
      <Link to="/privacy" target="_blank">
        {link}
      </Link>
      {after}
    </>
  );
}

/** Errors of the last attempt, found here or by the server; a failed attempt moves focus to the summary. */
function useChecked() {
  const { errors: fromServer } = usePage();
  const [found, setFound] = useState<Record<string, string> | null>(null);
  const summary = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (found) summary.current?.focus();
  }, [found]);
  useEffect(() => {
    if (fromServer) summary.current?.focus();
  }, [fromServer]);
  return {
    errors: found ?? fromServer ?? {},
    summary,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      const errors = inquiryErrors(readForm(new FormData(event.currentTarget)).inquiry);
      if (errors) event.preventDefault();
      setFound(errors);
    },
  };
}
