import type { Mfe } from '@colonnade/mfe';
import * as listServer from './list.server.ts';

const mfe: Mfe = {
  contract: 1,
  nav: [{ label: 'Probe', path: '/probe' }],
  slots: [{ name: 'mfe-probe/latest', load: () => import(/* webpackChunkName: "slot-latest" */ './slot.tsx') }],
  routes: [{ id: 'list', path: '/probe', load: () => import(/* webpackChunkName: "list" */ './list.tsx'), ...listServer }],
};
export default mfe;
