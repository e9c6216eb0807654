/** A news item as a Markdown file: front matter that the news service's own schema checks, then the text. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ContentError, type Loss, lossesTold, markdownTree, parseContent } from '@colonnade/content';
import { changeSchema, type NewsChange, newsIdSchema, scheduleSchema } from '@colonnade/news/schema';
import { CommandFailed } from '@colonnade/release/command';

const frontMatterSchema = changeSchema.omit({ body: true }).extend({
  /** The file's name where it is missing. */
  newsId: newsIdSchema.optional(),
  /** When `schedule` and `import` publish it. */
  publishAt: scheduleSchema.shape.publishAt.optional(),
});

export type Action = 'draft' | 'publish' | 'schedule';
/** What is done with a file, for one whose publishAt decides it. */
export type ActionOf = (dates: { publishAt?: string | undefined }) => Action;

export const isToCome = (moment: string | undefined) => moment !== undefined && Date.parse(moment) > Date.now();

/** The dates as an action needs them. */
const schemaFor = (actionOf: ActionOf) =>
  frontMatterSchema.check(({ value, issues }) => {
    const { publishAt, publishedAt } = value;
    const refuse = (key: string, message: string) => issues.push({ code: 'custom', input: value, path: [key], message });
    const action = actionOf(value);
    if (action === 'schedule' && publishAt === undefined) refuse('publishAt', 'is missing');
    // The service would date it now: of a later hour of today that is no other day.
    const tomorrow = new Date().setUTCHours(24, 0, 0, 0);
    if (action === 'publish' && Date.parse(publishedAt ?? '') >= tomorrow)
      refuse('publishedAt', 'is still to come; to have it appear then, write publishAt instead, and use schedule');
  });

export interface NewsFile {
  file: string;
  newsId: string;
  content: NewsChange;
  publishAt: string | undefined;
  /** What of the text will not be shown as it was meant, `file:line: what` a line. */
  warnings: string[];
}

/**
 * Reads and checks one file.
 * @throws CommandFailed with every mistake, `file:line: field: what is wrong` a line
 */
export function readNewsFile(file: string, actionOf: ActionOf): NewsFile {
  try {
    const { data, body, bodyLine } = parseContent(schemaFor(actionOf), readFileSync(file, 'utf8'), file);
    const { newsId = path.basename(file, '.md'), publishAt, ...content } = data;
    if (!newsIdSchema.safeParse(newsId).success) {
      throw new CommandFailed(
        file.endsWith('.md')
          ? `${file}:1: newsId: the file's name cannot be an id (small letters a to z, digits, single hyphens): name one`
          : `${file}: the file's name has to end in .md`,
      );
    }
    if (!changeSchema.shape.body.safeParse(body).success)
      throw new CommandFailed(`${file}:${bodyLine}: text: must have at most 100000 characters`);
    const losses: Loss[] = [];
    markdownTree(body, losses);
    return { file, newsId, content: { ...content, body }, publishAt, warnings: lossesTold(losses, file, bodyLine) };
  } catch (error) {
    if (error instanceof ContentError) throw new CommandFailed(error.message);
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT') throw new CommandFailed(`${file}: there is no such file`);
    if (code === 'EISDIR') throw new CommandFailed(`${file} is a folder: use import`);
    throw error;
  }
}
