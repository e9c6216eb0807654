/** What the commands share: plain words instead of stacks, exit codes, tables. */
import { ReleaseRefused } from '../src/refusal.ts';

/** Told to whoever typed the command, without a stack. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The command was not understood: its usage is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs a command and ends the process: 0 done, 1 failed, 2 not understood. */
export async function runCommand(usage: string, run: (args: string[]) => Promise<void>): Promise<void> {
  const args = process.argv.slice(2);
  // `pnpm mfe -- status` hands the two hyphens on.
  if (args[0] === '--') args.shift();
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(usage);
    process.exitCode = args.length === 0 ? 2 : 0;
    return;
  }
  try {
    await run(args);
  } catch (error) {
    const parsing = error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
    const foreseen = error instanceof CommandFailed || error instanceof ReleaseRefused;
    if (error instanceof UsageError || parsing) console.error(`${(error as Error).message}\n\n${usage}`);
    else console.error(foreseen ? error.message : error);
    process.exitCode = error instanceof UsageError || parsing ? 2 : 1;
  }
}

/** Columns as wide as their widest cell. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map((cell) => cell.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

/** A time as a table has it: to the minute, in UTC. */
export function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
