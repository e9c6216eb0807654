import type { NavEntry } from '@colonnade/mfe';
import site from '../content/site.md';
import type { Chrome } from './ui/chrome.ts';

/**
 * What surrounds every page: the site owner's content file joined with the navigation entries of the releases.
 * The file gives the order; an entry it does not name comes last, so that a new microfrontend shows without a change here.
 */
export function chromeOf(releases: { nav: NavEntry[] }[], origin: string): Chrome {
  const rank = (path: string) => {
    const index = site.navigation.indexOf(path);
    return index < 0 ? site.navigation.length : index;
  };
  const nav = releases.flatMap((release) => release.nav).sort((a, b) => rank(a.path) - rank(b.path));
  return { site: { name: site.name, language: site.language, origin }, nav, contact: site.contact, footer: site.footer };
}
