/** A server that noted deliveries in its journal and was killed before any was settled. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Test } from 'tap';

const program = fileURLToPath(new URL('fixtures/deliverer.ts', import.meta.url));

/** Starts a server on the folder of journals, which is alive until it is killed. */
export async function startDeliverer(
  t: Test,
  folder: string,
  requests: readonly string[],
): Promise<{ kill(): Promise<void> }> {
  const child = spawn(process.execPath, ['--import=tsx', program, folder, ...requests], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = async () => {
    child.kill('SIGKILL');
    await exited;
  };
  t.teardown(kill);
  const ended = exited.then(() =>
    Promise.reject(new Error('the server ended before it noted its deliveries')),
  );
  // Once it has noted them, its end is what the test wants.
  ended.catch(() => {});
  await Promise.race([once(child.stdout, 'data'), ended]);
  return { kill };
}

/** Leaves the journal of a server that was killed with -9. */
export async function dieWith(t: Test, folder: string, requests: readonly string[]): Promise<void> {
  const server = await startDeliverer(t, folder, requests);
  await server.kill();
}
