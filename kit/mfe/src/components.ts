// No JSX here: Node loads this file as it is when a build reads a microfrontend's own account of itself.
import { type AnchorHTMLAttributes, Component, createElement, type FormEvent, type FormHTMLAttributes, type ReactNode } from 'react';
import { SlotContext, usePage } from './page.ts';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** Path, query and fragment on this site. */
  to: string;
}

/** A link to a page of this site. An ordinary `<a href>`: the shell takes the navigation over where it can. */
export function Link({ to, ...rest }: LinkProps): ReactNode {
  return createElement('a', { href: to, ...rest });
}

/**
 * A form that posts to the current page's action. An ordinary `<form method="post">` that works without JavaScript;
 * a second submit while the first is under way does nothing.
 */
export function Form({ onSubmit, ...rest }: Omit<FormHTMLAttributes<HTMLFormElement>, 'method' | 'action'>): ReactNode {
  const { navigation } = usePage();
  return createElement('form', {
    method: 'post',
    'aria-busy': navigation === 'submitting' || undefined,
    onSubmit(event: FormEvent<HTMLFormElement>) {
      if (navigation === 'submitting') event.preventDefault();
      else onSubmit?.(event as never);
    },
    ...rest,
  });
}

export interface SlotProps {
  /** `{mfe}/{slot}`; the route must list it in `slots`. */
  name: string;
  /** Shown instead when the slot fails, is late or is not released. */
  fallback: ReactNode;
}

/** Places a part that another microfrontend owns. Its failure is this region's failure, never the page's. */
export function Slot({ name, fallback }: SlotProps): ReactNode {
  const slot = usePage().slots[name];
  if (!slot) return fallback;
  const { Component, data } = slot;
  return createElement(SlotBoundary, { fallback }, createElement(SlotContext.Provider, { value: { data } }, createElement(Component)));
}

class SlotBoundary extends Component<{ fallback: ReactNode; children?: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? this.props.fallback : this.props.children;
  }
}
