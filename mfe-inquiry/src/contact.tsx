import s from './aside.module.css';

/** Other ways to reach the company, beside the form. */
export function Contact() {
  return (
    <aside className={`${s.aside} c10-12`} aria-label="Other ways to reach us">
      <dl>
        <dt>Sales and documents</dt>
        <dd className="num">+46 31 390 06 10</dd>
        <dt>Calibration and repair</dt>
        <dd className="num">+46 31 390 06 20</dd>
        <dt>Hours</dt>
        <dd>Weekdays 8 to 16, Ängsholm time</dd>
        <dt>Address for parcels</dt>
        <dd>
          Nollvik, gate 2<br />
          Kvarnvägen 12
          <br />
          449 00 Ängsholm
        </dd>
      </dl>
    </aside>
  );
}
