import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const module = JSON.stringify(import.meta.resolve('./log.ts'));
// The tests' own environment silences it.
const env = { ...process.env, LOG_LEVEL: 'info' };
const withLog = (code: string) => [
  '--input-type=module',
  '--eval',
  `import { createLog } from ${module}; const log = createLog('test'); ${code}`,
];

describe('the log', () => {
  it('has every line in order when the process ends, also what was logged last', async () => {
    const { stdout } = await run(process.execPath, withLog(`for (let n = 0; n < 5000; n++) log.info({ n }, 'line'); process.exit(0);`), {
      env,
      maxBuffer: 2 ** 24,
    });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 5000 }, (_, n) => n));
  });

  it('writes lines while the process goes on', async () => {
    const child = spawn(process.execPath, withLog(`log.warn('first'); setInterval(() => {}, 1000);`), { env });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = await once(createInterface(child.stdout), 'line');
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', name: 'test', msg: 'first', time: expect.stringMatching(/^\d{4}-.*Z$/) });
  });

  it('does not keep a process alive', async () => {
    const { stdout } = await run(process.execPath, withLog(`log.info('only')`), { env, timeout: 20_000 });
    expect(JSON.parse(stdout)).toMatchObject({ msg: 'only' });
  });

  it('names the trace of which a line is part', async () => {
    const trace = JSON.stringify(import.meta.resolve('./trace.ts'));
    const code = `const { inTrace } = await import(${trace});
      inTrace({ id: 'a1', flags: '00' }, () => setTimeout(() => log.info({ n: 1 }, 'in'), 1)); log.info('out');`;
    const { stdout } = await run(process.execPath, withLog(code), { env });
    const [out, within] = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(within).toMatchObject({ msg: 'in', n: 1, traceId: 'a1' });
    expect(out).not.toHaveProperty('traceId');
  });

  it('says of an error what happened and where, not the values it happened with', async () => {
    const { stdout } = await run(
      process.execPath,
      withLog(`log.error({ err: Object.assign(new Error('refused', { cause: 7 }), { code: 121, errInfo: { name: 'Anna' } }) })`),
      { env },
    );
    const { err } = JSON.parse(stdout);
    expect(err).toEqual({ type: 'Error', message: 'refused', stack: expect.stringContaining('at '), code: 121, cause: { type: 'number' } });
  });

  it('has a line for an error whose causes end in a circle', async () => {
    const code = `const err = new Error('first'); err.cause = new Error('second', { cause: err }); log.error({ err }, 'failed');`;
    const { stdout } = await run(process.execPath, withLog(code), { env });
    expect(JSON.parse(stdout)).toMatchObject({
      msg: 'failed',
      err: { message: 'first', cause: { message: 'second', cause: { message: 'first' } } },
    });
  });
});
