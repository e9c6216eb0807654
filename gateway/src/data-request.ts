/**
 * The release set that a request for a page's data names (`?_data=…`).
 * @param url path and query as the visitor sent them; a second `?` is part of the query
 * @returns null where a document is asked for
 */
export function dataSetOf(url: string): string | null {
  const query = url.indexOf('?');
  return query < 0 ? null : new URLSearchParams(url.slice(query + 1)).get('_data');
}
