import { Link, useLoaderData } from '@colonnade/mfe';
import { categories, categoryLabels, type ListFilter, listPath } from '../categories.ts';
import { yearOf } from '../dates.ts';
import { count, found } from '../found.ts';
import { Ledger } from '../ledger.tsx';
import { aboutList } from '../meta.ts';
import type { NewsSummary } from '../news-api.ts';
import { Pager } from '../pager.tsx';
import { grouped } from '../pages.ts';
import { Search } from '../search.tsx';
import s from './news-list.module.css';
import type { NewsList as Data } from './news-list.server.ts';

/** Set by the news service. */
const perPage = 20;

/** The list of news: filter and search, one ledger for each year, pages, the archive. */
export default function NewsList() {
  const data = useLoaderData<Data>();
  const { items, page, pages, total, more, filter } = data;
  return (
    <>
      <div className="head page grid">
        <h1 className="c1-8">
          News
          <About {...data} />
        </h1>
        <div className={s.filters}>
          <Categories {...data} />
          <Search q={filter.q} />
        </div>
      </div>
      <div className="page">
        {filter.q && <p className={s.found}>{found(filter.q, { total, more })}</p>}
        {items.length === 0 && !filter.q && <p>There is no news here yet.</p>}
        {byYear(items).map(([year, list]) => (
          <section key={year} aria-labelledby={`y${year}`}>
            <h2 className={`${s.year} num`} id={`y${year}`}>
              {year}
            </h2>
            <Ledger items={list} />
          </section>
        ))}
        <Pager
          filter={filter}
          page={page}
          pages={pages}
          first={items.length && (page - 1) * perPage + 1}
          count={items.length}
          total={total}
        />
        <Archive {...data} />
      </div>
    </>
  );
}

/** For who hears the heading and does not see which link below is marked, as the title says it. */
function About(data: Data) {
  const about = aboutList(data);
  if (!about) return null;
  const { filter, total, more } = data;
  return <span className={s.unseen}>{`: ${about}${filter.q ? `, ${count(total)}${more ? ' or more' : ''}` : ''}`}</span>;
}

function Categories({ filter, categories: counts }: Data) {
  const all = categories.reduce((sum, name) => sum + counts[name], 0);
  return (
    <nav aria-label="News by category">
      <ul className={s.filter}>
        {[undefined, ...categories].map((category) => (
          <li key={category ?? 'all'}>
            <Link to={listPath({ category })} aria-current={isChosen(filter, { category })}>
              {category ? categoryLabels[category] : 'All'} <span className="num">{grouped(category ? counts[category] : all)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Every year there is news of, the latest first. */
function Archive({ filter, years }: Data) {
  return (
    <nav className={s.archive} aria-labelledby="archive">
      <h2 className="label" id="archive">
        Archive
      </h2>
      <ul className={s.filter}>
        {Object.keys(years)
          .map(Number)
          .sort((a, b) => b - a)
          .map((year) => (
            <li key={year}>
              <Link className="num" to={listPath({ year })} aria-current={isChosen(filter, { year })}>
                {year}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  );
}

function isChosen(filter: ListFilter, link: ListFilter): true | undefined {
  return listPath(filter) === listPath(link) || undefined;
}

function byYear(items: NewsSummary[]): [string, NewsSummary[]][] {
  return [...Map.groupBy(items, ({ publishedAt }) => yearOf(publishedAt))];
}
