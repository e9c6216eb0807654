import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

/**
 * Finds a Chromium for the browser journeys, installing Debian's where nothing else is there.
 * @returns its path; undefined: Playwright has its own
 * @throws an Error that tells a person what to do
 */
export async function findBrowser(tell: (line: string) => void): Promise<string | undefined> {
  const found = process.env.CHROMIUM ?? (await playwrightsOwn()) ?? onPath();
  if (found !== undefined) return found === '' ? undefined : found;
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    tell('installing chromium with apt-get');
    await run('apt-get', ['update'], { timeout: 300_000 });
    await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-liberation', 'fonts-noto-cjk'], {
      timeout: 600_000,
      maxBuffer: 1e8,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    });
    const installed = onPath();
    if (installed) return installed;
  }
  throw new Error(
    'The browser journeys need a Chromium. Install one (`npx playwright install chromium`, or your system’s package), or set CHROMIUM to its path.',
  );
}

/** Playwright's browser, where it was installed before: the empty string. */
async function playwrightsOwn(): Promise<string | undefined> {
  try {
    const { chromium } = await import('playwright');
    return existsSync(chromium.executablePath()) ? '' : undefined;
  } catch {
    return undefined;
  }
}

function onPath(): string | undefined {
  for (const dir of (process.env.PATH ?? '').split(path.delimiter)) {
    for (const name of names) if (existsSync(path.join(dir, name))) return path.join(dir, name);
  }
  return undefined;
}
