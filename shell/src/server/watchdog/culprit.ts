import type { Work } from '../containment/work.ts';

/** A release whose code runs in this process. */
export interface LoadedRelease {
  mfe: string;
  version: string;
  /** `file:` URL of its folder, with a slash at the end. */
  base: string;
}

/**
 * Works out whose doing it is that the main thread is where it is.
 * @param frames URL of the script of each call frame, innermost first
 * @param work what the running code belongs to
 */
export function culpritOf(frames: string[], work: Work | undefined, releases: LoadedRelease[]): Omit<Work, 'slots'> | undefined {
  const requestId = work?.requestId;
  const running = frames.map((url) => releases.find(({ base }) => url.startsWith(base))).find((release) => release !== undefined);
  if (!running) return work && { mfe: work.mfe, version: work.version, part: work.part, requestId };
  const { mfe, version } = running;
  if (!work || work.mfe === mfe) return { mfe, version, part: work?.part, requestId };
  // In the page of one team runs the code of another: that is a slot.
  return { mfe, version, part: work.slots?.find((slot) => slot.mfe === mfe)?.part, requestId };
}
