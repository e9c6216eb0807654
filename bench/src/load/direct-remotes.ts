/** In place of the federation runtime where the shell is built into one bundle with the microfrontends: it has them already. */
import type { Mfe } from '@colonnade/mfe';
import inquiry from '../../../mfe-inquiry/src/mfe.ts';
import news from '../../../mfe-news/src/mfe.ts';
import pages from '../../../mfe-pages/src/mfe.ts';

const mfes: Record<string, Mfe> = { mfe_inquiry: inquiry, mfe_news: news, mfe_pages: pages };

/** As the federation runtime's, for what the shell asks of it. */
export function createInstance() {
  return {
    registerRemotes(): void {},
    /** @param id `mfe_news/mfe` */
    loadRemote: async (id: string) => ({ default: mfes[id.slice(0, id.indexOf('/'))] }),
  };
}
