import type { Json, Site } from '@colonnade/mfe';
import privacy from '../../content/privacy.md?only=title,description,label';
import { breadcrumbs } from '../organization.ts';

export function jsonLd({ site }: { site: Site }): { [key: string]: Json }[] {
  return [breadcrumbs(site, privacy.label, '/privacy')];
}
