import { useSite } from '@colonnade/mfe';

/** The language of a text where it is not that of the site, for its `lang` attribute. */
export function useForeign(language: string | undefined): string | undefined {
  return language === useSite().language ? undefined : language;
}
