/** Runs the service from src/, and restarts it after each change. Rebuilds what src/ needs of the build when it changes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { build } from './build.mjs';
import { root, say } from './run.mjs';

/** Several files are saved at a time. */
const QUIET_MS = 200;
/** These are compiled: the fork server, and the pages for a browser. */
const BUILT = /^(kit|pages)\//;

/** @type {import('node:child_process').ChildProcess | undefined} */
let service;
/** @type {NodeJS.Timeout | undefined} */
let timer;
let changes = new Set(['main.ts']);
/** The first start makes a key for whoever tries the service. */
let options = ['--welcome'];
let turn = Promise.resolve();

async function restart() {
  const changed = changes;
  changes = new Set();
  if (changed.size === 0) return;
  if (service && service.exitCode === null && service.signalCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  try {
    if ([...changed].some((name) => BUILT.test(name))) await build({ withLoop: false });
  } catch (error) {
    say(`the build failed: ${error instanceof Error ? error.message : error}`);
    return;
  }
  service = spawn(process.execPath, ['--import=tsx', 'src/main.ts', ...options], {
    cwd: root,
    env: { DRAIN_DELAY_MS: '0', ...process.env },
    stdio: 'inherit',
  });
  options = [];
}

watch(new URL('../src', import.meta.url), { recursive: true }, (_event, name) => {
  if (!name) return;
  changes.add(name);
  clearTimeout(timer);
  timer = setTimeout(() => {
    turn = turn.then(restart);
  }, QUIET_MS);
});
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
  process.once(signal, () => {
    const running = service && service.exitCode === null && service.signalCode === null;
    if (!running) process.exit(0);
    // On Ctrl-C the terminal signals the service, too, which ignores the second signal as an echo.
    service?.kill('SIGTERM');
    service?.once('exit', () => process.exit(0));
  });
}
turn = turn.then(restart);
