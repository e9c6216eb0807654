import { Markdown } from '@colonnade/content/react';
import { Link, useLoaderData } from '@colonnade/mfe';
import prose from '@colonnade/mfe/styles/prose.module.css';
import section from '@colonnade/mfe/styles/section.module.css';
import { categoryLabels, listPath } from '../categories.ts';
import { isoDate, longDate } from '../dates.ts';
import { useForeign } from '../foreign.ts';
import type { Neighbour } from '../news-api.ts';
import s from './news-item.module.css';
import type { NewsItem as Data } from './news-item.server.ts';

/** One item: date, category, title, text, and the way to its neighbours. */
export default function NewsItem() {
  const { title, language, excerpt, category, publishedAt, body, newer, older } = useLoaderData<Data>();
  const lang = useForeign(language);
  return (
    <article>
      <div className="head page grid">
        <p className={`${s.meta} c1-3`}>
          <time dateTime={isoDate(publishedAt)}>{longDate(publishedAt)}</time>
          <Link to={listPath({ category })}>{categoryLabels[category]}</Link>
        </p>
        <h1 className={`${s.title} c4-12`} lang={lang}>
          {title}
        </h1>
      </div>
      <div className="page grid">
        <div className={`${s.body} ${prose.prose} c4-10`} lang={lang}>
          <p className="lede">{excerpt}</p>
          <Markdown tree={body} />
        </div>
      </div>
      {(newer || older) && (
        <nav className={`${s.turn} page ${section.section}`} aria-label="Other news">
          <div className="grid">
            <Neighbouring item={newer} rel="prev" label="Newer" place="c1-6" />
            <Neighbouring item={older} rel="next" label="Older" place="c7-12" />
          </div>
        </nav>
      )}
    </article>
  );
}

function Neighbouring({ item, rel, label, place }: { item: Neighbour; rel: string; label: string; place: string }) {
  const lang = useForeign(item?.language);
  if (!item) return null;
  return (
    <Link className={place} to={`/news/${item.newsId}`} rel={rel}>
      <span>{label}</span>
      <b lang={lang}>{item.title}</b>
    </Link>
  );
}
