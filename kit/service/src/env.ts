/**
 * Environment variables, read once at start and checked before anything else happens. Each process describes its own in
 * its `env.ts`. What a parent tells a process as it starts it (`LISTEN_FDS`, `SUCCESSOR_FIRST`) is read where it is used.
 */
import { isIP } from 'node:net';
import { z } from 'zod';

const httpUrl = z.url({ protocol: /^https?$/, error: 'must be a URL that starts with http:// or https://' });

/** For release sets, after the shell supervisor's own: more sets than this are never resident at once, with those that drain. */
export const setPorts = 16;

const portBetween = (least: number, most: number, why = '') => {
  const error = `must be a port number from ${least} to ${most}${why}`;
  return z
    .string()
    .regex(/^\d{1,5}$/, error)
    .transform(Number)
    .refine((port) => port >= least && port <= most, error);
};

/** The fields that several processes describe in the same way. Give a default with `.default(…)`. */
export const field = {
  /** A TCP port; 0 lets the system choose. */
  port: portBetween(0, 65_535),
  /** One by which others find it. */
  fixedPort: portBetween(1, 65_535),
  /** Of the shell's supervisor. */
  shellPort: portBetween(1, 65_535 - setPorts, ', as release sets listen on the sixteen after it'),
  /** An http or https URL. */
  url: httpUrl,
  /** Of the site or of one of our own processes. */
  origin: httpUrl.refine(hasNoPath, 'must have no path'),
  /** A MongoDB connection string. Its value is never printed: it holds a password. */
  mongodbUri: z.string().regex(/^mongodb(?:\+srv)?:\/\/[^/\s]+/, 'must be a MongoDB connection string (mongodb://…)'),
  /** A switch: `true` or `false`. */
  flag: z.enum(['true', 'false'], 'must be true or false').transform((value) => value === 'true'),
  logLevel: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'must be a pino level, such as info'),
};

/** One line per variable that is missing or wrong, or the parsed values. An empty string counts as unset. */
export function checkEnv<S extends z.ZodObject>(
  schema: S,
  source: Readonly<Record<string, string | undefined>>,
): { values: z.infer<S>; errors?: undefined } | { errors: string[] } {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => (source[name] === undefined || source[name] === '' ? [] : [[name, source[name]]])),
  );
  const result = schema.safeParse(given);
  if (result.success) return { values: result.data };
  return {
    errors: result.error.issues.map((issue) => {
      const name = String(issue.path[0] ?? 'environment');
      return `${name}: ${name in given || issue.code === 'custom' ? issue.message : 'is required'}`;
    }),
  };
}

/** The parsed environment. Prints what is wrong, one plain line per variable, and ends the process with 1 where it does not fit. */
export function readEnv<S extends z.ZodObject>(schema: S, source: Readonly<Record<string, string | undefined>> = process.env): z.infer<S> {
  const result = checkEnv(schema, source);
  if (result.errors === undefined) return result.values;
  process.stderr.write(result.errors.map((line) => `${line}\n`).join(''));
  process.exit(1);
}

/** An address or a network, such as `10.0.0.0/8`. */
export function isNetwork(entry: string): boolean {
  const [address = '', bits, ...rest] = entry.split('/');
  return (
    isIP(address) > 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= (isIP(address) === 4 ? 32 : 128)))
  );
}

function hasNoPath(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed === null || (parsed.pathname === '/' && parsed.search === '' && parsed.hash === '');
}
