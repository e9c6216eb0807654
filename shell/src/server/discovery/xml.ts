/** Text for XML, between tags and in attributes. What XML cannot hold (control characters, lone surrogates) is left out. */
export function xml(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '').replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
}
