import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import type { Mail } from './compose.ts';
import { smtpTransport } from './smtp.ts';

const office = { name: '', address: 'office@nollvik.example' };
const mail: Mail = {
  messageId: '<NV-7K2M-Q0XD.office@nollvik.example>',
  from: office,
  to: office,
  replyTo: office,
  subject: 'Inquiry',
  text: 'How long does a calibration take?',
  autoSubmitted: 'auto-generated',
};
/** What a server says to each step of a mail. */
const answers = { EHLO: '250 a', MAIL: '250 b', RCPT: '250 c', DATA: '354 d', message: '250 e' };
type Step = keyof typeof answers;

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** Delivers a mail to a server of which nothing is heard from this step on. @returns when it is silent */
async function deliverUntil(silent: Step) {
  const arrived = Promise.withResolvers<Socket>();
  const server = createServer((socket) => {
    const steps = Object.keys(answers) as Step[];
    let said = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      said += chunk;
      if (!said.endsWith(steps[0] === 'message' ? '\r\n.\r\n' : '\r\n')) return;
      said = '';
      const step = steps.shift();
      if (step === silent) arrived.resolve(socket);
      else if (step) socket.write(`${answers[step]}\r\n`);
    });
    socket.write('220 mail.example\r\n');
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const delivery = smtpTransport(`smtp://127.0.0.1:${port}`).deliver(mail);
  const settled = vi.fn();
  delivery.then(settled, settled);
  const socket = await arrived.promise;
  return { delivery, settled, answer: () => socket.write(`${answers[silent]}\r\n`) };
}
/** Until what was due has been done. */
const after = async (ms: number) => {
  await vi.advanceTimersByTimeAsync(ms);
  await new Promise((resolve) => setImmediate(resolve));
};

it.each(['EHLO', 'MAIL', 'RCPT', 'DATA'] as const)(
  'leaves a server that is silent after %s, and has nothing yet, within a minute',
  async (step) => {
    const { delivery, settled } = await deliverUntil(step);
    await after(55_000);
    expect(settled).not.toHaveBeenCalled();
    await after(5_000);
    expect(settled).toHaveBeenCalled();
    await expect(delivery).rejects.toMatchObject({ name: 'DeliveryFailed', code: 'ETIMEDOUT', permanent: false });
  },
);

it('waits ten minutes for a server that has the message', async () => {
  const { delivery, settled, answer } = await deliverUntil('message');
  await after(595_000);
  expect(settled).not.toHaveBeenCalled();
  answer();
  await delivery;
});

it('waits no longer than ten minutes for a server that has the message', async () => {
  const { delivery, settled } = await deliverUntil('message');
  await after(600_000);
  expect(settled).toHaveBeenCalled();
  await expect(delivery).rejects.toMatchObject({ name: 'DeliveryFailed', code: 'ETIMEDOUT', permanent: false });
});
