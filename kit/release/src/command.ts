/** What the commands that people type share: plain words instead of stacks, exit codes, tables. */

/** Told to whoever typed the command, without a stack. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** The command was not understood: its usage is shown. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Runs the command of this process. Its exit code: 0 done, 1 failed, 2 not understood. */
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
    if (error instanceof UsageError || parsing) console.error(`${(error as Error).message}\n\n${usage}`);
    else console.error(error instanceof CommandFailed ? error.message : error);
    process.exitCode = error instanceof UsageError || parsing ? 2 : 1;
  }
}

/** Columns as wide as their widest cell; Chinese and Japanese characters take two places. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) => Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(places)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - places(cell))))
      .join('  ')
      .trimEnd();
  return [line(head), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n');
}

const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

function places(text: string): number {
  let sum = 0;
  for (const character of text) sum += wide.test(character) ? 2 : 1;
  return sum;
}

/** A time as a table has it: to the minute, in UTC. */
export function minute(time: string): string {
  return time.slice(0, 16).replace('T', ' ');
}
