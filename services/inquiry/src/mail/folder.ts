/** Mail into a folder, where there is no SMTP server: one .eml file each, which a mail program opens. */
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import { DeliveryFailed, messageOf, type Transport } from './transport.ts';

const fileName = /^(NV-[0-9A-Z]{4}-[0-9A-Z]{4})\.(?:office|visitor)\.(?:eml|[0-9]+\.new)$/;

/** A transport that writes `{reference}.{kind}.eml`. A file is there whole or not at all; the same mail again takes its place. */
export function folderTransport(dir: string): Transport {
  const composer = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    deliver: async (mail) => {
      try {
        const { message } = await composer.sendMail(messageOf(mail));
        await writeWhole(dir, mail.messageId.slice(1, mail.messageId.indexOf('@')), message as Buffer);
      } catch (error) {
        throw new DeliveryFailed((error as NodeJS.ErrnoException).code ?? 'unknown', false);
      }
    },
  };
}

async function writeWhole(dir: string, name: string, content: Buffer): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const unfinished = path.join(dir, `${name}.${process.pid}.new`);
  // It holds what a visitor wrote: for the owner of the process only.
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path.join(dir, `${name}.eml`));
}

/** The references of which the folder has mails, unfinished ones too. */
export async function referencesIn(dir: string): Promise<string[]> {
  const names = await readdir(dir).catch(ignoreMissing);
  return [...new Set(names.flatMap((name) => fileName.exec(name)?.[1] ?? []))];
}

/** Deletes all mails of these inquiries. @returns how many files there were */
export async function removeMails(dir: string, references: readonly string[]): Promise<number> {
  const names = await readdir(dir).catch(ignoreMissing);
  const wanted = new Set(references);
  const found = names.filter((name) => wanted.has(fileName.exec(name)?.[1] ?? ''));
  await Promise.all(found.map((name) => rm(path.join(dir, name), { force: true })));
  return found.length;
}

function ignoreMissing(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
