/** Visitors who go on asking while something happens to the site. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { inquiry, pages } from '../support/site.ts';
import { origin } from './site.ts';

const paths = [...pages.map(({ path }) => path), '/api/news'];
const patienceMs = 15_000;

export interface Answer {
  status: number;
  body: string;
}

/** One request, without any retry; rejects where no whole answer comes. */
export function ask(path: string, { agent, post, key }: { agent?: Agent; post?: object; key?: string } = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const body = post && JSON.stringify(post);
    const outgoing = request(`${origin}${path}`, {
      agent: agent ?? new Agent(),
      method: body ? 'POST' : 'GET',
      headers: body ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), 'Idempotency-Key': key } : {},
      signal: AbortSignal.timeout(patienceMs),
    });
    outgoing.on('error', reject).on('response', (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      res.on('error', reject).on('end', () => resolve({ status: res.statusCode ?? 0, body: text }));
    });
    outgoing.end(body);
  });
}

/** Sends an inquiry once. */
export function submit(key: string, agent?: Agent): Promise<Answer> {
  return ask('/api/inquiries', { post: { ...inquiry, consent: true }, key, agent });
}

export interface Failure {
  client: number;
  what: string;
  startedAt: number;
  reason: string;
}

export interface Load {
  clients: number;
  asked(): number;
  failures: Failure[];
  stop(): Promise<void>;
}

/** Six readers and two who send inquiries, each on a connection of its own that it keeps. */
export function steadyLoad(): Load {
  const clients = 8;
  const failures: Failure[] = [];
  let asked = 0;
  let stopped = false;
  const one = async (client: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let i = client; !stopped; i++) {
      const posts = client < 2;
      const path = paths[i % paths.length] as string;
      const what = posts ? 'POST /api/inquiries' : `GET ${path}`;
      const startedAt = performance.now();
      asked++;
      await (posts ? submit(`load-${crypto.randomUUID()}`, agent) : ask(path, { agent })).then(
        ({ status }) => {
          if (status !== (posts ? 201 : 200)) failures.push({ client, what, startedAt, reason: String(status) });
        },
        (error: NodeJS.ErrnoException) => failures.push({ client, what, startedAt, reason: error.code ?? error.message }),
      );
      await pause(posts ? 100 : 40);
    }
    agent.destroy();
  };
  const ended = Promise.all(Array.from({ length: clients }, (_, client) => one(client)));
  return {
    clients,
    asked: () => asked,
    failures,
    stop: async () => {
      stopped = true;
      await ended;
    },
  };
}
