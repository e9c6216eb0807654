import type { Site } from '@colonnade/mfe';
import { documentTitle, headTags } from '../head.ts';
import { type View, viewMeta } from '../view.ts';

const managed = 'meta[name=description],meta[name=robots],meta[property],link[rel=canonical],link[rel=prev],link[rel=next]';

/** Makes the head say what the server's document of this view would say. */
export function applyHead(view: View, site: Site): void {
  const meta = viewMeta(view, site);
  document.title = documentTitle(meta, site);
  for (const old of document.head.querySelectorAll(managed)) old.remove();
  document.head.append(
    ...headTags(meta, site, view.url).map(([name, attributes]) => {
      const element = document.createElement(name);
      for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
      return element;
    }),
  );
}
