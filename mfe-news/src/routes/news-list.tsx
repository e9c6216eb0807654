import { Link, useLoaderData } from '@colonnade/mfe';
import { type Category, categories, categoryLabels, listPath } from '../categories.ts';
import { yearOf } from '../dates.ts';
import { Ledger } from '../ledger.tsx';
import type { NewsSummary } from '../news-api.ts';
import { Pager } from '../pager.tsx';
import { grouped } from '../pages.ts';
import s from './news-list.module.css';
import type { NewsList as Data } from './news-list.server.ts';

/** The list of news: filter, one ledger for each year, pages. */
export default function NewsList() {
  const { items, page, pages, total, counts, category } = useLoaderData<Data>();
  return (
    <>
      <div className="head page grid">
        <h1 className="c1-8">News</h1>
        <Filter chosen={category} counts={counts} />
      </div>
      <div className="page">
        {items.length === 0 && <p>There is no news here yet.</p>}
        {years(items).map(([year, list]) => (
          <section key={year} aria-labelledby={`y${year}`}>
            <h2 className={`${s.year} num`} id={`y${year}`}>
              {year}
            </h2>
            <Ledger items={list} />
          </section>
        ))}
        <Pager
          category={category}
          page={page}
          pages={pages}
          first={items.length && (page - 1) * perPage + 1}
          count={items.length}
          total={total}
        />
      </div>
    </>
  );
}

/** Set by the news service. */
const perPage = 20;

function Filter({ chosen, counts }: { chosen: Category | null; counts: Record<Category, number> }) {
  const all = categories.reduce((sum, name) => sum + counts[name], 0);
  return (
    <nav className={s.filters} aria-label="News by category">
      <ul className={s.filter}>
        {[null, ...categories].map((name) => (
          <li key={name ?? 'all'}>
            <Link to={listPath(name)} aria-current={name === chosen || undefined}>
              {name ? categoryLabels[name] : 'All'} <span className="num">{grouped(name ? counts[name] : all)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function years(items: NewsSummary[]): [string, NewsSummary[]][] {
  const byYear = new Map<string, NewsSummary[]>();
  for (const item of items) {
    const year = yearOf(item.publishedAt);
    byYear.set(year, [...(byYear.get(year) ?? []), item]);
  }
  return [...byYear];
}
