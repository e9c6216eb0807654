import { Link, useFormTaken } from '@colonnade/mfe';
import prose from '@colonnade/mfe/styles/prose.module.css';
import content from '../content/inquiry.md';
import aside from './aside.module.css';
import { Phone } from './phone.tsx';
import s from './received.module.css';

const { steps, phone } = content.received;

/** The inquiry has been stored: its number, and what happens now. */
export function Received({ reference }: { reference: string }) {
  useFormTaken();
  return (
    <>
      <div className="head page grid">
        <h1 className="c1-9">Your inquiry has arrived</h1>
      </div>
      <div className="page">
        <p className="label">Reference number</p>
        <p className={s.reference} data-reference="">
          {reference}
        </p>
        <div className="ruler" aria-hidden="true" />
      </div>
      <div className={`${s.after} page grid`}>
        <div className="c1-7">
          <h2>What happens now</h2>
          <ol className={s.steps}>
            {steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        </div>
        <div className={`${aside.aside} ${prose.prose} c10-12`}>
          <p>
            No confirmation within an hour? Look in the spam folder, then call <Phone number={phone} /> and give the number.
          </p>
          <p>
            <Link to="/">Back to the first page</Link>
          </p>
        </div>
      </div>
    </>
  );
}
