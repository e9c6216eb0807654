import { readPreviewToken } from '@colonnade/release/preview-token';
import { notFoundHandler, Problem } from '@colonnade/service/problem';
import express, { type Request, type RequestHandler } from 'express';
import type { ChosenSet, ShellSets } from '../shell-sets.ts';
import { type Cookie, cookieOf, setCookie } from './cookies.ts';
import { previewSets } from './preview-sets.ts';
import { sitePath } from './site-path.ts';

const name = 'colonnade-preview';
const deletion: Cookie = { name, value: '', maxAgeS: 0 };

interface PreviewsOptions {
  /** Signs the tokens; undefined: there are no previews. */
  key: string | undefined;
  /** The site's public origin. */
  origin: string;
  sets: Pick<ShellSets, 'preview'>;
  /** Base URL of the shell's supervisor. */
  url: string;
  deadlineMs: number;
}

export interface Previews {
  /** Below `/_preview`: `/{name}@{version}?token=…&to=/news` begins a preview, `/end` ends it. */
  routes: RequestHandler;
  /** The release (`name@version`) that a visitor may see before it is live, and the deletion of a cookie that is worth nothing. */
  seenBy(req: Request): { release: string | null; deletion?: Cookie };
  /** @throws Problem where that release cannot be shown */
  set(release: string): Promise<ChosenSet>;
}

/** Shows a release that is not live to whoever has a link with a token for it, and to nobody else. */
export function createPreviews({ key, origin, sets, url, deadlineMs }: PreviewsOptions): Previews {
  const set = previewSets({ sets, url, deadlineMs });
  const https = origin.startsWith('https:');

  const begin: RequestHandler<{ release: string }> = async (req, res) => {
    const query = new URL(req.originalUrl, origin).searchParams;
    const token = query.get('token') ?? '';
    const read = key === undefined ? 'invalid' : readPreviewToken(token, key, new Date());
    if (typeof read === 'string') throw unauthorized(token === '' ? 'has no token' : read === 'expired' ? 'has expired' : 'is not valid');
    if (read.release !== req.params.release) throw new Problem(403, 'Forbidden', { detail: 'This token is for another release.' });
    const to = sitePath(query.get('to') ?? '/', origin);
    if (to === null) throw new Problem(400, 'Bad request', { detail: '`to` must be a path of this site.' });
    await set(read.release);
    const maxAgeS = Math.max(1, Math.floor((read.expiresAt.getTime() - Date.now()) / 1000));
    res.set({ 'Cache-Control': 'private, no-store', 'Set-Cookie': setCookie({ name, value: token, maxAgeS }, https) });
    res.redirect(303, to);
  };
  const end: RequestHandler = (_req, res) => {
    res.set({ 'Cache-Control': 'private, no-store', 'Set-Cookie': setCookie(deletion, https) }).redirect(303, '/');
  };

  return {
    routes:
      key === undefined ? notFoundHandler : express.Router({ caseSensitive: true, strict: true }).get('/end', end).get('/:release', begin),
    seenBy(req) {
      const given = cookieOf(req, name);
      if (given === undefined) return { release: null };
      const read = key === undefined ? 'invalid' : readPreviewToken(given, key, new Date());
      return typeof read === 'string' ? { release: null, deletion } : { release: read.release };
    },
    set,
  };
}

function unauthorized(what: string): Problem {
  return new Problem(401, 'Unauthorized', {
    detail: `This link to a preview ${what}. Ask for a new one.`,
    headers: { 'WWW-Authenticate': 'Preview' },
  });
}
