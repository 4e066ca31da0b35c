import t from 'tap';
import { openLog } from '../../src/system/log.ts';
import { FailureLog } from '../../src/telemetry/failure-log.ts';

t.test('a collector that is away causes a line at once, and one every ten minutes', async (t) => {
  const lines: Record<string, unknown>[] = [];
  let now = 5_000;
  const failures = new FailureLog(
    openLog('info', { write: (line) => lines.push(JSON.parse(line)) }),
    () => now,
  );
  failures.report(new Error('connect ECONNREFUSED'));
  for (let n = 0; n < 100; n++) failures.report(new Error('connect ECONNREFUSED'));
  t.match(lines, [{ msg: 'telemetry is not sent', cause: 'connect ECONNREFUSED', unsaid: 0 }]);
  now += 600_000;
  // Of a name with several addresses.
  failures.report(Object.assign(new AggregateError([]), { code: 'ETIMEDOUT' }));
  failures.report('a text');
  t.equal(lines.length, 2);
  t.match(lines[1], { cause: 'ETIMEDOUT', unsaid: 100 });
});
