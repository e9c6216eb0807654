/** A mail address of the company's own, from the settings. */
export interface Mailbox {
  /** Shown to people; may be empty. */
  name: string;
  address: string;
}

const mailbox = /^(?:(?:"([^<>"\p{Cc}]*)"\s*|([^<>"\p{Cc}]*))<([^\s<>@\p{Cc}]+@[^\s<>@,\p{Cc}]+)>|([^\s<>@\p{Cc}]+@[^\s<>@,\p{Cc}]+))$/u;

/** Reads `Nollvik <office@nollvik.example>` or `office@nollvik.example`; undefined where it is neither. */
export function readMailbox(text: string): Mailbox | undefined {
  const [, quoted, bare = '', named, plain] = mailbox.exec(text.trim()) ?? [];
  const address = named ?? plain;
  return address === undefined ? undefined : { name: quoted ?? bare.trim(), address };
}
