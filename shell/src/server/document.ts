import { createHash } from 'node:crypto';
import type { Json, Meta, Site } from '@colonnade/mfe';
import type { Boot } from '../boot.ts';
import { documentTitle, headTags } from '../head.ts';
import { type PackedPart, packPart } from './packed-part.ts';

/** What the documents of one page have in common: computed once per route and set. */
export interface PageAssets {
  /** Contents of the styles, in cascade order. */
  styles: string[];
  /** URLs of styles that are linked instead: development, where they are replaced in place. */
  styleSheets: string[];
  modules: string[];
  fonts: string[];
  entry: string;
  /** `sha384-…` by URL of every module of the page, and of what any page's code imports when it runs. */
  integrity: Record<string, string>;
}

/** A page's constant head, and the policy that allows exactly it. */
export interface PageHead {
  /** What each of them begins with. */
  start: PackedPart;
  /** From the end of the head to the page itself. */
  end: string;
  contentSecurityPolicy: string;
}

const text = (value: string) => value.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));
const attribute = (value: string) => value.replace(/[&"<]/g, (c) => (c === '&' ? '&amp;' : c === '"' ? '&quot;' : '&lt;'));
const sha256 = (content: string) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`;

/**
 * A scale of four marks, 32 × 32 pixels. In the document: a browser would ask for an icon anyway. A PNG: an SVG is a document, and where
 * browsers keep no icons, as in private windows, they make it anew on the page's own thread at each click.
 */
const icon =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACAAAAAgAQMAAABJtOi3AAAABlBMVEX39/QqM6hHXBAPAAAAHUlEQVR4nGNgIBKwMzAUEE/wWRAi+P///4BE4AIA1tgSUjTYzmwAAAAASUVORK5CYII=';

/**
 * Composes what does not change between two visits of a page. Styles stand in the document: that saves a round trip
 * before the first paint, and their hashes keep the policy strict.
 */
export function pageHead(assets: PageAssets, language: string): PageHead {
  const integrity = (url: string) => (assets.integrity[url] ? ` integrity="${assets.integrity[url]}"` : '');
  const importMap = Object.keys(assets.integrity).length > 0 ? JSON.stringify({ integrity: assets.integrity }) : null;
  const start = [
    `<!doctype html><html lang="${attribute(language)}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">`,
    `<link rel="icon" href="${icon}">`,
    '<link rel="alternate" type="application/atom+xml" href="/feed.xml">',
    ...assets.styles.map((css) => `<style>${css}</style>`),
    ...assets.styleSheets.map((url) => `<link rel="stylesheet" href="${url}">`),
    // Before the first module: so that every import of the page is checked, the dynamic ones too.
    importMap ? `<script type="importmap">${importMap}</script>` : '',
    // Said again on each preload: Chromium does not take it from the import map, and would fetch the file twice.
    ...assets.modules.filter((url) => url !== assets.entry).map((url) => `<link rel="modulepreload" href="${url}"${integrity(url)}>`),
    `<script type="module" src="${assets.entry}"${integrity(assets.entry)}></script>`,
  ].join('');
  const end = [
    '</head><body>',
    // Not in the head: there Chromium holds the first paint back for up to 50 ms to wait for them. The stand-ins are of the same size.
    ...assets.fonts.map((url) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${url}">`),
    '<div id="root">',
  ].join('');
  return { start: packPart(Buffer.from(start)), end, contentSecurityPolicy: policy(assets.styles, importMap) };
}

/** The whole document, UTF-8. What is the same in all comes first, so that it is packed once. @param root rendered inside of `<div id="root">` */
export function documentHtml(
  head: PageHead,
  o: { meta: Meta; site: Site; url: string; root: Uint8Array[]; boot: Boot; jsonLd: { [key: string]: Json }[] },
): Buffer {
  const tags = headTags(o.meta, o.site, o.url).map(
    ([name, attributes]) =>
      `<${name}${Object.entries(attributes)
        .map(([key, value]) => ` ${key}="${attribute(value)}"`)
        .join('')}>`,
  );
  const facts = o.jsonLd.map(
    (block) => `<script type="application/ld+json">${inert({ '@context': 'https://schema.org', ...block })}</script>`,
  );
  const title = `<title>${text(documentTitle(o.meta, o.site))}</title>`;
  const boot = `</div><script type="application/json" id="boot">${inert(o.boot)}</script></body></html>`;
  return Buffer.concat([head.start.bytes, Buffer.from(title + tags.join('') + facts.join('') + head.end), ...o.root, Buffer.from(boot)]);
}

/** JSON inside of a script element that no browser runs: `<` is the one character that could end it early. */
function inert(data: unknown): string {
  return JSON.stringify(data).replaceAll('<', '\\u003c');
}

function policy(styles: string[], importMap: string | null): string {
  return [
    "default-src 'none'",
    `script-src 'self'${importMap ? ` ${sha256(importMap)}` : ''}`,
    ["style-src 'self'", ...styles.map(sha256)].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ');
}
