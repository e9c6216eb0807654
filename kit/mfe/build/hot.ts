/**
 * Development only, part of every microfrontend's client build: applies a new build to the running page.
 * The shell's dev client calls this when the server announces one.
 */
interface Hot {
  check(autoApply: boolean): Promise<unknown[] | null>;
}
declare const __webpack_module__: { hot?: Hot };

const page = globalThis as { __colonnadeHot?: Set<() => Promise<boolean>> };
const { hot } = __webpack_module__;
if (hot) {
  page.__colonnadeHot ??= new Set();
  page.__colonnadeHot.add(async () => (await hot.check(true)) !== null);
}
