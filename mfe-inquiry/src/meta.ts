import type { Meta, Site } from '@colonnade/mfe';
import type { InquiryData } from './routes/inquiry.server.ts';

/** The form may be found; a reference number may not. */
export function meta({ data, site }: { data: InquiryData | undefined; site: Site }): Meta {
  if (data && 'received' in data)
    return {
      title: 'Inquiry received',
      description: 'Your inquiry has arrived. This page shows its reference number.',
      robots: 'noindex',
    };
  return { title: 'Inquiry', description: `Write to ${site.name} about a quotation, a calibration, a repair or a document.` };
}
