/** A few minutes of `npm run soak`, whose exit code says whether all is accounted for; how much grows, only a long run says. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const program = fileURLToPath(new URL('../../bench/soak/main.ts', import.meta.url));

t.test('four minutes of traffic and kills', async (t) => {
  const out = await mkdtemp(join(tmpdir(), 'platen-traffic-'));
  t.teardown(() => rm(out, { recursive: true, force: true }));
  const load = ['--documents', '1500', '--minutes', '4', '--kill-seconds', '10', '--out', out];
  const child = spawn(process.execPath, ['--import=tsx', program, ...load], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  t.teardown(() => child.kill('SIGTERM'));
  const [code] = await once(child, 'close');
  t.equal(code, 0, 'nothing is lost, billed wrongly, or left behind');
});
