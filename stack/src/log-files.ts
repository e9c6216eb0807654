import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** What the privacy page promises of server logs. */
const keptMs = 30 * 86_400_000;
/** The time of a line of ours (`time`) and of mongod's (`$date`). */
const lineTime = /"(?:time|\$date)":"([^"]+)"/;

/**
 * Takes out of the logs in a folder what is older than thirty days.
 * @param whose names of logs that nobody writes meanwhile
 */
export async function forgetOldLines(logDir: string, whose: RegExp): Promise<void> {
  const oldest = Date.now() - keptMs;
  for (const name of (await readdir(logDir)).filter((each) => whose.test(each))) {
    const file = path.join(logDir, name);
    const from = await firstSince(oldest, file);
    if (from === undefined) await rm(file);
    else if (from > 0) {
      await pipeline(createReadStream(file, { start: from }), createWriteStream(`${file}.new`));
      await rename(`${file}.new`, file);
    }
  }
}

/** The byte at which the lines since a time begin; undefined where there is none. A line without a time belongs to the one before. */
async function firstSince(time: number, file: string): Promise<number | undefined> {
  let offset = 0;
  // In this encoding a character is a byte.
  for await (const line of createInterface(createReadStream(file, 'latin1'))) {
    const at = lineTime.exec(line)?.[1];
    if (at !== undefined && Date.parse(at) >= time) return offset;
    offset += line.length + 1;
  }
  return undefined;
}
