import type { Json, Site } from '@colonnade/mfe';
import company from '../../content/company.md?only=title,description,label';
import { breadcrumbs, organization } from '../organization.ts';

export function jsonLd({ site }: { site: Site }): { [key: string]: Json }[] {
  return [organization(site), breadcrumbs(site, company.label, '/company')];
}
