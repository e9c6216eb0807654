import type { Json, Site } from '@colonnade/mfe';
import { organization } from '../organization.ts';

export function jsonLd({ site }: { site: Site }): { [key: string]: Json }[] {
  return [organization(site)];
}
