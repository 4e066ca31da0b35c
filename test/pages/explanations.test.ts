/** What the dashboard and the console say of a request. */
import t from 'tap';
import { catalogue } from '../../src/errors.ts';
import type { RequestRecord } from '../../src/pages/app/api-types.ts';
import { explain } from '../../src/pages/app/words.ts';
import { adviceOn } from '../../src/pages/console/advice.ts';

/** Nobody is known whose request it was, or no route was asked for: no record is kept. */
const UNRECORDED = ['MISSING_AUTH', 'INVALID_API_KEY', 'NOT_FOUND', 'METHOD_NOT_ALLOWED'];

t.test('every code that a request is kept with has an explanation', async (t) => {
  const codes = Object.keys(catalogue).filter((code) => !UNRECORDED.includes(code));
  t.ok(codes.length > 15);
  for (const outcome of ['success', 'client_left', 'simulated', ...codes]) {
    const record = { outcome, reason: null, environment: 'live' } as unknown as RequestRecord;
    t.match(explain(record), /^[A-Z].+\.$/, outcome);
    t.match(adviceOn(outcome), /^[A-Z].+\.$/, outcome);
  }
});
