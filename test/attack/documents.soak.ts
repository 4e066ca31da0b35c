/** The documents of documents.test.ts that burn what they get, at production's budgets: some minutes. */
import t from 'tap';
import { burners } from './support/all-cases.ts';
import { AttackedServer } from './support/attacked-server.ts';

t.test('documents that burn', { timeout: 1_800_000 }, async (t) => {
  const attacked = await AttackedServer.start(t, { timeoutMs: 60_000, memoryMb: 1_024 });
  await attacked.send(t, burners);
  await attacked.isUntouched(t);
});
