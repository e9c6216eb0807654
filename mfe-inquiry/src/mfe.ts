import type { Mfe } from '@colonnade/mfe';
import { meta } from './meta.ts';
import * as inquiryServer from './routes/inquiry.server.ts';

/** Inquiry: the form, and the reference number once it has arrived. */
const mfe: Mfe = {
  contract: 1,
  routes: [
    {
      id: 'inquiry',
      path: '/inquiry',
      load: () => import(/* webpackChunkName: "inquiry" */ './routes/inquiry.tsx'),
      meta,
      cache: 'none',
      ...inquiryServer,
    },
  ],
  slots: [],
  nav: [{ label: 'Inquiry', path: '/inquiry' }],
};

export default mfe;
