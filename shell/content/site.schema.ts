import { z } from 'zod';

const text = z.string().trim().min(1);
/** A page of this site. */
const path = z.string().regex(/^\/(?!\/)\S*$/, 'write a path of this site, such as /company');
const link = z.strictObject({ label: text, path });

const site = z.strictObject({
  /** Shown in titles: `Company · Nollvik`. */
  name: text,
  /** BCP 47 language of the site's own texts. */
  language: z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'write a language tag, such as en or pt-BR'),
  /** Order of the main navigation. What is not named comes last. */
  navigation: z.array(path),
  contact: z.strictObject({ phone: text }),
  /** Of the tag URIs that are the feed's ids (RFC 4151): who names things, and a date on which that domain was theirs. */
  feed: z.strictObject({
    authority: z.string().regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+,\d{4}(-\d\d(-\d\d)?)?$/, 'write a domain and a year, such as example.com,2026'),
  }),
  /** Where to report a weakness of the site, for `/.well-known/security.txt`: `mailto:` or `https:`. */
  security: z.strictObject({ contact: z.string().regex(/^(mailto:\S+@\S+|https:\/\/\S+)$/, 'write mailto:… or https://…') }),
  footer: z.strictObject({ address: z.array(text).min(1), links: z.array(link), note: text }),
});

/** The site's own settings, as `site.md` holds them. */
export type SiteContent = z.infer<typeof site>;

/** Schemas by the name of the content file. */
export default { site };
