/** Time from the service's start until it is ready. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Summary, summary } from './statistics.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Milliseconds from `npm run serve` to its line "ready", `count` times on one data folder. */
export async function measureStart(count: number): Promise<Summary> {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-bench-'));
  try {
    const times: number[] = [];
    for (let n = 0; n < count; n++) times.push(await serveOnce(dataDir));
    return summary(times);
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function serveOnce(dataDir: string): Promise<number> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, HOST: '127.0.0.1', PORT: '0', DATA_DIR: dataDir, DRAIN_DELAY_MS: '0' };
  const started = performance.now();
  // A new process group, so that npm and its children get the signal that ends them together.
  const npm = spawn('npm', ['run', '-s', 'serve'], {
    cwd: root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 2],
  });
  const closed = once(npm, 'close');
  try {
    await ready(npm);
    return performance.now() - started;
  } finally {
    if (npm.pid && npm.exitCode === null) process.kill(-npm.pid, 'SIGTERM');
    await closed;
  }
}

/** @throws Error if it ends before that. */
async function ready({ stdout }: ChildProcess): Promise<void> {
  if (stdout) {
    for await (const line of createInterface({ input: stdout })) {
      if (line.startsWith('{') && (JSON.parse(line) as { msg?: string }).msg === 'ready') {
        stdout.resume();
        return;
      }
    }
  }
  throw new Error('npm run serve ended before it was ready');
}
