/** The news desk of the journeys' site, with a token of its own. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const staff = path.join(import.meta.dirname, '../../stack/src/commands/staff.ts');
const service = 'http://127.0.0.1:13201/staff/news';

/** Asks it as an editor whom the operator's command has just let in. */
export async function openDesk() {
  const env = { ...process.env, DATA_DIR: path.join(import.meta.dirname, '../.data') };
  const { stdout } = await promisify(execFile)(process.execPath, [staff, 'add', 'Security', '--role', 'editor'], { env });
  const authorization = `Bearer ${stdout.split('\n', 1)[0]}`;
  const ask = (method: string, address: string, body?: unknown, etag?: string) =>
    fetch(service + address, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...(etag && { 'if-match': etag }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    ask,
    /** Puts an item on the site. */
    publish: async (item: { newsId: string; title: string; excerpt: string; body: string }) => {
      const created = await ask('POST', '', { language: 'en', category: 'company', ...item });
      if (created.status !== 201) throw new Error(`${item.newsId}: ${created.status} ${await created.text()}`);
      const published = await ask('POST', `/${item.newsId}/publish`, undefined, '"r1"');
      if (published.status !== 200) throw new Error(`${item.newsId}: ${published.status}`);
    },
  };
}
