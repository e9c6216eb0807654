/** `pnpm inquiries`: what the office does with inquiries. */
import { parseArgs } from 'node:util';
import { CommandFailed, minute, runCommand, table, UsageError } from '@colonnade/release/command';
import { changeInquiry, exportInquiries, type InquiryDetail, type InquiryFilter, listInquiries, readInquiry } from './inquiries-client.ts';

const usage = `What visitors have asked, and what became of it.

  pnpm inquiries list                              the newest 50
  pnpm inquiries show <reference>                  everything about one
  pnpm inquiries assign <reference> <name>         who answers (--nobody: nobody)
  pnpm inquiries status <reference> <status>       new, in-progress, answered, closed
  pnpm inquiries close <reference>                 --reason "…" where there is one
  pnpm inquiries note <reference> "…"              for your colleagues
  pnpm inquiries resend <reference> office|visitor sends a mail again that was given up
  pnpm inquiries export > inquiries.csv            a table for Excel or LibreOffice (--bom for Excel)
  pnpm inquiries erase <reference> --yes           takes out everything personal, for good

list and export take  --status  --category  --assignee <name or none>  --from 2026-01-01  --to 2026-12-31
list also takes       --all (not only the newest 50)
categories            product (Quotation), calibration (Calibration), repair (Repair or spare part), documents (Documents),
                      other (Something else)

COLONNADE_TOKEN is your token; INQUIRY_URL the inquiry service (default: this machine's, at INQUIRY_PORT or 3202).`;

const pageSize = 50;
const filterOptions = {
  status: { type: 'string' },
  category: { type: 'string' },
  assignee: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const;

const changed = (what: string) => (inquiry: InquiryDetail) => console.log(`${inquiry.reference}: ${what}`);

const commands: Record<string, (args: string[]) => Promise<void>> = {
  list: async (args) => {
    const { values } = parseArgs({ args, options: { ...filterOptions, all: { type: 'boolean', default: false } } });
    const { all, ...filter } = values;
    const rows: string[][] = [];
    let next: string | null | undefined;
    do {
      const page = await listInquiries(filter as InquiryFilter, { limit: pageSize, ...(next && { cursor: next }) });
      for (const item of page.items) {
        const person = item.erased ? '(erased)' : [item.name, item.company].filter(Boolean).join(', ');
        const failed = Object.entries(item.mails).flatMap(([kind, state]) => (state === 'failed' ? [`mail to ${kind} failed`] : []));
        rows.push([
          item.reference,
          minute(item.receivedAt),
          item.status,
          item.category,
          item.assignee ?? '-',
          plain(person),
          failed.join(', '),
        ]);
      }
      next = page.next;
    } while (all && next);
    if (rows.length === 0) return console.log('There are none.');
    console.log(table(['reference', 'received (UTC)', 'status', 'subject', 'who', 'from', ''], rows));
    if (next) console.log(`\nThere are more. Add --all, or a filter such as --status new.`);
  },
  show: async (args) => print(await readInquiry(only(args, 'show <reference>'))),
  assign: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { nobody: { type: 'boolean', default: false } }, allowPositionals: true });
    const [reference, ...name] = positionals;
    if (reference === undefined || values.nobody === name.length > 0) throw new UsageError('Give a reference and a name, or --nobody.');
    const assignee = values.nobody ? null : name.join(' ');
    await changeInquiry(reference, { method: 'PUT', what: 'assignee', body: { assignee } }).then(changed(assignee ?? 'nobody'));
  },
  status: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { reason: { type: 'string' } }, allowPositionals: true });
    const [reference, status] = positionals;
    if (reference === undefined || status === undefined || positionals.length > 2) throw new UsageError('Give a reference and a status.');
    await setStatus(reference, status, values.reason);
  },
  close: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { reason: { type: 'string' } }, allowPositionals: true });
    await setStatus(only(positionals, 'close <reference>'), 'closed', values.reason);
  },
  note: async (args) => {
    const [reference, ...words] = parseArgs({ args, options: {}, allowPositionals: true }).positionals;
    if (reference === undefined || words.length === 0) throw new UsageError('Give a reference and the note.');
    await changeInquiry(reference, { method: 'POST', what: 'notes', body: { text: words.join(' ') } }).then(changed('noted'));
  },
  resend: async (args) => {
    const [reference, kind, more] = args;
    if (reference === undefined || (kind !== 'office' && kind !== 'visitor') || more !== undefined)
      throw new UsageError('Give a reference and which mail: office or visitor.');
    await changeInquiry(reference, { method: 'POST', what: `mails/${kind}/resend` }).then(changed('the mail is sent again'));
  },
  export: async (args) => {
    const { values } = parseArgs({ args, options: { ...filterOptions, bom: { type: 'boolean', default: false } } });
    const { bom, ...filter } = values;
    if (process.stdout.isTTY) throw new UsageError('Say where to: pnpm inquiries export > inquiries.csv');
    try {
      for await (const chunk of await exportInquiries(filter as InquiryFilter, bom)) await written(chunk);
    } catch (error) {
      if (error instanceof CommandFailed) throw error;
      throw new CommandFailed('The export broke off: the file is not whole. Please repeat it.');
    }
  },
  erase: async (args) => {
    const { values, positionals } = parseArgs({ args, options: { yes: { type: 'boolean', default: false } }, allowPositionals: true });
    const reference = only(positionals, 'erase <reference> --yes');
    if (!values.yes) {
      const { receivedAt, category } = await readInquiry(reference);
      throw new CommandFailed(
        `This takes out name, address, message, notes and mails of ${reference} (${category}, ${minute(receivedAt)}) for good.\nIf you mean it, add --yes.`,
      );
    }
    await changeInquiry(reference, { method: 'POST', what: 'erase' }).then(changed('erased'));
  },
};

async function setStatus(reference: string, status: string, reason: string | undefined): Promise<void> {
  await changeInquiry(reference, { method: 'PUT', what: 'status', body: { status, reason } }).then(changed(status));
}

function only(args: string[], how: string): string {
  const [one] = args;
  if (one === undefined || args.length !== 1) throw new UsageError(`Use it so: pnpm inquiries ${how}`);
  return one;
}

function print(inquiry: InquiryDetail): void {
  const { erased } = inquiry;
  const fields = [
    ['Reference', inquiry.reference],
    ['Received', `${minute(inquiry.receivedAt)} UTC`],
    ['Subject', inquiry.category],
    ['Status', [inquiry.status, inquiry.closedAt && `since ${minute(inquiry.closedAt)}`, inquiry.closingReason].filter(Boolean).join(', ')],
    ['Who', inquiry.assignee ?? '-'],
    ...(erased ? [['Person', 'erased']] : []),
    ...(erased
      ? []
      : [
          ['Name', inquiry.name],
          ['Company', inquiry.company || '-'],
          ['Email', inquiry.email],
        ]),
    ...inquiry.mails.map(({ kind, state, attempts, sentAt, failure }) => [
      `Mail to ${kind}`,
      [state, sentAt && minute(sentAt), failure && `${failure}, ${attempts} attempts`].filter(Boolean).join(', '),
    ]),
  ];
  for (const [label = '', value] of fields) console.log(`${label}:`.padEnd(17) + plain(value ?? ''));
  if (!erased) console.log(`\n${plain(inquiry.message ?? '')}`);
  for (const { at, by, text } of inquiry.notes) console.log(`\nNote, ${minute(at)}, ${by.name}:\n${plain(text ?? '(erased)')}`);
  if (inquiry.history.length > 0) console.log('\nHistory:');
  for (const { at, by, action, to } of inquiry.history) console.log(`  ${minute(at)}  ${by.name}: ${action}${to ? ` ${to}` : ''}`);
}

/** What a visitor wrote is shown, not obeyed: no control character reaches the terminal. */
function plain(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, ' ');
}

async function written(chunk: Uint8Array): Promise<void> {
  await new Promise<void>((resolve) => process.stdout.write(chunk, () => resolve()));
}

await runCommand(usage, async ([command = '', ...args]) => {
  // `pnpm inquiries list | head` closes the pipe early, which is no failure.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (run === undefined) throw new UsageError(`There is no command ${command}.`);
  await run(args);
});
