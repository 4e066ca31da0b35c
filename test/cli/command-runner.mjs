/**
 * Runs built commands one after the other, each as in a process of its own, but with packages that are loaded already. Behind what
 * a command writes to stdout and stderr comes a zero byte; then the test is sent the exit code.
 */
import { setTimeout as delay } from 'node:timers/promises';

const main = new URL('../../dist/cli/main.js', import.meta.url);
const outputs = [process.stdout, process.stderr];
/** How many resources, such as connections, are open. */
const countOpen = () => process.getActiveResourcesInfo().length;
let commands = 0;

process.on('disconnect', () => process.exit());
process.on('message', async ({ env, args }) => {
  const before = countOpen();
  process.env = env;
  process.argv.splice(2, Number.POSITIVE_INFINITY, ...args);
  process.exitCode = undefined;
  // A module is loaded once for each address.
  await import(`${main}?command=${++commands}`);
  // A command that leaves something open would not end.
  while (countOpen() > before) await delay(1);
  // Each command adds its own.
  process.stdout.removeAllListeners('error');
  for (const stream of outputs) stream.write('\0');
  process.send?.(process.exitCode ?? 0);
});
