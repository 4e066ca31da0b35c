/** The level at which an error is logged besides the request's own line: errors that thousands may cause are quiet. */
import { Writable } from 'node:stream';
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { RefusedPdf } from '../../../src/convert/report/accepted.ts';
import { PlatenError } from '../../../src/errors.ts';
import { errorHandling } from '../../../src/http/core/errors.ts';
import { everyAnswerHeaders } from '../../../src/http/core/every-answer.ts';

interface Line {
  readonly level: string;
  readonly msg: string;
  readonly code?: string;
  readonly cause?: unknown;
  readonly err?: { readonly stack: string };
}

/** What is logged of a request that fails with the error. */
async function linesOf(t: Test, error: Error, quiet = false): Promise<Line[]> {
  const lines: Line[] = [];
  const sink = new Writable({
    write(text, _encoding, done) {
      lines.push(JSON.parse(String(text)));
      done();
    },
  });
  const log = pino({ level: 'trace', formatters: { level: (level) => ({ level }) } }, sink);
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
  });
  t.teardown(() => app.close());
  await app.register(everyAnswerHeaders);
  await app.register(errorHandling);
  app.get('/', { config: { quiet } }, async () => {
    throw error;
  });
  await app.inject('/');
  return lines;
}

const lost = new Error('the connection was lost');

t.test('overload and maintenance are in the request’s own line', async (t) => {
  const overloaded = new PlatenError('OVERLOADED', { reason: 'full', cause: 'full' });
  t.match(await linesOf(t, overloaded), [{ level: 'debug', code: 'OVERLOADED', cause: 'full' }]);
  const maintenance = new PlatenError('SERVICE_UNAVAILABLE', { retryAfter: 60 });
  t.match(await linesOf(t, maintenance), [{ level: 'debug', code: 'SERVICE_UNAVAILABLE' }]);
});

t.test('an unavailable dependency is a warning, without a stack', async (t) => {
  const away = new PlatenError('SERVICE_UNAVAILABLE', { cause: lost });
  const [line, ...others] = await linesOf(t, away);
  t.match(line, { level: 'warn', code: 'SERVICE_UNAVAILABLE', cause: lost.message });
  t.notOk(line?.err);
  t.strictSame(others, []);
  t.match(await linesOf(t, away, true), [{ level: 'debug' }], 'not where load balancers ask');
});

t.test('a lack of descriptors or of room is such a state', async (t) => {
  for (const code of ['EMFILE', 'ENFILE', 'ENOSPC', 'EDQUOT']) {
    const cause = Object.assign(new Error(`${code}: no more`), { code, syscall: 'link' });
    const [line] = await linesOf(t, cause);
    t.match(line, { level: 'warn', code: 'SERVICE_UNAVAILABLE', cause: cause.message });
  }
});

t.test('a document that is known to fail is no error of the server’s', async (t) => {
  const cause = 'time';
  const refused = new PlatenError('CONVERSION_FAILED', { reason: 'poison', cause });
  t.match(await linesOf(t, refused), [{ level: 'info', code: 'CONVERSION_FAILED', cause }]);
});

t.test('a PDF that its sender refuses is in the request’s own line', async (t) => {
  t.strictSame(await linesOf(t, new RefusedPdf('The font Garamond is not on the server.', [])), []);
});

t.test('an error of the server’s comes with the stacks', async (t) => {
  const failed = new PlatenError('CONVERSION_FAILED', { reason: 'crash', cause: lost });
  const [line, ...others] = await linesOf(t, failed);
  t.match(line, { level: 'error', code: 'CONVERSION_FAILED', err: { stack: /caused by: .*lost/s } });
  t.strictSame(others, []);
  t.match(await linesOf(t, lost), [{ level: 'error', code: 'INTERNAL_ERROR' }]);
});

t.test('errors of clients get no log line of their own', async (t) => {
  t.strictSame(await linesOf(t, new PlatenError('CORRUPTED_FILE', { reason: 'damaged', cause: lost })), []);
});
