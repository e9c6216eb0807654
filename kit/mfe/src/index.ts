/**
 * `@colonnade/mfe`: what a microfrontend imports. Shared as one instance between the shell and every microfrontend,
 * so whatever is exported here is a promise to all of them.
 */
export { BelowFold, Form, KeptField, Link, type LinkProps, Slot, type SlotProps } from './components.ts';
export type {
  CachePolicy,
  Context,
  FeedEntry,
  HandlerArgs,
  Json,
  Meta,
  Mfe,
  MfeRoute,
  MfeSlot,
  NavEntry,
  Params,
  ServiceAnswer,
  ServiceClient,
  Site,
  SitemapEntry,
  SitemapPart,
} from './contract.ts';
export { useFormState, useFormTaken, useLoaderData, usePage, useSite } from './page.ts';
export { forbidden, gone, invalid, moved, notFound, redirect, unauthorized, unavailable } from './status.ts';
