/** What a newcomer sees, and pastes. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly } from './support/assertions.ts';
import { operatorToken } from './support/operator.ts';
import { pdfPages, pdfText } from './support/pdf.ts';

const run = promisify(execFile);

t.test('the printed line works when it is pasted', async (t) => {
  // Also with an operator's own plans.
  const limits = { perHour: 10, perDay: 10, perSecond: 10, perMonth: 10, features: [] };
  const cwd = t.testdir({ 'plans.json': JSON.stringify({ basic: limits }) });
  const server = await Server.start({
    args: ['--welcome'],
    cwd,
    env: { PLANS_FILE: join(cwd, 'plans.json') },
  });
  const find = () => server.printed.find((line) => line.trim().startsWith('curl '));
  await until('the line is printed', () => find() !== undefined);
  const line = find() ?? '';
  t.match(line, /Bearer svc_test_sk_[0-9A-Za-z]{49}'/, 'with a test key');
  t.match(line, `${server.url}/v1/convert`);
  t.ok(
    server.printed.some((each) => each.endsWith(` ${server.url}/v1/docs`)),
    'and the address of the reference',
  );
  t.ok(
    server.printed.some((other) => other.endsWith(`page:    ${server.url}/`)),
    'and the page to try it',
  );
  const [dashboard = ''] = server.printed.filter((each) => each.includes('/dashboard'));
  t.match(dashboard, ` ${server.url}/dashboard `, 'and the dashboard');
  const [, tokenFile = ''] = /sign in with the token in (\S+)\)$/.exec(dashboard) ?? [];
  const token = await readFile(resolve(cwd, tokenFile), 'utf8');
  t.equal(token.trim(), await operatorToken(server), 'with the way to its token');
  t.notOk(
    server.printed.some((each) => each.includes(token.trim())),
    'which is not printed itself',
  );
  await run('sh', ['-c', line], { cwd });
  const pdf = await readFile(join(cwd, 'sample.pdf'));
  t.equal(await pdfPages(pdf), 1);
  t.ok((await pdfText(pdf)).length > 20, 'there is something to see');
  await endsCleanly(t, server);
});
