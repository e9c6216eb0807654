import type { Draft } from './drafts.ts';

/** SEK million, per cent, persons; `interim` is January to August. `meeting` is the dividend in SEK, where the meeting is news. */
interface Year {
  year: number;
  interim: number;
  sales: number;
  exports: number;
  employees: number;
  interimOn: string;
  interimNote: string;
  yearEndOn: string;
  yearNote: string;
  meetingOn?: string;
  meeting?: string;
}

const year = (
  y: number,
  [interim, sales, exports, employees]: [number, number, number, number],
  [interimOn, interimNote]: [string, string],
  [yearEndOn, yearNote]: [string, string],
  [meetingOn, meeting]: [string, string] | [] = [],
): Year => ({ year: y, interim, sales, exports, employees, interimOn, interimNote, yearEndOn, yearNote, meetingOn, meeting });

const years: Year[] = [
  year(2008, [271, 398, 74, 286], ['', ''], ['', '']),
  year(
    2009,
    [188, 291, 74, 281],
    ['09-23', 'Orders have stopped falling since June. Working four days a week has kept everyone in the house.'],
    ['02-24', 'The last quarter was the first with more orders than deliveries. The short week ended on 1 November.'],
  ),
  year(
    2010,
    [222, 338, 75, 283],
    ['09-22', 'Makers of machine tools order again, and order everything at once. Delivery takes nine weeks.'],
    ['02-23', 'What was put off in 2009 was bought in 2010. Two shifts worked in the grinding shop from March.'],
  ),
  year(
    2011,
    [268, 402, 76, 289],
    ['09-21', 'Net sales are back at the level of 2008. Gauge blocks are sold out until the end of the year.'],
    ['02-22', 'The order book at the turn of the year reached thirteen weeks, the longest on record.'],
    ['05-09', '3.20'],
  ),
  year(
    2012,
    [281, 418, 76, 291],
    ['09-19', 'Growth came from repair and calibration; sales of new instruments were those of last year.'],
    ['02-20', 'A steady year. The move of the workshop in Łódź cost three weeks and will save one each year.'],
  ),
  year(
    2013,
    [284, 427, 77, 294],
    ['09-25', 'The krona was strong and prices abroad were not raised. Volumes grew by 4 per cent.'],
    ['02-19', 'The Tokyo office opened in October and had paid for its rooms by December.'],
    ['05-07', '3.60'],
  ),
  year(
    2014,
    [296, 441, 78, 295],
    ['09-24', 'Recalling one series of long callipers cost SEK 0.4 million and brought a better packaging.'],
    ['02-18', 'Exports grew to Asia and fell to the east. On balance they grew.'],
  ),
  year(
    2015,
    [309, 463, 78, 298],
    ['09-23', 'Certified rings have found buyers before the catalogue was printed.'],
    ['02-24', 'Sales rose in eleven of twelve months. In July the works were closed, as every year.'],
    ['05-11', '4.00'],
  ),
  year(
    2016,
    [321, 478, 78, 301],
    ['09-21', 'The anniversary calliper is sold out. It contributed little to the result and much to the mood.'],
    ['02-22', 'In the year of the anniversary 11,000 people visited the works, about as many as live in Ängsholm.'],
  ),
  year(
    2017,
    [336, 502, 79, 303],
    ['09-20', 'For the first time more callipers were sold with carbide points than without.'],
    ['02-21', 'Half a billion kronor for the first time. The board noted it and went on to the next item.'],
    ['05-09', '4.60'],
  ),
  year(
    2018,
    [357, 531, 79, 306],
    ['09-26', 'A dry summer, warm rooms: the cooling of the measuring room needed twice the electricity.'],
    ['02-20', 'Orders grew more slowly from October. No investment was put off because of it.'],
  ),
  year(
    2019,
    [369, 548, 80, 309],
    ['09-25', 'The change of owners has been completed. No customer and no supplier has left.'],
    ['02-19', 'A good year with a quiet end. The foundation received its first dividend and passed a third of it on to the town’s school.'],
    ['05-06', '4.80'],
  ),
  year(
    2020,
    [318, 487, 80, 305],
    ['09-23', 'The second quarter was the weakest since 2009. Since July two weeks of every month are as in the year before.'],
    ['02-24', 'Nobody had to leave. Apprentices learned at a distance of two metres, which engraving allows.'],
  ),
  year(
    2021,
    [352, 529, 80, 307],
    ['09-22', 'More could have been sold if more steel had arrived. The order book stands at ten weeks.'],
    ['02-23', 'Nearly the level of 2019. The M3 accounts for one micrometer in four after three months.'],
    ['05-11', '5.00'],
  ),
  year(
    2022,
    [376, 561, 79, 308],
    ['09-21', 'Prices were held as printed. The result suffered by about SEK 6 million, customers did not.'],
    ['02-22', 'The highest net sales so far and a smaller result than in the year before. Both follow from energy.'],
  ),
  year(
    2023,
    [387, 572, 79, 308],
    ['09-20', 'Delivery times have come back to seven weeks. Calibration is where customers wait now.'],
    ['02-21', 'Costs of energy fell by a third from spring. The board decided to build two measuring rooms.'],
    ['05-08', '5.60'],
  ),
  year(
    2024,
    [381, 566, 79, 309],
    ['09-25', 'Makers of vehicles ordered less, makers of pumps and turbines more. In sum a little less.'],
    ['02-19', 'Net sales fell for the first time since 2020, by 1 per cent. The building of the measuring rooms goes on.'],
  ),
  year(
    2025,
    [396, 588, 80, 318],
    ['09-24', 'Two thirds of the growth came from the Calliper 1000 and the G47 set, which are made in two shifts.'],
    ['', ''],
  ),
];

/** How a reader says it: `4 per cent more than`, `as much as`. */
const change = (now: number, then: number): string => {
  const percent = Math.round((now / then - 1) * 100);
  if (percent === 0) return 'as much as';
  return `${Math.abs(percent)} per cent ${percent > 0 ? 'more' : 'less'} than`;
};

const table = (title: string, before: Year, now: Year, key: 'interim' | 'sales'): string =>
  [
    `| ${title} | ${before.year} | ${now.year} |`,
    '| --- | --- | --- |',
    `| Net sales, SEK million | ${before[key]} | ${now[key]} |`,
    `| Exports, per cent | ${before.exports} | ${now.exports} |`,
    ...(key === 'sales' ? [`| Employees on 31 December | ${before.employees} | ${now.employees} |`] : []),
  ].join('\n');

/** Interim reports 2009–2025, year-end reports 2009–2024 and every other general meeting, from one table of figures. */
export function reports(): Draft[] {
  const drafts: Draft[] = [];
  for (const [i, now] of years.entries()) {
    const before = years[i - 1];
    if (!before) continue;
    const common = { category: 'company', kind: 'report', language: 'en' } as const;
    drafts.push({
      ...common,
      date: `${now.year}-${now.interimOn}`,
      slug: 'interim-report',
      title: `Interim report, January to August ${now.year}`,
      excerpt: `Net sales were SEK ${now.interim} million, ${change(now.interim, before.interim)} in the same period of ${before.year}.`,
      blocks: [now.interimNote, table('January to August', before, now, 'interim')],
    });
    if (now.yearEndOn)
      drafts.push({
        ...common,
        date: `${now.year + 1}-${now.yearEndOn}`,
        slug: `year-end-report-${now.year}`,
        title: `Year-end report ${now.year}`,
        excerpt: `Net sales of the year were SEK ${now.sales} million, ${change(now.sales, before.sales)} in ${before.year}. Exports made up ${now.exports} per cent.`,
        blocks: [now.yearNote, table('Full year', before, now, 'sales')],
      });
    if (now.meetingOn) drafts.push(meeting(now));
  }
  return drafts;
}

function meeting(now: Year): Draft {
  return {
    date: `${now.year + 1}-${now.meetingOn}`,
    category: 'company',
    kind: 'report',
    language: 'en',
    slug: 'general-meeting',
    title: `General meeting ${now.year + 1}: SEK ${now.meeting} per share`,
    excerpt: `The meeting approved the accounts of ${now.year}, a dividend of SEK ${now.meeting} per share, and re-elected the board.`,
    blocks: [
      `The accounts of ${now.year}, with net sales of SEK ${now.sales} million, were approved without a vote against. The auditor was re-elected for two years.`,
    ],
  };
}
