/**
 * Development only, part of every microfrontend's client build: applies a new build to the running page.
 * The shell's dev client calls this when the server announces one.
 */
interface Hot {
  check(autoApply: boolean): Promise<unknown[] | null>;
}
declare const __webpack_module__: { hot?: Hot };
declare const __webpack_require__: { p: string };

const hot = __webpack_module__.hot;
if (hot) {
  const updaters = ((globalThis as { __colonnadeHot?: Set<() => Promise<boolean>> }).__colonnadeHot ??= new Set());
  updaters.add(async () => (await hot.check(true)) !== null);
}
