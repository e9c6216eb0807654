/** The failures of the registry's API, with their status and public words. `code` is for tools. */
import { type RefusalCode, ReleaseRefused } from '@colonnade/release/refusal';
import { Problem } from '@colonnade/service/problem';
import type { ErrorRequestHandler } from 'express';
import type { z } from 'zod';

const titles: Record<number, string> = {
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  413: 'Content too large',
  422: 'Unprocessable content',
};

const statuses: Record<RefusalCode, 403 | 409 | 413 | 422> = {
  'bad-keyring': 422,
  'old-keyring': 409,
  'bad-signature': 403,
  'unknown-key': 403,
  'revoked-key': 403,
  'key-not-for-mfe': 403,
  'bad-manifest': 422,
  'wrong-contract': 422,
  'wrong-shared': 422,
  'bad-path': 422,
  'bad-hash': 422,
  'missing-hash': 422,
  'too-large': 413,
  'path-conflict': 409,
  'no-trial': 422,
  'wrong-bytes': 422,
};

const problem = (status: number, code: string, detail: string, extra: Record<string, unknown> = {}) =>
  new Problem(status, titles[status] ?? 'Refused', { detail, extra: { code, ...extra } });

/** Error middleware: what `@colonnade/release` refuses becomes an answer in its own words. */
export const refusals: ErrorRequestHandler = (error: unknown, _req, _res, next) => {
  next(error instanceof ReleaseRefused ? problem(statuses[error.code], error.code, error.message) : error);
};

export const noSuchRelease = (name: string, version: string) =>
  problem(404, 'no-release', `${name}@${version} was never published. See: pnpm mfe list ${name}`);
export const noSuchFile = () => problem(404, 'no-file', 'This release has no such file.');
export const noSuchUpload = () => problem(404, 'no-upload', 'This upload is not known, or an hour has passed. Publish again.');
export const noSuchActivation = () => problem(404, 'no-activation', 'There is no activation with this id.');
export const noKeyring = () =>
  problem(409, 'no-keyring', 'This registry has no keyring yet, so that it can trust nobody. The operator has to put one.');

export const otherKeyring = (version: number) =>
  problem(409, 'same-keyring-version', `Another keyring has version ${version}. Give this one a higher version.`);
export const keyDropped = (id: string) =>
  problem(409, 'key-dropped', `Key ${id} is missing. Keep it with revokedAt: what it has signed must still be told from a forgery.`);
export const keyNeeded = (name: string, version: string, id: string) =>
  problem(409, 'key-needed', `Key ${id} has signed ${name}@${version}, which is served: it must still be one that may sign ${name}.`);

export const otherBytes = (name: string, version: string) =>
  problem(409, 'version-taken', `${name}@${version} exists with other content, and a version never changes. Publish under a new version.`);
export const filesMissing = (missing: string[]) =>
  problem(409, 'files-missing', `${missing.length} files have not arrived. Send them, then complete the upload.`, { missing });

/** Others wait, and are told for whom. */
export const busy = (what: 'candidate' | 'canary', other: { id: string; name: string; version: string | null; by: string; at: string }) => {
  const release = other.version === null ? `the deactivation of ${other.name}` : `${other.name}@${other.version}`;
  const detail =
    what === 'candidate'
      ? `${release}, by ${other.by}, is being tried since ${other.at}. Try again when that has ended.`
      : `${release} is a canary, by ${other.by}, since ${other.at}. Promote or withdraw it first.`;
  return problem(409, what === 'candidate' ? 'trial-running' : 'canary-running', detail, { activation: other.id });
};
export const alreadyLive = (name: string, version: string | null) =>
  problem(409, 'already-live', version === null ? `${name} is not live.` : `${name}@${version} is live already.`);
export const otherLive = (name: string, from: string | null, live: string | null) => {
  const [was, is] = [from, live].map((version) => (version === null ? `nothing of ${name}` : `${name}@${version}`));
  return problem(409, 'other-live', `Live is ${is}, not ${was}: somebody was faster. Nothing has changed.`);
};
export const nothingBefore = (name: string) =>
  problem(
    409,
    'nothing-before',
    `No earlier version of ${name} can be gone back to: none was live that was not withdrawn or whose key holds.`,
  );
export const noCanary = () => problem(409, 'no-canary', 'No canary is running.');

export const notAShell = () =>
  new Problem(401, 'Unauthorized', {
    detail: 'Only shells may do this, with the token of the registry (SHELL_TOKEN).',
    headers: { 'WWW-Authenticate': 'Bearer realm="shell"' },
  });
export const notForBrowsers = () => problem(403, 'not-for-browsers', 'This service answers programs of this site, not web pages.');
export const notBytes = () =>
  new Problem(415, 'Unsupported media type', { detail: 'Send the bytes of the file as application/octet-stream, not compressed.' });
export const streamFull = () =>
  new Problem(503, 'Service unavailable', { detail: 'Too many listen already.', headers: { 'Retry-After': '10' } });

/** What came does not fit its schema; a message for each field. */
export const invalid = (where: 'body' | 'address', error: z.ZodError) =>
  new Problem(where === 'body' ? 422 : 400, where === 'body' ? 'Unprocessable content' : 'Bad request', {
    detail: where === 'body' ? 'Some fields need another look.' : 'This address is not understood.',
    extra: {
      errors: Object.fromEntries(
        error.issues.flatMap((issue): [string, string][] =>
          issue.code === 'unrecognized_keys'
            ? issue.keys.map((key) => [key.slice(0, 50).toWellFormed(), 'is not known'])
            : [[issue.path.join('.').slice(0, 100).toWellFormed() || where, issue.message]],
        ),
      ),
    },
  });
