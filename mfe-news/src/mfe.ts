import type { Mfe } from '@colonnade/mfe';
import { itemMeta, listMeta } from './meta.ts';
import * as newsItemServer from './routes/news-item.server.ts';
import * as newsListServer from './routes/news-list.server.ts';
import * as siteServer from './site.server.ts';
import * as latestServer from './slots/latest.server.ts';

/** Copies stay fresh for a minute, and are served for a day where the news service is down. */
const kept = { freshS: 60, staleS: 86_400 };

/** News: the dated list, the single item, and the newest three for pages of others. */
const mfe: Mfe = {
  contract: 1,
  routes: [
    {
      id: 'news-list',
      path: '/news',
      load: () => import(/* webpackChunkName: "news-list" */ './routes/news-list.tsx'),
      hydrate: false,
      meta: listMeta,
      cache: { ...kept, tags: () => ['news'] },
      query: ['q', 'category', 'year', 'page'],
      ...newsListServer,
    },
    {
      id: 'news-item',
      path: '/news/:newsId',
      load: () => import(/* webpackChunkName: "news-item" */ './routes/news-item.tsx'),
      hydrate: false,
      meta: itemMeta,
      cache: { ...kept, tags: ({ params }) => ['news', `news:${params.newsId}`] },
      ...newsItemServer,
    },
  ],
  slots: [
    {
      name: 'mfe-news/latest',
      load: () => import(/* webpackChunkName: "slot-latest" */ './slots/latest.tsx'),
      hydrate: false,
      ...latestServer,
    },
  ],
  nav: [{ label: 'News', path: '/news' }],
  ...siteServer,
};

export default mfe;
