/**
 * The connection string of one database on the MongoDB that an operator named: each service gets a database of its own,
 * whatever path the string has.
 * @param uri `mongodb://user:password@host1,host2/path?options`; its credentials are looked up where they were before
 */
export function databaseUri(uri: string, database: string): string {
  const [, server = uri, path = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?([^?]*)\??(.*)$/.exec(uri) ?? [];
  const options = new URLSearchParams(query);
  // Without this, credentials would be looked for in the database that the path names now.
  if (server.includes('@') && !options.has('authSource')) options.set('authSource', path || 'admin');
  return `${server}/${database}${options.size > 0 ? `?${options}` : ''}`;
}
