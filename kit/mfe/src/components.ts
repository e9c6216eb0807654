// No JSX here: Node loads this file as it is when a build reads a microfrontend's own account of itself.
import {
  type AnchorHTMLAttributes,
  createElement,
  type FormEvent,
  type FormHTMLAttributes,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Boundary } from './boundary.ts';
import { draftOf, forgetDraft, keepDraft, keepEcho, restoreDraft, sendDraft } from './draft.ts';
import { BelowFoldContext, pagePath, SlotContext, usePage } from './page.ts';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Path, query and fragment on this site. */
  to: string;
}

/** A link to a page of this site. An ordinary `<a href>`: the shell takes the navigation over where it can. */
export function Link({ to, ...rest }: LinkProps): ReactNode {
  return createElement('a', { href: to, ...rest });
}

/**
 * A form that posts to the current page's action. An ordinary `<form method="post">` that works without JavaScript.
 * Where the shell posts it, a second submit while the first is under way does nothing; where the browser does (without
 * JavaScript, or without the Navigation API), only a `KeptField` tells the service that it is the same form.
 *
 * What is typed into its uncontrolled fields is kept in the tab until it has arrived: until the action returns data, or a
 * page it redirects to calls `useFormTaken`. Fields with `autocomplete="off"`, hidden ones but `KeptField` and passwords
 * are not kept. A form that stays once the action has returned data is empty again.
 * A page has one such form.
 */
export function Form({ onSubmit, onInput, ...rest }: Omit<FormHTMLAttributes<HTMLFormElement>, 'method' | 'action'>): ReactNode {
  const page = usePage();
  const { url, view, navigation, actionData, values } = page;
  const path = pagePath(page);
  const form = useRef<HTMLFormElement>(null);
  const mountedWith = useRef(view);
  // Before any effect reads the draft.
  useLayoutEffect(() => {
    if (form.current && values) keepEcho(path, form.current, values);
  }, [path, values]);
  useEffect(() => {
    if (!form.current) return;
    if (actionData === undefined) return restoreDraft(path, form.current);
    forgetDraft(path);
    // A form that came with the answer is new already, and what is in it is the visitor's next entry.
    if (view !== mountedWith.current) form.current.reset();
  }, [path, view, actionData]);
  return createElement('form', {
    method: 'post',
    // The address of the document may already be that of a page that is still awaited.
    action: url,
    ref: form,
    onInput(event: FormEvent<HTMLFormElement>) {
      keepDraft(path, event.currentTarget);
      onInput?.(event as never);
    },
    'aria-busy': navigation === 'submitting' || undefined,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      if (navigation === 'submitting') event.preventDefault();
      else onSubmit?.(event as never);
      if (!event.defaultPrevented) sendDraft(path);
    },
    ...rest,
  });
}

/**
 * A hidden field of a form that is kept with what was typed: the key by which a service knows the same form sent once more,
 * after a failure in which nobody knows whether it has arrived.
 */
export function KeptField({ name, value }: { name: string; value: string | undefined }): ReactNode {
  const page = usePage();
  const { view, actionData } = page;
  const path = pagePath(page);
  const [kept, setKept] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that was taken and stays is another one from then on
  useEffect(() => setKept(actionData === undefined ? draftOf(path, name) : undefined), [path, name, view, actionData]);
  return createElement('input', { type: 'hidden', name, value: kept ?? value ?? '', 'data-draft': '' });
}

export interface SlotProps {
  /** `{mfe}/{slot}`; the route must list it in `slots`. */
  name: string;
  /** Shown instead when the slot fails, is late or is not released. */
  fallback: ReactNode;
}

/** Places a part that another microfrontend owns. Its failure is this region's failure, never the page's. */
export function Slot({ name, fallback }: SlotProps): ReactNode {
  const { slots, url } = usePage();
  const slot = slots[name];
  if (!slot) return fallback;
  const { Component, data } = slot;
  return createElement(
    Boundary,
    { of: data ?? url, fallback },
    createElement(SlotContext.Provider, { value: { data } }, createElement(Component)),
  );
}

/**
 * What of a page is below the first screen, on screens up to 960 px high. Where the page comes by a click, it is rendered when
 * the visitor sees the first screen; in documents, and wherever somebody may look further down at once, with the rest.
 * @see docs/decisions/0017-first-screen-first.md
 */
export function BelowFold({ children }: { children: ReactNode }): ReactNode {
  return useContext(BelowFoldContext) && children;
}
