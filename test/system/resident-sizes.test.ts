import { spawn } from 'node:child_process';
import { once } from 'node:events';
import t from 'tap';
import { residentSizes } from '../../src/system/resident-sizes.ts';
import { startRedis } from '../redis/support.ts';
import { isAlive, startKit } from '../support/kit.ts';

const MIB = 1_048_576;

t.test('this process and all that it started, by what they are', async (t) => {
  const before = await residentSizes();
  t.ok(before.server > 20 * MIB, `server: ${before.server}`);
  t.strictSame([before.kit, before.child, before.redis], [0, 0, 0]);
  await startRedis(t);
  const { engine } = await startKit(t);
  const { server, kit, child, redis } = await residentSizes();
  t.ok(server > 20 * MIB);
  t.ok(kit > 50 * MIB, `kit: ${kit}`);
  t.ok(child > 10 * MIB, `children: ${child}`);
  t.ok(redis > MIB && redis < kit, `redis: ${redis}`);
  await engine.stop();
  const after = await residentSizes();
  t.strictSame([after.kit, after.child], [0, 0]);
});

t.test('a process that is not there has no size', async (t) => {
  const process = spawn('true');
  await once(process, 'close');
  t.notOk(isAlive(process.pid ?? 0));
  t.strictSame(await residentSizes(process.pid), { server: 0, kit: 0, child: 0, redis: 0, other: 0 });
});
