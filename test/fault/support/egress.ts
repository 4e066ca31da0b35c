/** The built egress as a process of its own, which a test kills. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

const program = fileURLToPath(new URL('../../../dist/egress/main.js', import.meta.url));

/**
 * Starts it, and waits until it is open. It ends with the test.
 *
 * @param env its REDIS_URL and storage.
 * @returns kills it, and waits for its end.
 */
export async function startEgress(
  t: Pick<Test, 'teardown'>,
  env: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-egress-'));
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', process.execPath, program], {
    env: { PATH: process.env.PATH, DATA_DIR: folder, WORK_DIR: join(folder, 'jobs'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  t.teardown(kill);
  const open = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"egress is ready"')) resolve();
    });
  });
  await Promise.race([open, ended.then(() => Promise.reject(new Error('egress does not start')))]);
  return kill;
}
