declare module 'react-refresh/runtime' {
  export function injectIntoGlobalHook(global: unknown): void;
}
