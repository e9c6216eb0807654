import type { MouseEvent, Ref } from 'react';
import { type FieldName, fieldLabels, fieldNames } from './fields.ts';
import s from './summary.module.css';

/** What has to be mended, above the form; each line leads to its field. */
export function Summary({ errors, ref }: { errors: Record<string, string>; ref: Ref<HTMLDivElement> }) {
  const known = fieldNames.filter((name) => errors[name]);
  const others = Object.keys(errors).filter((name) => !known.includes(name as FieldName));
  return (
    // biome-ignore lint/a11y/noAutofocus: without JavaScript this is what brings the visitor here after a failed submit
    <div className={s.summary} role="alert" aria-labelledby="summary" tabIndex={-1} ref={ref} autoFocus>
      <h2 id="summary">
        {errors.noAnswer ? 'The inquiry may not have been sent.' : 'The inquiry was not sent.'}{' '}
        {known.length > 0 && `${needs(known.length)} your attention.`}
      </h2>
      <p>What you wrote is still here. {errors.noAnswer && 'Sending it again does no harm.'}</p>
      {/* biome-ignore lint/a11y/noRedundantRoles: to Safari a list without markers is none */}
      <ul role="list">
        {known.map((name) => (
          <li key={name}>
            <a href={`#${name}`} onClick={toField}>
              {fieldLabels[name]}: {errors[name]}
            </a>
          </li>
        ))}
        {others.map((name) => (
          <li key={name}>{errors[name]}</li>
        ))}
      </ul>
    </div>
  );
}

const words = ['No', 'One', 'Two', 'Three', 'Four', 'Five', 'Six'];
const needs = (n: number): string => `${words[n] ?? n} ${n === 1 ? 'entry needs' : 'entries need'}`;

/** Puts the cursor into the field without adding a step to the browser's history. */
function toField(event: MouseEvent<HTMLAnchorElement>) {
  const field = document.getElementById(event.currentTarget.hash.slice(1));
  if (!field) return;
  event.preventDefault();
  field.focus();
}
