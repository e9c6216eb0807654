/** `@colonnade/mfe/host`: the shell's side of the contract. Microfrontends import it in tests only. */
export { Boundary } from './boundary.ts';
export { BelowFoldContext, type Page, PageContext, pagePath } from './page.ts';
export { Invalid, Redirect, StatusError } from './status.ts';
