/** `pnpm news`: news from Markdown files, as a client of the news service's staff endpoints. */
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CommandFailed, minute, runCommand, table, UsageError } from '@colonnade/release/command';
import { changedByAnother, existingItem, type Item, listItems, readItem, type WholeItem, writeItem } from './news-client.ts';
import { type Action, type ActionOf, isToCome, type NewsFile, readNewsFile } from './news-file.ts';

const usage = `News from Markdown files.

  pnpm news draft <file.md>…          keep it, for editors only
  pnpm news publish <file.md>…        put it on the site, or change it there
  pnpm news schedule <file.md>…       publish it at the publishAt of its front matter
  pnpm news unpublish <file.md or id> take it off the site, or off the schedule
  pnpm news rename <id> <new id>      its old address leads to the new one
  pnpm news import <folder>           publish every .md file; one with a publishAt to come is scheduled
  pnpm news list [--state draft|scheduled|published|unpublished]

What a colleague has changed meanwhile is not overwritten. Once you have looked: --over r3, the revision that list prints.

COLONNADE_TOKEN is your token; NEWS_URL the news service (default: this machine's, at NEWS_PORT or 3201).`;

await runCommand(usage, async ([command, ...rest]) => {
  if (command === 'list') return await list(rest);
  if (command === 'draft' || command === 'publish' || command === 'schedule') return await send(command, rest);
  if (rest.some((arg) => arg.startsWith('-'))) throw new UsageError(`Not understood: ${rest.find((arg) => arg.startsWith('-'))}`);
  if (command === 'unpublish' && rest.length > 0) return await unpublish(rest);
  if (command === 'rename' && rest.length === 2) return await rename(rest[0] as string, rest[1] as string);
  if (command === 'import' && rest.length === 1) return await importFolder(rest[0] as string);
  throw new UsageError(`Not understood: ${[command, ...rest].join(' ')}`);
});

async function send(action: Action, args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: { over: { type: 'string' } }, allowPositionals: true });
  const { over } = values;
  if (positionals.length === 0) throw new UsageError('Name a file.');
  if (over === undefined) return await each(positionals, () => action);
  const revision = Number(/^r([1-9]\d{0,8})$/.exec(over)?.[1]);
  if (!revision) throw new UsageError('--over takes a revision as list prints it: --over r3');
  if (positionals.length > 1) throw new UsageError('--over is for one file.');
  await each(positionals, () => action, revision);
}

async function importFolder(folder: string): Promise<void> {
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new CommandFailed(`${folder}: there is no such folder`);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  if (files.length === 0) throw new CommandFailed(`${folder}: there is no .md file in it`);
  const paths = files.toSorted().map((name) => path.join(folder, name));
  await each(paths, ({ publishAt }) => (isToCome(publishAt) ? 'schedule' : 'publish'));
}

/** Checks all files before the first is sent; then a failure of one does not keep the rest. */
async function each(files: readonly string[], actionOf: ActionOf, over?: number): Promise<void> {
  const mistakes: string[] = [];
  const read = files.flatMap((file) => {
    try {
      return [readNewsFile(file, actionOf)];
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      mistakes.push(error.message);
      return [];
    }
  });
  const seen = new Map<string, string>();
  for (const { file, newsId } of read) {
    if (seen.has(newsId)) mistakes.push(`${file}:1: newsId: ${seen.get(newsId)} has the same`);
    seen.set(newsId, file);
  }
  if (mistakes.length > 0) throw new CommandFailed(`${mistakes.join('\n')}\nNothing was sent.`);
  let failed = 0;
  for (const file of read) {
    try {
      const action = actionOf(file);
      const unused = action === 'publish' && isToCome(file.publishAt) ? `, now; its publishAt ${file.publishAt} was not used` : '';
      console.log(`${file.file}: ${told(await store(file, action, over))}${unused}`);
      for (const warning of file.warnings) console.error(warning);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      failed++;
      console.error(`${file.file}: ${error.message}`);
    }
  }
  if (failed > 0) throw new CommandFailed(`${failed} of ${read.length} failed.`);
}

async function store(file: NewsFile, action: Action, over?: number): Promise<Item> {
  const { newsId, content, publishAt } = file;
  const known = await readItem(newsId);
  // The changed text would be on the site at once.
  if (known?.state === 'published' && action !== 'publish')
    throw new CommandFailed(`is published, and nothing was changed. Take it off the site first: pnpm news unpublish ${newsId}`);
  if (known !== null && over === undefined && !says(known, content)) {
    const other = await changedByAnother(newsId);
    if (other) {
      throw new CommandFailed(
        `was changed by ${other.who.name} on ${minute(other.at)} UTC, and would be overwritten. Take over what is to stay, then: pnpm news ${action} ${file.file} --over r${known.revision}`,
      );
    }
  }
  const item =
    known === null
      ? await writeItem({ method: 'POST', path: '', body: { newsId, ...content } })
      : await writeItem({ method: 'PUT', path: `/${newsId}`, body: content, from: over ?? known.revision });
  const from = item.revision;
  if (action === 'publish' && item.state !== 'published') return await writeItem({ method: 'POST', path: `/${newsId}/publish`, from });
  const scheduled = item.publishAt !== null && publishAt !== undefined && Date.parse(item.publishAt) === Date.parse(publishAt);
  if (action === 'schedule' && !scheduled) {
    return await writeItem({ method: 'POST', path: `/${newsId}/schedule`, body: { publishAt }, from });
  }
  return item;
}

/** Whether an item has the content of a file. A file without a date leaves the item's. */
function says(item: WholeItem, { title, language, category, excerpt, body, publishedAt }: NewsFile['content']): boolean {
  const sameDate = publishedAt === undefined || Date.parse(publishedAt) === Date.parse(item.publishedAt ?? '');
  const sameWords = item.title === title.trim() && item.excerpt === excerpt.trim() && item.body === body;
  return sameDate && sameWords && item.language === language && item.category === category;
}

async function unpublish(idsOrFiles: readonly string[]): Promise<void> {
  for (const idOrFile of idsOrFiles) {
    const newsId = idOrFile.endsWith('.md') ? readNewsFile(idOrFile, () => 'draft').newsId : idOrFile;
    const { revision } = await existingItem(newsId);
    console.log(told(await writeItem({ method: 'POST', path: `/${newsId}/unpublish`, from: revision })));
  }
}

async function rename(newsId: string, to: string): Promise<void> {
  const { revision } = await existingItem(newsId);
  await writeItem({ method: 'POST', path: `/${newsId}/rename`, body: { newsId: to }, from: revision });
  console.log(`${newsId} is ${to} now. If you keep its file, rename it, or change its newsId.`);
}

async function list(args: string[]): Promise<void> {
  const { values } = parseArgs({ args, options: { state: { type: 'string' } } });
  const items: Item[] = [];
  let total = 0;
  for (let page = 1, pages = 1; page <= pages; page++) {
    const answer = await listItems(page, values.state);
    items.push(...answer.items);
    ({ pages, total } = answer);
  }
  const rows = items.map((item) => [item.newsId, item.state, day(item), item.category, `r${item.revision}`, item.title.slice(0, 60)]);
  console.log(rows.length === 0 ? 'There is nothing.' : table(['id', 'state', 'date', 'category', 'rev', 'title'], rows));
  if (items.length < total)
    console.log(
      `\nThese are ${items.length} of ${total}, those last changed. ${values.state ? '' : 'For others add --state draft, for example.'}`.trimEnd(),
    );
}

function day({ publishAt, publishedAt }: Item): string {
  return minute(publishAt ?? publishedAt ?? '');
}

function told({ newsId, state, publishAt, revision }: Item): string {
  const when = state === 'scheduled' ? ` for ${publishAt}` : '';
  return `${newsId} is ${state}${when} (r${revision})`;
}
