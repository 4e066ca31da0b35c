import { existsSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { SupervisedProcess } from '../../src/system/supervised-process.ts';
import { recordingLog } from '../redis/support.ts';
import { until } from '../support/until.ts';

const HOUR_MS = 3_600_000;

function supervise(t: Test, command: readonly string[], patienceMs = HOUR_MS, env = process.env) {
  const { log, messages } = recordingLog();
  const supervised = new SupervisedProcess({ name: 'test', command, env, patienceMs, log });
  t.teardown(() => supervised.stop());
  supervised.start();
  return { supervised, messages };
}

t.test('it runs again when it ends, until it is stopped', async (t) => {
  // It ends with its input.
  const { supervised, messages } = supervise(t, ['cat']);
  const first = Number(supervised.pid);
  process.kill(first, 'SIGKILL');
  await until('another one runs', () => ![first, undefined].includes(supervised.pid));
  t.same(messages, ['a process ended']);
  const second = Number(supervised.pid);
  await supervised.stop();
  await supervised.stop();
  t.equal(supervised.pid, undefined);
  t.throws(() => process.kill(second, 0), { code: 'ESRCH' });
  t.equal(messages.length, 1, 'an end that is wanted is no failure');
});

t.test('one that does not end is killed', async (t) => {
  const ready = join(t.testdir(), 'ready');
  // The child of the shell inherits that it ignores the signal.
  const script = `trap "" TERM; : >'${ready}'; exec cat`;
  const { supervised } = supervise(t, ['sh', '-c', script], 1);
  await until('it ignores the signal', () => existsSync(ready));
  const pid = Number(supervised.pid);
  await supervised.stop();
  t.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
});

t.test('what cannot be started is tried again', async (t) => {
  const { supervised, messages } = supervise(t, ['/no/such/program']);
  await until('it was tried twice', () => messages.length > 1);
  await supervised.stop();
});

t.test('so is what the system refuses to start', async (t) => {
  // Longer than a variable may be (execve(2)): as without memory or descriptors, no process begins.
  const { supervised, messages } = supervise(t, ['cat'], HOUR_MS, { X: 'x'.repeat(1_000_000) });
  await until('it was tried twice', () => messages.length > 1);
  await supervised.stop();
});
