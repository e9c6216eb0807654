import { type ComponentType, createContext, useContext, useEffect } from 'react';
import type { Params, Site } from './contract.ts';
import { forgetSent } from './draft.ts';

/** One page view, as the shell provides it to the components of a route. */
export interface Page {
  /** Path and query. Not to be shown by a page that is cached and brought to life: its document was made for the keys that its route names, in their order. */
  url: string;
  params: Params;
  site: Site;
  /** What the route's loader returned. */
  data: unknown;
  /** What the route's action returned, after a POST that neither redirected nor failed. */
  actionData?: unknown;
  /** Messages by field name, after a POST that did not validate. */
  errors?: Record<string, string>;
  /** What the visitor wrote, after a POST that did not validate. */
  values?: Record<string, string>;
  /** The placed slots; `null`: failed or unavailable, the fallback is shown. */
  slots: Record<string, { Component: ComponentType; data: unknown } | null>;
  /** Another one for each view, though the answer be equal: a form may be taken twice in a row. */
  view?: unknown;
  /** What the browser is doing now. Always `idle` on the server. */
  navigation: 'idle' | 'loading' | 'submitting';
}

/** For the shell only: microfrontends use the hooks below. */
export const PageContext = createContext<Page | null>(null);
/** Whether what is below the first screen is rendered, too. */
export const BelowFoldContext = createContext(true);
/** Replaces the route's data inside a slot. */
export const SlotContext = createContext<{ data: unknown } | null>(null);

/** The page view this component is part of. @throws outside of the shell */
export function usePage(): Page {
  const page = useContext(PageContext);
  if (!page) throw new Error('usePage: rendered outside of the shell');
  return page;
}

/** What this route's loader returned; inside a slot, what the slot's loader returned. */
export function useLoaderData<T>(): T {
  const page = usePage();
  const slot = useContext(SlotContext);
  return (slot ?? page).data as T;
}

/**
 * The outcome of the last POST to this page: field errors and kept input, or the action's data. The shell's own error is
 * `noAnswer`: nobody knows whether the form has arrived.
 */
export function useFormState<T = unknown>(): {
  errors: Record<string, string>;
  values: Record<string, string>;
  data: T | undefined;
  submitting: boolean;
} {
  const page = usePage();
  return {
    errors: page.errors ?? {},
    values: page.values ?? {},
    data: page.actionData as T | undefined,
    submitting: page.navigation === 'submitting',
  };
}

/**
 * Says on a page that a form leads to: what the form sent has arrived, and need not be kept in the tab any more.
 * @param formPath of the page with the form, where it is not this one's
 */
export function useFormTaken(formPath?: string): void {
  const ownPath = pagePath(usePage());
  const path = formPath ?? ownPath;
  useEffect(() => forgetSent(path), [path]);
}

/** Without the query: what is typed belongs to the page, however it was reached. */
export function pagePath({ url }: Pick<Page, 'url'>): string {
  return url.split('?', 1)[0] as string;
}

/** The site this page is part of. */
export function useSite(): Site {
  return usePage().site;
}
