import type { Meta, Params, Site } from '@colonnade/mfe';
import type { Page } from '@colonnade/mfe/host';
import { type ComponentType, createElement } from 'react';
import type { DataAnswer } from './set-table.ts';
import { errorMeta } from './ui/error-page.tsx';

/** A route whose code is loaded: what both sides need to show it. */
export interface LoadedRoute {
  mfe: string;
  id: string;
  Component: ComponentType;
  meta?(args: { data: unknown; params: Params; site: Site }): Meta;
  slots: Record<string, ComponentType>;
}

/** One page view: an answer of the server joined with the code that shows it. `route` is null where an error is shown, and where the document shows the page by itself. */
export interface View {
  /** Path and query. */
  url: string;
  params: Params;
  answer: DataAnswer;
  route: LoadedRoute | null;
}

/** Whether an answer shows its route's page (a form that was not taken among it); otherwise it shows the error page of its status. */
export function showsPage({ status, errors }: DataAnswer): boolean {
  return status < 400 || errors !== undefined;
}

/** What the components of a view see through `@colonnade/mfe`. */
export function viewPage(view: View, site: Site, navigation: Page['navigation']): Page {
  const { answer, route } = view;
  const slots: Page['slots'] = {};
  for (const [name, Component] of Object.entries(route?.slots ?? {})) {
    const slot = answer.slots?.[name];
    slots[name] = slot ? { Component, data: slot.data } : null;
  }
  return {
    url: view.url,
    params: view.params,
    site,
    data: answer.loaderData,
    actionData: answer.actionData,
    errors: answer.errors,
    values: answer.values,
    slots,
    view,
    navigation,
  };
}

/** What the head says about a view. */
export function viewMeta(view: View, site: Site): Meta {
  const { answer, route, params } = view;
  if (!route || !showsPage(answer)) return { ...errorMeta(answer.status), robots: 'noindex' };
  return route.meta?.({ data: answer.loaderData, params, site }) ?? { title: site.name, description: site.name };
}

/**
 * Gives a slot's component a name that React's stack of a failed render shows: so the server can tell a slot's
 * failure from its page's, where error boundaries do not work.
 */
export function namedSlot(name: string, Component: ComponentType): ComponentType {
  const Slot: ComponentType = () => createElement(Component);
  Object.defineProperty(Slot, 'name', { value: `slot:${name}` });
  return Slot;
}
