/** The programs of the guide that verify messages, run as they stand there. */
import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import t from 'tap';
import { fences } from '../support/guide.ts';
import { compileJava, JDK_JAVA_OPTIONS } from './support/java.ts';

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

function run(command: readonly string[], headers: Record<string, string>, input: string) {
  const env = {
    ...process.env,
    JDK_JAVA_OPTIONS,
    WEBHOOK_SECRET: secret,
    WEBHOOK_ID: headers['webhook-id'],
    WEBHOOK_TIMESTAMP: headers['webhook-timestamp'],
    WEBHOOK_SIGNATURE: headers['webhook-signature'],
  };
  return new Promise<{ code: number; stdout: string }>((resolve) => {
    const [program = '', ...args] = command;
    const child = execFile(program, args, { env, timeout: PATIENCE_MS }, (error, stdout) =>
      resolve({ code: error ? 1 : 0, stdout }),
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
    const file = join(folder, name);
    await writeFile(file, code);
    const once = [...command, file];
    const again = language === 'java' ? [...command, ...(await compileJava(file))] : once;
    const now = new Date();
    const signed = signedHeaders([newSecret(), secret], now);
    const [changed, foreign, old, ...good] = await Promise.all([
      run(again, signed, body.replace('completed', 'canceled')),
      run(again, signedHeaders([newSecret()], now), body),
      run(again, signedHeaders([secret], new Date(now.getTime() - 600_000)), body),
      // Both, if there are two ways to run it.
      ...[...new Set([once, again])].map((each) => run(each, signed, body)),
    ]);
    for (const { code, stdout } of good) {
      t.equal(code, 0);
      t.same(JSON.parse(stdout), JSON.parse(body));
    }
    t.same([changed.code, foreign.code, old.code], [1, 1, 1]);
  });
}
