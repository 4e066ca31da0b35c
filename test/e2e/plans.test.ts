/** A start needs plans that can be read, and a plan for every account. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { run } from '../cli/support.ts';
import { Server } from '../support/server.ts';

const folder = await mkdtemp(join(tmpdir(), 'platen-plans-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const DATA_DIR = join(folder, 'data');
const PLANS_FILE = join(folder, 'plans.json');

t.test('a file of plans with a mistake stops the start', async (t) => {
  await writeFile(PLANS_FILE, '{"gold": {}}');
  await t.rejects(Server.launch({ dataDir: DATA_DIR, env: { PLANS_FILE } }), {
    message: /: platen: PLANS_FILE: the plan "gold" lacks perHour, .*\n$/,
  });
});

t.test('an account whose plan is gone stops the start until it has another', async (t) => {
  const gold = { perHour: null, perDay: null, perSecond: null, perMonth: null, features: [] };
  await writeFile(PLANS_FILE, JSON.stringify({ gold }));
  const create = ['accounts', 'create', '--id', 'acme', '--name', 'Acme', '--plan', 'gold'];
  t.match(await run({ DATA_DIR, PLANS_FILE }, ...create), { code: 0 });

  await t.rejects(Server.launch({ dataDir: DATA_DIR }), {
    message:
      /: platen: the account "acme" has the plan "gold", .* PLANS_FILE, .*`platen accounts set-plan acme PLAN`\n$/,
  });
  t.match(await run({ DATA_DIR }, 'accounts', 'set-plan', 'acme', 'pro'), { code: 0 });
  const server = await Server.launch({ dataDir: DATA_DIR });
  // It may not be ready yet.
  t.strictSame(await server.stop(), { code: 0, signal: null, leftovers: [] }, 'then it starts');
});
