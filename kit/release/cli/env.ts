/** The environment of the release tool. Read when a command runs, so that `--help` works whatever is set. */
import * as z from 'zod';
import { CommandFailed } from '../src/command.ts';

const url = z
  .url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' })
  .transform((text) => text.replace(/\/+$/, ''));

const schema = z.object({
  /** Where releases are published to. */
  REGISTRY_URL: url.default('http://127.0.0.1:3203'),
  /** Of `pnpm staff add "…" --role operator`. */
  COLONNADE_TOKEN: z.string().optional(),
  /** The team's private key: the path of its PEM file, or the PEM itself, as a pipeline's secret has it. */
  MFE_KEY: z.string().optional(),
  /** The path of the root's private key. */
  ROOT_KEY_FILE: z.string().optional(),
  /** What the build takes for the version, in place of package.json's. */
  MFE_VERSION: z.string().optional(),
  /** What preview links are signed with, the same as the gateway's. */
  PREVIEW_KEY: z.string().min(32, 'must have at least 32 characters, as the gateway has it').optional(),
  /** The site's public address, for preview links. */
  SITE_ORIGIN: url.default('http://localhost:3000'),
});

/** What no build needs, nor the plugins and the microfrontend that run in it. */
export const secrets = ['COLONNADE_TOKEN', 'MFE_KEY', 'ROOT_KEY_FILE', 'PREVIEW_KEY'] as const satisfies (keyof typeof schema.shape)[];

/** @throws CommandFailed that names each variable that is not as it should be, never its value */
export function readEnvironment(): z.infer<typeof schema> {
  // An empty variable, as a pipeline leaves it, is one that is not set.
  const given = Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new CommandFailed(result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'));
}
