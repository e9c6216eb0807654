import { setTimeout as pause } from 'node:timers/promises';
import { Problem } from '@colonnade/service/problem';
import type { ChosenSet, ShellSets } from '../shell-sets.ts';

const pollMs = 20;

interface PreviewSetsOptions {
  sets: Pick<ShellSets, 'preview'>;
  /** Base URL of the shell's supervisor. */
  url: string;
  /** For the supervisor to make a set resident, and for word of it to come here. */
  deadlineMs: number;
}

/**
 * Gets the release set in which a release can be seen before it is live. The supervisor keeps one such set, that of the
 * release which was asked for last; a release whose set is not resident any more is asked for again.
 * @returns a function that throws a Problem where the set cannot be had: 404 or 409 where it never will be, else 503
 */
export function previewSets({ sets, url, deadlineMs }: PreviewSetsOptions): (release: string) => Promise<ChosenSet> {
  const asking = new Map<string, Promise<ChosenSet>>();

  async function ask(release: string): Promise<ChosenSet> {
    const signal = AbortSignal.timeout(deadlineMs);
    const [name, version] = release.split('@', 2);
    const answer = await fetch(`${url}/previews`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ name, version }),
      signal,
    }).catch((cause) => {
      throw unavailable(503, 'The shell does not answer.', cause);
    });
    const text = await answer.text().catch(() => '');
    if (!answer.ok) throw unavailable(answer.status, detailOf(text));
    // The pointer is how every process of the gateway learns where it listens.
    for (;;) {
      const set = sets.preview(release);
      if (set) return set;
      if (signal.aborted) throw unavailable(503, 'Its workers did not come up in time.');
      await pause(pollMs);
    }
  }

  return async (release) => {
    const resident = sets.preview(release);
    if (resident) return resident;
    // One question for all who wait for the same.
    const asked = asking.get(release) ?? ask(release).finally(() => asking.delete(release));
    asking.set(release, asked);
    return asked;
  };
}

function unavailable(status: number, detail: string, cause?: unknown): Problem {
  const text = `This preview cannot be shown. ${detail} Open /_preview/end to leave it.`;
  if (status === 404) return new Problem(404, 'Not found', { detail: text });
  if (status === 409) return new Problem(409, 'Conflict', { detail: text });
  return new Problem(503, 'Service unavailable', { detail: text, headers: { 'Retry-After': '5' }, cause });
}

/** What the supervisor's problem says, which is meant for whoever previews. */
function detailOf(text: string): string {
  try {
    const problem: unknown = JSON.parse(text);
    if (typeof problem === 'object' && problem !== null && 'detail' in problem) return String(problem.detail).slice(0, 500);
  } catch {}
  return '';
}
