/**
 * Rspack loader that compiles content files: `import page from '../content/company.md'` gives the checked front matter
 * and the body as a tree. `company.md?only=title,description` gives just these fields, so that what needs a title does not carry
 * the page.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { z } from 'zod';
import { ContentError, parseContent } from './front-matter.ts';
import { type Loss, lossesTold, markdownTree } from './markdown.ts';

export interface ContentLoaderOptions {
  /** Absolute path of a module whose default export has a zod schema for each content file, by the file's name without `.md`. */
  schema: string;
}

/** What this loader uses of the context that Rspack gives it. */
interface LoaderContext {
  getOptions(): ContentLoaderOptions;
  async(): (error: Error | null, code?: string) => void;
  addDependency(file: string): void;
  rootContext: string;
  resourcePath: string;
  resourceQuery: string;
}

/** @throws ContentError in the build, with file and line, when the content does not fit its schema */
export default function contentLoader(this: LoaderContext, text: string): void {
  const done = this.async();
  compile(this, text).then(
    (code) => done(null, code),
    (error: unknown) => done(error as Error),
  );
}

async function compile(context: LoaderContext, text: string): Promise<string> {
  const { schema: schemaFile } = context.getOptions();
  context.addDependency(schemaFile);
  const name = path.basename(context.resourcePath, '.md');
  const schema = (await loadSchemas(schemaFile))[name];
  if (!schema) throw new Error(`${schemaFile} has no schema for ${name}.md`);

  const file = nameInMessages(context);
  const { data, body, bodyLine } = parseContent(schema, text, file);
  const losses: Loss[] = [];
  const content: Record<string, unknown> = { ...data, body: markdownTree(body, losses) };
  if (losses.length > 0) throw new ContentError(lossesTold(losses, file, bodyLine).join('\n'));
  const only = new URLSearchParams(context.resourceQuery).get('only')?.split(',');
  const wanted = only ? Object.fromEntries(only.map((field) => [field, content[field]])) : content;
  return `export default ${JSON.stringify(wanted)}`;
}

/** Imports the schemas as they are now: a watching build must see an edit, and Node keeps modules by their URL. */
async function loadSchemas(file: string): Promise<Record<string, z.ZodType<object>>> {
  const { mtimeMs } = await stat(file);
  return (await import(`${pathToFileURL(file).href}?${mtimeMs}`)).default;
}

/** `mfe-pages/content/company.md`: from the package's folder on, as an owner sees it in the repository. */
function nameInMessages({ rootContext, resourcePath }: LoaderContext): string {
  return path.join(path.basename(rootContext), path.relative(rootContext, resourcePath));
}
