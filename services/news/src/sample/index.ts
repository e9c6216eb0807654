import { compose } from './compose.ts';
import { type Category, type Draft, parse, parseFragments } from './drafts.ts';
import { english2026 } from './english-2026.ts';
import { englishCalibration } from './english-calibration.ts';
import { englishCompany } from './english-company.ts';
import { englishExhibitions } from './english-exhibitions.ts';
import { englishFragments } from './english-fragments.ts';
import { englishProductsA } from './english-products-a.ts';
import { englishProductsB } from './english-products-b.ts';
import { reports } from './english-reports.ts';
import { japanese } from './japanese.ts';
import { japaneseFragments } from './japanese-fragments.ts';

/** One item of the sample, ready to be stored: `body` is Markdown. */
export interface SampleNews {
  /** Dated slug: `2026-11-05-ring-gauges`. */
  newsId: string;
  title: string;
  language: 'en' | 'ja';
  category: Category;
  excerpt: string;
  body: string;
  /** RFC 3339, UTC. */
  publishedAt: string;
}

/** The 200 items that seed an empty database, newest first; the same on every call and every machine. */
export function sampleNews(): SampleNews[] {
  const english = parseFragments(englishFragments);
  const nippon = parseFragments(japaneseFragments);
  const texts = [english2026, englishProductsA, englishProductsB, englishCalibration, englishCompany, englishExhibitions, japanese];
  return [...texts.flatMap(parse), ...reports()]
    .map((draft) => item(draft, (draft.language === 'ja' ? nippon.get(draft.category) : english.get(draft.kind)) ?? []))
    .sort((a, b) => (a.publishedAt < b.publishedAt ? 1 : -1));
}

function item(draft: Draft, pool: Parameters<typeof compose>[2]): SampleNews {
  const newsId = `${draft.date}-${draft.slug}`;
  const { title, language, category, excerpt } = draft;
  return { newsId, title, language, category, excerpt, body: compose(newsId, draft, pool), publishedAt: `${draft.date}T08:00:00.000Z` };
}
