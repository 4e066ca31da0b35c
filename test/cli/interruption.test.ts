/** Signals that end a command. */
import t from 'tap';
import { interruption } from '../../src/cli/command.ts';
import { until } from '../support/until.ts';

const handlers = () => process.listenerCount('SIGINT');

t.test('an echo of the signal does not end what is closed after the work', async (t) => {
  const before = handlers();
  const interrupted = interruption();
  process.emit('SIGINT');
  await t.rejects(interrupted.promise, { message: 'interrupted' });
  interrupted.stop();
  t.equal(handlers(), before + 1, 'an echo meets the handler');
  process.emit('SIGINT');
  await until('a later signal ends the process', async () => handlers() === before);
});

t.test('a command that was not interrupted leaves no handler', async (t) => {
  const before = handlers();
  interruption().stop();
  t.equal(handlers(), before);
});
