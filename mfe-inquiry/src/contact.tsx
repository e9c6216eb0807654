import { Fragment } from 'react';
import content from '../content/inquiry.md';
import s from './aside.module.css';
import { Phone } from './phone.tsx';

const { phones, hours, parcels } = content.contact;

/** Other ways to reach the company, beside the form. */
export function Contact() {
  return (
    <aside className={`${s.aside} c10-12`} aria-label="Other ways to reach us">
      <dl>
        {phones.map(({ label, number }) => (
          <Fragment key={label}>
            <dt>{label}</dt>
            <dd>
              <Phone number={number} />
            </dd>
          </Fragment>
        ))}
        <dt>Hours</dt>
        <dd>{hours}</dd>
        <dt>Address for parcels</dt>
        <dd>
          {parcels.map((line) => (
            <div key={line}>{line}</div>
          ))}
        </dd>
      </dl>
    </aside>
  );
}
