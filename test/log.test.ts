/** The log where its lines cannot be written. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import t from 'tap';

const script = `
  import { openLog } from './src/log.ts';
  const log = openLog('info');
  log.info('a line');
  // Longer than the first write takes to fail.
  setTimeout(() => {
    log.info('another one');
    process.exit(7);
  }, 100);
`;

t.test('a full disk ends nothing, and holds up no end', async (t) => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', script], {
    cwd: new URL('..', import.meta.url),
    stdio: ['ignore', full, 'pipe'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  closeSync(full);
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  t.same(await once(child, 'exit'), [7, null], errors);
});
