import { z } from 'zod';

const text = z.string().trim().min(1);
/** A page of this site. */
const path = z.string().regex(/^\/(?!\/)\S*$/, 'write a path of this site, such as /company');
const link = z.strictObject({ label: text, path });

/** What every page says about itself: the browser's title, what search engines quote, its name in the navigation. */
const page = { title: text, description: text, label: text };

const lengthMm = z.number().min(0.001, 'the chart starts at 0.001 mm').max(1000, 'the chart ends at 1000 mm');

/** `/`. The body is the text beside the micrometer. */
const home = z.strictObject({
  ...page,
  heading: text,
  lede: text,
  /** What the drawing shows; what stands between two asterisks is set in the accent colour. */
  caption: text,
  ranges: z.strictObject({
    heading: text,
    products: z
      .array(
        z
          .strictObject({ name: text, purpose: text, fromMm: lengthMm, toMm: lengthMm })
          .refine(({ fromMm, toMm }) => fromMm < toMm, { path: ['toMm'], message: 'must be longer than fromMm' }),
      )
      .min(1),
  }),
  laboratory: z.strictObject({ heading: text, link }),
  news: z.strictObject({ heading: text, unavailable: text, link }),
  inquiry: z.strictObject({ heading: text, text, link }),
});

/** `/company`. The body is the message. */
const company = z
  .strictObject({
    ...page,
    lede: text,
    /** Facts that search engines may show beside what the page says. */
    organization: z.strictObject({
      legalName: text,
      foundingDate: z.iso.date('write the date as in 1966-03-14'),
      telephone: text,
      streetAddress: text,
      postalCode: text,
      addressLocality: text,
      addressCountry: z.string().regex(/^[A-Z]{2}$/, 'write the two letters of the country, such as SE'),
    }),
    message: z.strictObject({ heading: text, from: text }),
    profile: z.strictObject({
      heading: text,
      /** A list is shown line by line. */
      facts: z.array(z.strictObject({ name: text, value: z.union([text, z.array(text).min(1)]) })).min(1),
    }),
    history: z.strictObject({
      heading: text,
      /** The first year on the ruler, which has sixty divisions: one a year. */
      from: z.int().min(1000).max(9999),
      events: z.array(z.strictObject({ year: z.int(), text })).min(1),
    }),
    access: z.strictObject({
      heading: text,
      address: z.array(text).min(1),
      directions: z.array(text).min(1),
      contact: text,
      /** Words on the site plan. */
      plan: z.strictObject({ here: text, station: text }),
    }),
  })
  .check(({ value, issues }) => {
    const { from, events } = value.history;
    events.forEach(({ year }, i) => {
      const message =
        year < from || year > from + 60
          ? `must lie on the ruler, ${from} to ${from + 60}`
          : year < (events[i - 1]?.year ?? from)
            ? 'must not lie before the event above'
            : null;
      if (message) issues.push({ code: 'custom', input: year, path: ['history', 'events', i, 'year'], message });
    });
  });

/** `/privacy`. The body is the policy: each `##` starts a numbered section and is listed beside the text. */
const privacy = z.strictObject({ ...page, lede: text });

export type HomeContent = z.infer<typeof home>;
export type CompanyContent = z.infer<typeof company>;
export type PrivacyContent = z.infer<typeof privacy>;
/** What navigation and the head of the document need of a page. */
export type PageContent = Pick<PrivacyContent, 'title' | 'description' | 'label'>;

/** Schemas by the name of the content file. */
export default { home, company, privacy };
