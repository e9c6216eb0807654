import { Link } from '@colonnade/mfe';
import { type ListFilter, listPath } from './categories.ts';
import s from './pager.module.css';
import { grouped, pageWindow } from './pages.ts';

export interface PagerProps {
  filter: ListFilter;
  page: number;
  pages: number;
  /** Number of the first item shown, from 1. */
  first: number;
  /** Items shown. */
  count: number;
  total: number;
}

/** Pages as marks on a scale. Ordinary links, so that a crawler reaches every item. */
export function Pager({ filter, page, pages, first, count, total }: PagerProps) {
  if (pages <= 1) return null;
  const to = (n: number) => listPath(filter, n);
  return (
    <nav className={s.pager} aria-label="Pages">
      <ol>
        {pageWindow(page, pages).map((n, place) => (
          <li key={n ?? `gap${place}`}>
            {n === null ? (
              <span>…</span>
            ) : (
              <Link to={to(n)} aria-label={`Page ${n} of ${pages}`} aria-current={n === page ? 'page' : undefined}>
                {n}
              </Link>
            )}
          </li>
        ))}
      </ol>
      <div className={s.ends}>
        <span className="label">
          Items {grouped(first)} to {grouped(first + count - 1)} of {grouped(total)}
        </span>
        {page > 1 && (
          <Link to={to(page - 1)} rel="prev">
            Newer news
          </Link>
        )}
        {page < pages && (
          <Link to={to(page + 1)} rel="next">
            Older news
          </Link>
        )}
      </div>
    </nav>
  );
}
