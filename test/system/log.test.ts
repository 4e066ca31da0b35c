/** The log where its lines cannot be written, or others write as well. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import t from 'tap';

const lines = `
  import { openLog } from './src/system/log.ts';
  const log = openLog('info');
  log.info('a line');
  const end = () => {
    log.info('another one');
    process.exit(7);
  };
`;
const ends = {
  'before a write has failed': `${lines} end();`,
  'after one has failed': `
    import fs from 'node:fs';
    const { write } = fs;
    fs.write = (...given) => {
      const done = given.pop();
      write(...given, (...result) => {
        done(...result);
        if (result[0]) setImmediate(end);
      });
    };
    ${lines}`,
};

for (const [when, program] of Object.entries(ends)) {
  t.test(`a full disk ends nothing, and holds up no end ${when}`, async (t) => {
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', program], {
      cwd: new URL('../..', import.meta.url),
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
}

const busy = `
  import fs from 'node:fs';
  import { openLog } from './src/system/log.ts';
  const { write } = fs;
  fs.write = (fd, text, ...others) => {
    process.send({ bytes: Buffer.byteLength(text), ends: String(text).endsWith('\\n') });
    return write(fd, text, ...others);
  };
  const log = openLog('info');
  for (let line = 0; line < 1_000; line++) log.info({ line }, 'a line');
`;

t.test('lines reach a pipe in pieces that no other process can break', async (t) => {
  const child = spawn(process.execPath, ['--import=tsx', '--input-type=module', '--eval', busy], {
    cwd: new URL('../..', import.meta.url),
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    timeout: 60_000,
  });
  const writes: { bytes: number; ends: boolean }[] = [];
  child.on('message', (write: (typeof writes)[number]) => writes.push(write));
  let lines = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    lines += text;
  });
  await once(child, 'close');
  t.equal(lines.trim().split('\n').length, 1_000);
  t.same(
    writes.filter(({ bytes, ends }) => bytes > 4_096 || !ends),
    [],
  );
  t.ok(writes.length < 1_000, `${writes.length} writes`);
});
