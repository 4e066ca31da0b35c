/** The programs of the guide that verify messages, run as they stand there. */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { fences } from '../support/guide.ts';

/** Commands by language. What compiles takes long, and is there only where its tools are. */
const commands: Readonly<Record<string, readonly string[]>> = {
  bash: ['bash'],
  js: ['node'],
  python: ['python3'],
  php: ['php'],
  java: ['java'],
  go: ['go', 'run'],
};
const PATIENCE_MS = 120_000;

const programs = fences.filter(({ page, language }) => page === 'webhooks.md' && language in commands);
const folder = await mkdtemp(join(tmpdir(), 'platen-verify-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const secret = newSecret();
const body = `${JSON.stringify({ type: 'job.completed', data: { name: 'Übersicht' } })}\n`;

/** The headers of a message that is signed with each of the secrets. @param at when it is sent. */
function signedHeaders(secrets: readonly string[], at: Date) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign('msg_1', at, body)).join(' '),
  };
}

function run(name: string, command: readonly string[], headers: Record<string, string>, input: string) {
  const env = {
    ...process.env,
    WEBHOOK_SECRET: secret,
    WEBHOOK_ID: headers['webhook-id'],
    WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
    WEBHOOK_SIGNATURE: headers['webhook-signature'],
  };
  return new Promise<{ code: number; stdout: string }>((resolve) => {
    const [program = '', ...args] = command;
    const child = execFile(
      program,
      [...args, join(folder, name)],
      { env, timeout: PATIENCE_MS },
      (error, stdout) => resolve({ code: error ? 1 : 0, stdout }),
    );
    child.stdin?.end(input);
  });
}

t.test('there is a program for each language', (t) => {
  t.same(programs.map(({ language }) => language).sort(), Object.keys(commands).sort());
  t.end();
});

for (const { name, language, code } of programs) {
  const command = commands[language] ?? [];
  const isThere = spawnSync('which', [language === 'java' ? 'javac' : String(command[0])]).status === 0;
  t.test(name, { skip: !isThere && 'it is not installed' }, async (t) => {
    await writeFile(join(folder, name), code);
    const now = new Date();
    const signed = signedHeaders([newSecret(), secret], now);
    const [good, changed, foreign, old] = await Promise.all([
      run(name, command, signed, body),
      run(name, command, signed, body.replace('completed', 'canceled')),
      run(name, command, signedHeaders([newSecret()], now), body),
      run(name, command, signedHeaders([secret], new Date(now.getTime() - 600_000)), body),
    ]);
    t.equal(good.code, 0);
    t.same(JSON.parse(good.stdout), JSON.parse(body));
    t.same([changed.code, foreign.code, old.code], [1, 1, 1]);
  });
}
