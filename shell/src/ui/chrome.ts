import type { NavEntry, Site } from '@colonnade/mfe';

/**
 * What surrounds every page, as JSON: the site owner's content file (`content/site.md`) joined with the navigation
 * entries of the microfrontends.
 */
export interface Chrome {
  site: Site;
  /** In the order they are shown; 1 to 6 entries fit on the ruler. */
  nav: NavEntry[];
  contact: { phone: string };
  footer: {
    /** Lines of the postal address. */
    address: string[];
    links: NavEntry[];
    note: string;
  };
}
