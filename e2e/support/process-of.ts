import { processes } from '../../kit/service/fixtures/processes.ts';

/**
 * The id of the process that runs a script with this variable in its environment, where there is one. A part of a site is
 * known by its port: `processOf('gateway/src/main.ts', 'PORT=14000')`.
 */
export function processOf(script: string, variable: string): number | undefined {
  return processes().find(({ command, environment }) => command.includes(script) && environment.includes(variable))?.pid;
}
