/**
 * Tries each feature on the built service, with the real engine and the commands. test/http tests them in full, in the
 * process of the test.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import * as documents from '../support/documents.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly, hasRateLimit, isError, isPdf } from './support/assertions.ts';
import { operatorToken } from './support/operator.ts';
import { signIn } from './support/operator-session.ts';
import { pdfPages, pdfText } from './support/pdf.ts';
import { writePlans } from './support/plans.ts';
import { convert, exchange, send } from './support/requests.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'platen-plans-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
const PLANS_FILE = await writePlans(folder, { few: { perDay: 4 } });
// An operator's own plans, among which is none that a newcomer usually gets.
const server = await Server.start({ args: ['--welcome'], cwd: folder, env: { PLANS_FILE } });
const document = documents.docx({ pages: 2 });

await server.cli('accounts', 'create', '--id', 'few', '--name', 'Few', '--plan', 'few');
const { key, id } = await server.cli<{ id: string; key: string }>(
  ...['keys', 'create', '--account', 'few', '--name', 'test', '--type', 'sk', '--env', 'live'],
);

t.test('what a newcomer sees, and the printed line works when it is pasted', async (t) => {
  const find = () => server.printed.find((line) => line.trim().startsWith('curl '));
  await until('the line is printed', () => find() !== undefined);
  const line = find() ?? '';
  t.match(line, /Bearer svc_live_sk_[0-9A-Za-z]{49}'/, 'with a live key');
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
  const token = await readFile(resolve(folder, tokenFile), 'utf8');
  t.equal(token.trim(), await operatorToken(server), 'with the way to its token');
  t.notOk(
    server.printed.some((each) => each.includes(token.trim())),
    'which is not printed itself',
  );
  t.ok(
    server.printed.some((each) => each.includes(` ${server.url.replace('127.0.0.1', 'localhost')}/console `)),
    'and the console, where passkeys work',
  );
  const [, invite = ''] = /platen -- (members invite .+)$/m.exec(server.printed.join('\n')) ?? [];
  const { link } = await server.cli<{ link: string }>(...invite.split(' '));
  t.match(link, '/console/invite#', 'and the command that invites to it');
  await run('sh', ['-c', line], { cwd: folder });
  const pdf = await readFile(join(folder, 'sample.pdf'));
  t.equal(await pdfPages(pdf), 1);
  t.ok((await pdfText(pdf)).length > 20, 'there is something to see');
  await writeFile(join(folder, 'broken.docx'), documents.malformedDocx());
  // Also in a script that stops at errors.
  const failed = await run('sh', ['-ec', line.replace(/file=@[^']+/, 'file=@broken.docx')], {
    cwd: folder,
  }).catch((error: { code: number; stdout: string }) => error);
  t.match(failed, { code: 1 }, 'a failure is told');
  t.match(JSON.parse(failed.stdout), { code: 'CORRUPTED_FILE' }, 'an error is seen');
  t.notOk((await readdir(folder)).includes('sample.pdf'), 'and leaves no file');
});

t.test('conversions, windows and usage', async (t) => {
  const answer = await convert(server, key, document);
  await isPdf(t, answer, 'Page 2', 2);
  t.match(hasRateLimit(t, answer), { window: 'day', limit: 4, remaining: 3 });
  isError(t, await convert(server, key, documents.malformedDocx()), 'CORRUPTED_FILE');
  await until('both are counted', async () => {
    const shown = await server.cli<{ days: { failures: object }[] }>('usage', 'show', 'few');
    return Object.keys(shown.days[0]?.failures ?? {}).length === 1;
  });
  const usage = await send(server, '/v1/usage', { method: 'GET', key });
  t.match(JSON.parse(String(usage.body)), {
    conversions: { used: 1 },
    days: [{ conversions: 1, pages: 2, bytesIn: document.length, failures: { CORRUPTED_FILE: 1 } }],
  });
  t.equal((await send(server, '/v1/usage', { method: 'GET', key })).status, 200);
  isError(t, await convert(server, key, document), 'RATE_LIMIT_EXCEEDED');
});

t.test('errors, also for input that is not HTTP', async (t) => {
  isError(t, await send(server, '/v1/convert'), 'MISSING_AUTH');
  isError(t, await send(server, '/nowhere', { method: 'GET' }), 'NOT_FOUND');
  isError(t, await exchange(server, 'SSH-2.0-OpenSSH_9.2\r\n\r\n'), 'INVALID_REQUEST');
  const { key: elsewhere } = await server.createKey({
    account: 'few',
    ipRestrictions: ['10.0.0.0/8'],
  });
  isError(t, await convert(server, elsewhere, document), 'IP_NOT_ALLOWED');
});

t.test('a simulated error, a rotation and a revocation', async (t) => {
  const tester = await server.createKey({ account: 'few', environment: 'test' });
  const headers = { 'platen-simulate': 'OVERLOADED' };
  isError(t, await convert(server, tester.key, document, { headers }), 'OVERLOADED');
  const rotated = await send(server, '/v1/keys/rotate', { key: tester.key });
  t.equal(rotated.status, 201);
  const successor = JSON.parse(String(rotated.body)) as { id: string; key: string };
  await isPdf(t, await convert(server, successor.key, document), 'Page 2', 2);
  await server.cli('keys', 'revoke', successor.id);
  isError(t, await convert(server, successor.key, document), 'INVALID_API_KEY');
});

t.test('what the operator does, with a session and with commands', async (t) => {
  const session = await signIn(server);
  t.match(await session.read(`/operator/v1/keys/${id}`), { account: 'few', state: 'valid' });
  t.match(await session.read('/operator/v1/overview'), { server: { ready: true, redis: { up: true } } });
  await server.cliText('maintenance', 'on');
  isError(t, await convert(server, undefined, document), 'SERVICE_UNAVAILABLE');
  await server.cliText('maintenance', 'off');
  const { entries } = await session.read<{ entries: object[] }>('/operator/v1/audit');
  t.match(entries[0], { action: 'maintenance.off', by: 'cli' });
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
