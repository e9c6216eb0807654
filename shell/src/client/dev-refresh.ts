/** Development only, the first module of the page: one Fast Refresh runtime for the shell and every microfrontend. */
import * as runtime from 'react-refresh/runtime';

runtime.injectIntoGlobalHook(globalThis);
Object.assign(globalThis, { $RefreshReg$: () => {}, $RefreshSig$: () => (type: unknown) => type, __colonnadeRefresh: runtime });
