/** Platen-Simulate: files of a test key's job that fail on demand. */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { ended, filePart, post, readBody } from './support.ts';

const service = await Service.start(t, { engine: new StubEngine() });
const [live, tester] = await Promise.all([service.createKey(), service.createKey({ environment: 'test' })]);
const parts = [filePart(), filePart(), filePart()];

const simulate = (value: string, key = tester.key) =>
  post(service, key, parts, { headers: { 'platen-simulate': value } });

async function outcome(value: string): Promise<(string | undefined)[]> {
  const taken = await simulate(value);
  t.equal(taken.status, 202, taken.body.toString());
  const { files } = await ended(service, tester.key, readBody(taken).id);
  return files.map(({ state, error }) => error?.code ?? state);
}

t.test('one file, some, all', async (t) => {
  t.same(await outcome('2=CONVERSION_FAILED'), ['succeeded', 'CONVERSION_FAILED', 'succeeded']);
  t.same(await outcome('1=CORRUPTED_FILE, 3=INTERNAL_ERROR,7=CORRUPTED_FILE'), [
    'CORRUPTED_FILE',
    'succeeded',
    'INTERNAL_ERROR',
  ]);
  t.same(await outcome('PASSWORD_PROTECTED'), Array(3).fill('PASSWORD_PROTECTED'));
});

t.test('with a live key, or malformed', async (t) => {
  t.match(
    isError(t, await simulate('2=CONVERSION_FAILED', live.key), 'INVALID_PARAMETER').message,
    /test key/,
  );
  for (const value of [
    'slow',
    '2',
    '0=CONVERSION_FAILED',
    '2=',
    '1=MISSING_AUTH',
    'QUOTA_EXCEEDED',
    '2=CORRUPTED_FILE;',
  ]) {
    t.match(isError(t, await simulate(value), 'INVALID_PARAMETER').message, /Platen-Simulate/, value);
  }
});
