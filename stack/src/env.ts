import { field, readEnv } from '@colonnade/service/env';
import * as z from 'zod';

/**
 * Environment of `pnpm start` and `pnpm dev`. It hands every process what that process needs; each process's own
 * `env.ts` lists what else can be set, and finds it in the same environment. Secrets reach only the process that they are for.
 * What makes the parts one site is not to be set: the addresses at which they find each other, the root key and the shell's
 * token, the ops port's address (OPS_HOST), the sample content of an empty database.
 */
export const readStackEnv = () =>
  readEnv(
    z.object({
      /** Where the public port listens, and nothing else. Default: every address of the machine. */
      HOST: z.string().default(''),
      PORT: field.fixedPort.default(3000),
      OPS_PORT: field.fixedPort.default(3001),
      /** The supervisor's port; release sets listen on the sixteen after it. */
      SHELL_PORT: field.shellPort.default(3100),
      NEWS_PORT: field.fixedPort.default(3201),
      INQUIRY_PORT: field.fixedPort.default(3202),
      REGISTRY_PORT: field.fixedPort.default(3203),
      /** Port of the embedded MongoDB; 0 lets the system choose. */
      MONGO_PORT: field.port.default(3217),
      /** A replica set to use instead of the embedded MongoDB. */
      MONGODB_URI: field.mongodbUri.optional(),
      /** Everything that outlives a restart: database, releases, logs. */
      DATA_DIR: z.string().default('.data'),
      /** The inquiry service's mail server; without it mails are files in MAIL_DIR, by default `DATA_DIR/mail`. */
      SMTP_URL: z.string().optional(),
      MAIL_DIR: z.string().optional(),
      /** Signs links to previews. Default: a key made once for DATA_DIR. */
      PREVIEW_KEY: z.string().optional(),
      /** Services of further teams, for loaders and actions beside `news` and `inquiry`: `jobs=http://127.0.0.1:4001`. */
      SERVICES: z.string().optional(),
      SITE_ORIGIN: field.origin.optional(),
      ALLOWED_HOSTS: z.string().default('localhost,127.0.0.1,[::1]'),
    }),
  );
export type StackEnv = ReturnType<typeof readStackEnv>;
