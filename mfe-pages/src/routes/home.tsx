import { Markdown } from '@colonnade/content/react';
import { BelowFold, Link, Slot } from '@colonnade/mfe';
import prose from '@colonnade/mfe/styles/prose.module.css';
import section from '@colonnade/mfe/styles/section.module.css';
import type { ReactNode } from 'react';
import content from '../../content/home.md';
import { Micrometer } from '../art/micrometer.tsx';
import { Hero } from '../home/hero.tsx';
import { Ranges } from '../home/ranges.tsx';
import s from './home.module.css';

/** First page: what the company does, its laboratory, its latest news, and the way to an inquiry. */
export default function Home(): ReactNode {
  const { heading, lede, caption, ranges, laboratory, inquiry, body } = content;
  return (
    <>
      <Hero heading={heading} lede={lede} caption={caption} />
      <Ranges {...ranges} />
      <BelowFold>
        <section className={`${s.laboratory} ${section.section} page grid`} aria-labelledby="laboratory">
          <div className="c1-6">
            <Micrometer />
          </div>
          <div className={`c8-12 ${prose.prose}`}>
            <h2 id="laboratory">{laboratory.heading}</h2>
            <Markdown tree={body} />
            <p>
              <Link to={laboratory.link.path}>{laboratory.link.label}</Link>
            </p>
          </div>
        </section>
        <Slot name="mfe-news/latest" fallback={<NewsUnavailable />} />
        <section className={s.band} aria-labelledby="inquiry">
          <div className="page grid">
            <h2 className="c1-7" id="inquiry">
              {inquiry.heading}
            </h2>
            <div className={`c8-12 ${prose.prose}`}>
              <p>{inquiry.text}</p>
              <p>
                <Link className="button" to={inquiry.link.path}>
                  {inquiry.link.label}
                </Link>
              </p>
            </div>
          </div>
        </section>
      </BelowFold>
    </>
  );
}

/** In place of the news while they are down: the page stays whole, and says so. */
function NewsUnavailable() {
  const { heading, unavailable, link } = content.news;
  return (
    <section className={`${section.section} page`} aria-labelledby="latest-news">
      <h2 id="latest-news">{heading}</h2>
      <p>{unavailable}</p>
      <p className={s.more}>
        <Link to={link.path}>{link.label}</Link>
      </p>
    </section>
  );
}
