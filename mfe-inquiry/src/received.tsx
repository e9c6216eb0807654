import { Link, useFormTaken } from '@colonnade/mfe';
import '@colonnade/mfe/styles/prose.css';
import aside from './aside.module.css';
import s from './received.module.css';

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
            <li>A confirmation with this number is on its way to your address.</li>
            <li>You get an answer within two working days, from someone who uses the instrument.</li>
            <li>Put the number on the parcel if you send something.</li>
          </ol>
        </div>
        <div className={`${aside.aside} prose c10-12`}>
          <p>
            No confirmation within an hour? Look in the spam folder, then call <span className="num">+46 31 390 06 10</span> and give the
            number.
          </p>
          <p>
            <Link to="/">Back to the first page</Link>
          </p>
        </div>
      </div>
    </>
  );
}
