import type { Meta, Mfe } from '@colonnade/mfe';
// The head and the navigation need three fields; the pages themselves come with their routes.
import company from '../content/company.md?only=title,description,label';
import home from '../content/home.md?only=title,description,label';
import privacy from '../content/privacy.md?only=title,description,label';
import type { PageContent } from '../content/schema.ts';
import * as companyServer from './routes/company.server.ts';
import * as homeServer from './routes/home.server.ts';
import * as privacyServer from './routes/privacy.server.ts';

const meta = (page: PageContent) => (): Meta => ({ title: page.title, description: page.description });
/** These pages change with a release, and their URLs are asked for more often than that. */
const kept = { freshS: 300, staleS: 86_400 };

/** The company's own pages: first page, company, privacy policy. Their texts are the files in `content/`. */
const mfe: Mfe = {
  contract: 1,
  routes: [
    {
      id: 'home',
      path: '/',
      load: () => import(/* webpackChunkName: "home" */ './routes/home.tsx'),
      hydrate: false,
      meta: meta(home),
      ...homeServer,
      slots: ['mfe-news/latest'],
      cache: { ...kept, tags: () => ['pages', 'news'] },
    },
    {
      id: 'company',
      path: '/company',
      load: () => import(/* webpackChunkName: "company" */ './routes/company.tsx'),
      hydrate: false,
      meta: meta(company),
      ...companyServer,
      cache: { ...kept, tags: () => ['pages'] },
    },
    {
      id: 'privacy',
      path: '/privacy',
      load: () => import(/* webpackChunkName: "privacy" */ './routes/privacy.tsx'),
      hydrate: false,
      meta: meta(privacy),
      ...privacyServer,
      cache: { ...kept, tags: () => ['pages'] },
    },
  ],
  slots: [],
  nav: [{ label: company.label, path: '/company' }],
};

export default mfe;
