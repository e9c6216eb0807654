import { readdirSync, readFileSync } from 'node:fs';

/**
 * The id of the process that runs a script with this variable in its environment; 0 where there is none. A part of a site is
 * known by its port: `processOf('gateway/src/main.ts', 'PORT=14000')`.
 */
export function processOf(script: string, variable: string): number {
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8');
      if (command.includes(script) && readFileSync(`/proc/${name}/environ`, 'utf8').split('\0').includes(variable)) return Number(name);
    } catch {
      // It has ended meanwhile.
    }
  }
  return 0;
}
