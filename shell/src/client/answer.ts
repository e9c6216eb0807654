import type { DataAnswer } from '../set-table.ts';

/** This document cannot show the page (another release set is live, a file is gone, no answer): the server has to. */
export class NeedsDocument extends Error {
  override name = 'NeedsDocument';
}

export interface FetchedAnswer {
  answer: DataAnswer;
  /** Whether it may be shown again later. */
  storable: boolean;
}

/**
 * Fetches route data from, or posts a form to, the page's own URL. `_data` names the release set of this document, so
 * that no other set can answer.
 * @throws NeedsDocument where the answer is not of this set
 */
export async function fetchAnswer(url: URL, set: string, form: FormData | null, signal?: AbortSignal): Promise<FetchedAnswer> {
  const target = new URL(url);
  target.hash = '';
  target.searchParams.set('_data', set);
  try {
    const response = await fetch(target, { method: form ? 'POST' : 'GET', body: form && formBody(form), signal });
    if (response.headers.get('Content-Type')?.startsWith('application/json')) {
      const answer = (await response.json()) as DataAnswer;
      if (answer.set === set) return { answer, storable: !response.headers.get('Cache-Control')?.includes('no-store') };
    } else if (form && response.status !== 409 && response.status >= 400)
      return { answer: { set, status: response.status }, storable: false };
    throw new NeedsDocument(`answer ${response.status}`);
  } catch (error) {
    if (error instanceof NeedsDocument) throw error;
    if (!form || signal?.aborted) throw error instanceof DOMException ? error : new NeedsDocument('no answer', { cause: error });
    // Leaving the page would lose what was typed; the page can say it. Whether it has arrived nobody knows here.
    const errors = { noAnswer: 'No answer came: the connection may be lost.' };
    const values = Object.fromEntries([...form].filter((field): field is [string, string] => typeof field[1] === 'string'));
    return { answer: { set, status: 422, errors, values }, storable: false };
  }
}

/** As a form without files is sent by a browser. */
function formBody(form: FormData): URLSearchParams | FormData {
  const fields = [...form];
  return fields.every(([, value]) => typeof value === 'string') ? new URLSearchParams(fields as [string, string][]) : form;
}
