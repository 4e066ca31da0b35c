/**
 * All documents that exhaust their budget: takes some minutes.
 *
 * BURN_MS is the time limit of a conversion; by default, that of production.
 */
import t from 'tap';
import { burners } from './support/all-cases.ts';
import { AttackedServer } from './support/attacked-server.ts';

const BURN_MS = Number(process.env.BURN_MS ?? 60_000);

t.test('documents that burn', { timeout: 1_800_000 }, async (t) => {
  const attacked = await AttackedServer.start(t, { timeoutMs: BURN_MS, memoryMb: 1_024 });
  await attacked.send(t, burners);
  await attacked.isUntouched(t);
});
