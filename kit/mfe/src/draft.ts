/**
 * What a visitor has typed into a form and not yet sent, kept in the tab: a reload, a release set that has gone, a page
 * that failed do not lose it. `sessionStorage` belongs to one tab and ends with it; nothing of it leaves the browser.
 */
type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
/** By field name, in the order of the form; a box that is not ticked has none. */
type Draft = Record<string, string[]>;

/** Not what a visitor types, or not ours to keep; but for `data-draft`. */
const leftOut = new Set(['hidden', 'password', 'file', 'submit', 'button', 'image', 'reset']);
/** What answers have brought back and is kept. A form may leave the page and come again with the same answer. */
const echoes = new WeakSet<Record<string, string>>();

/** Keeps what the form of a page holds now. */
export function keepDraft(path: string, form: HTMLFormElement): void {
  keep(path, fields(form));
}

/**
 * Keeps what an answer to a page's form has brought back, once: it was written after all that is kept, where it was sent
 * before the page was brought to life. What it has not brought back stays as it is kept.
 */
export function keepEcho(path: string, form: HTMLFormElement, values: Record<string, string>): void {
  if (echoes.has(values)) return;
  echoes.add(values);
  const echoed = fields(form).filter(({ name }) => Object.hasOwn(values, name));
  // A loader that refuses may give a form its key; nothing of that was written by anybody.
  if (echoed.some(({ type }) => type !== 'hidden')) keep(path, echoed, Object.fromEntries(readDraft(path)));
}

function keep(path: string, held: Field[], before: Draft = {}): void {
  const draft: Draft = {};
  for (const field of held) {
    draft[field.name] ??= [];
    draft[field.name]?.push(...heldBy(field));
  }
  withStorage((storage) => {
    storage.setItem(keyOf(path), JSON.stringify({ ...before, ...draft }));
    storage.removeItem(sentKeyOf(path));
  });
}

/** What is kept is under way, as it is. */
export function sendDraft(path: string): void {
  withStorage((storage) => storage.setItem(sentKeyOf(path), ''));
}

/** What was sent has arrived. What has been typed since is none of it: the page that says so may be come back to. */
export function forgetSent(path: string): void {
  if (withStorage((storage) => storage.getItem(sentKeyOf(path))) === '') forgetDraft(path);
}

/**
 * Makes the fields of a page's form hold what was kept: what is shown again is not under way. What the visitor has changed meanwhile
 * stays, with all fields of its name.
 */
export function restoreDraft(path: string, form: HTMLFormElement): void {
  withStorage((storage) => storage.removeItem(sentKeyOf(path)));
  const draft = readDraft(path);
  const known = fields(form).filter(({ name }) => draft.has(name));
  const changed = new Set(known.filter(isChanged).map(({ name }) => name));
  for (const field of known) {
    const values = draft.get(field.name) ?? [];
    if (changed.has(field.name)) continue;
    if (isBox(field)) field.checked = values.includes(field.value);
    else if (isMultiple(field)) for (const option of field.options) option.selected = values.includes(option.value);
    else field.value = values.shift() ?? field.value;
  }
}

/** What was kept of one field of a page's form. */
export function draftOf(path: string, name: string): string | undefined {
  return readDraft(path).get(name)?.[0];
}

/** The form has arrived: what was typed is no draft any more. */
export function forgetDraft(path: string): void {
  withStorage((storage) => {
    for (const key of [keyOf(path), sentKeyOf(path)]) storage.removeItem(key);
  });
}

function readDraft(path: string): Map<string, string[]> {
  const kept = withStorage((storage) => storage.getItem(keyOf(path)));
  return new Map(Object.entries(kept ? (JSON.parse(kept) as Draft) : {}));
}

const keyOf = (path: string) => `draft:${path}`;
const sentKeyOf = (path: string) => `sent:${path}`;

function fields(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (element): element is Field =>
      (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) &&
      element.name !== '' &&
      element.autocomplete !== 'off' &&
      ('draft' in element.dataset || !leftOut.has(element.type)),
  );
}

function isBox(field: Field): field is HTMLInputElement {
  return field.type === 'checkbox' || field.type === 'radio';
}

function isMultiple(field: Field): field is HTMLSelectElement {
  return field.type === 'select-multiple';
}

/** What a form would send of a field. */
function heldBy(field: Field): string[] {
  if (isBox(field)) return field.checked ? [field.value] : [];
  return isMultiple(field) ? Array.from(field.selectedOptions, ({ value }) => value) : [field.value];
}

/** Whether a field holds anything but what it came with. */
function isChanged(field: Field): boolean {
  const form = document.createElement('form');
  const asItCame = field.cloneNode(true) as Field;
  form.append(asItCame);
  form.reset();
  return JSON.stringify(heldBy(asItCame)) !== JSON.stringify(heldBy(field));
}

/** A browser may refuse the storage, or have no room left: then nothing is kept, and the form works all the same. */
function withStorage<T>(use: (storage: Storage) => T): T | undefined {
  try {
    return use(sessionStorage);
  } catch {
    return undefined;
  }
}
