import { BelowFold, Link } from '@colonnade/mfe';
import { categoryLabels } from './categories.ts';
import { isoDate, shortDate } from './dates.ts';
import { useForeign } from './foreign.ts';
import s from './ledger.module.css';
import type { NewsSummary } from './news-api.ts';

/** More than fit on it below the page's heading. */
const firstScreen = 6;

/** News as a dated ledger on the page's grid: date, category, title and excerpt. Titles are `h3`. */
export function Ledger({ items }: { items: NewsSummary[] }) {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: to Safari a list without markers is none
    <ol className={`${s.ledger} grid`} role="list">
      {items.slice(0, firstScreen).map((item) => (
        <Entry key={item.newsId} item={item} />
      ))}
      <BelowFold>
        {items.slice(firstScreen).map((item) => (
          <Entry key={item.newsId} item={item} />
        ))}
      </BelowFold>
    </ol>
  );
}

function Entry({ item }: { item: NewsSummary }) {
  const lang = useForeign(item.language);
  return (
    <li>
      <time className={s.date} dateTime={isoDate(item.publishedAt)}>
        {shortDate(item.publishedAt)}
      </time>
      <span className={s.category}>{categoryLabels[item.category]}</span>
      <div className={s.text} lang={lang}>
        <h3>
          <Link to={`/news/${item.newsId}`}>{item.title}</Link>
        </h3>
        <p>{item.excerpt}</p>
      </div>
    </li>
  );
}
