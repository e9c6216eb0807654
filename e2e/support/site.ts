/** The pages that every journey visits. */
export const pages = [
  { path: '/', heading: /./ },
  { path: '/company', heading: 'Company' },
  { path: '/news', heading: 'News' },
  { path: '/news/2026-11-05-ring-gauges', heading: 'Accreditation extended to ring gauges up to 200 mm' },
  { path: '/inquiry', heading: 'Inquiry' },
  { path: '/privacy', heading: /privacy/i },
] as const;

/** An inquiry that validates. */
export const inquiry = {
  name: 'Hanako Journey',
  email: 'hanako@example.com',
  company: 'Journey Co.',
  category: 'calibration',
  message: 'Six plain ring gauges, please.',
} as const;
