import { Link, useLoaderData } from '@colonnade/mfe';
import section from '@colonnade/mfe/styles/section.module.css';
import { Ledger } from '../ledger.tsx';
import s from './latest.module.css';
import type { Latest } from './latest.server.ts';

/** The newest items, for a page of another microfrontend. Spans the full width of the page's grid. */
export default function LatestNews() {
  const { items } = useLoaderData<Latest>();
  return (
    <section className={`${s.latest} ${section.section} page`} aria-labelledby="latest-news">
      <h2 id="latest-news">Latest news</h2>
      {items.length > 0 ? <Ledger items={items} /> : <p>There is no news yet.</p>}
      <p>
        <Link to="/news">All news</Link>
      </p>
    </section>
  );
}
