/** Mail of a process that runs out of descriptors. */
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import t from 'tap';
import { startSmtp } from '../../support/smtp.ts';

/** Sends a message without a descriptor, and one with. Node keeps what failed to load, so it has a process of its own. */
const program = `
  import { spawnSync } from 'node:child_process';
  import { closeSync, openSync, readdirSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  import { Mailer } from './src/outbound/mail/mailer.ts';

  const warnings = [];
  const log = { warn: ({ cause }) => warnings.push(cause) };
  const mailer = new Mailer({ url: process.argv[1], from: 'b@example.com', log });
  // Nothing else loads what it connects with. It is on its way then, and loaded when the same import has ended.
  const hasBegun = () => process.moduleLoadList.includes('NativeModule tls');
  for (let n = 0; n < 400 && !hasBegun(); n++) await delay(50);
  if (hasBegun()) await import('nodemailer');
  spawnSync('prlimit', ['--pid', String(process.pid), '--nofile=' + (readdirSync('/proc/self/fd').length + 64) + ':']);
  const taken = [];
  const take = () => {
    try {
      for (;;) taken.push(openSync('/dev/null', 'r'));
    } catch {}
    return taken.length;
  };
  // Until what loaded this program closes no more of its own.
  for (let count = 0; count !== take(); count = taken.length) await delay(100);
  const send = () => mailer.post({ to: 'a@example.com', subject: 'x', text: 'x' }).catch(({ message }) => message);
  const without = await send();
  for (const fd of taken) closeSync(fd);
  console.log(JSON.stringify([without, await send(), warnings.length]));
`;

t.test('goes out as soon as there is one again', async (t) => {
  const { url, received } = await startSmtp(t);
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  t.strictSame(JSON.parse(await text(child.stdout)), ['away', 'sent', 1]);
  t.match(received, [{ to: ['a@example.com'] }]);
});
