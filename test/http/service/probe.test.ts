/** The conversions in the background that keep the proof of health recent. */
import t from 'tap';
import { PlatenError } from '../../../src/errors.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { get } from '../../e2e/support/requests.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { until } from '../../support/until.ts';

const env = { HEALTH_INTERVAL_MS: '100' };

t.test('the proof of health is renewed without requests', async (t) => {
  const service = await Service.start(t, { env });
  const proof = async () => JSON.parse(String((await get(service, '/health')).body)).lastConversionAt;
  const first = await proof();
  await until('it is renewed', async () => Date.parse(await proof()) > Date.parse(first));
});

t.test('SERVICE_UNAVAILABLE: the last conversion in the background failed; until one succeeds', async (t) => {
  const engine = new StubEngine();
  const service = await Service.start(t, { engine, env });
  engine.failure = new PlatenError('CONVERSION_FAILED', { reason: 'crash' });
  await service.logged('the health probe could not convert its document');
  await until('it shows', async () => (await get(service, '/health')).status === 503);
  const { message } = isError(t, await get(service, '/health'), 'SERVICE_UNAVAILABLE', 503);
  t.equal(message, 'Not ready: the last test conversion failed.');
  t.equal((await get(service, '/health/ready')).status, 200, 'it still takes documents');
  engine.failure = undefined;
  await until('it recovers', async () => (await get(service, '/health')).status === 200);
});
