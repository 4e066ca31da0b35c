/** Children of jobs leave the processors to others. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import t from 'tap';
import { makeWayWhenSlow } from '../../src/engine/priority.ts';

t.test('a patient child has the lowest priority at once, another one its own', async (t) => {
  for (const [isPatient, expected] of [
    [true, constants.priority.PRIORITY_LOW],
    [false, getPriority()],
  ] as const) {
    const child = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'] });
    await once(child, 'spawn');
    const ended = makeWayWhenSlow(Number(child.pid), isPatient);
    t.equal(getPriority(Number(child.pid)), expected);
    ended();
    child.stdin.end();
    await once(child, 'close');
  }
});
