import s from './summary.module.css';

/** Above the form while no inquiry can be received: what to do meanwhile. Nothing was sent yet, so nothing has failed. */
export function Closed() {
  return (
    <section className={s.summary} aria-labelledby="closed">
      <h2 id="closed">We cannot receive inquiries at the moment.</h2>
      <p>Please send yours in a few minutes. If it cannot wait, call us: the numbers are on this page.</p>
    </section>
  );
}
