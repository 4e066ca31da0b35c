import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readConfig } from '../../src/config.ts';
import { OperatorError } from '../../src/errors.ts';

const REDIS_URL = 'redis://user:hunter2-hunter2@redis.example:6379';
const TOKEN = 'platen_op_0123456789';

t.test('secrets are read from the files that their variables name', async (t) => {
  const folder = t.testdir({ redis: `${REDIS_URL}\n`, token: `  ${TOKEN}\r\n` });
  const config = readConfig({
    REDIS_URL_FILE: join(folder, 'redis'),
    OPERATOR_TOKEN_FILE: join(folder, 'token'),
  });
  t.equal(config.redisUrl, REDIS_URL);
  t.equal(config.operatorToken, TOKEN);
});

t.test('an empty variable counts as unset, of both kinds', async (t) => {
  const folder = t.testdir({ token: TOKEN });
  t.equal(readConfig({ REDIS_URL, REDIS_URL_FILE: '' }).redisUrl, REDIS_URL);
  const file = join(folder, 'token');
  t.equal(readConfig({ OPERATOR_TOKEN: '', OPERATOR_TOKEN_FILE: file }).operatorToken, TOKEN);
});

t.test('what cannot be a secret stops the start, is named, and is not repeated', async (t) => {
  const folder = t.testdir({
    empty: ' \n',
    large: 'x'.repeat(20_000),
    bad: 'hunter2',
    good: REDIS_URL,
  });
  mkdirSync(join(folder, 'folder'));
  const good = join(folder, 'good');
  const cases: readonly (readonly [string, Record<string, string>, RegExp])[] = [
    ['both', { REDIS_URL, REDIS_URL_FILE: good }, /REDIS_URL or REDIS_URL_FILE, not both/],
    ['missing', { OPERATOR_TOKEN_FILE: join(folder, 'none') }, /OPERATOR_TOKEN_FILE cannot be read: ENOENT/],
    [
      'a folder',
      { REDIS_URL_FILE: join(folder, 'folder') },
      /REDIS_URL_FILE cannot be read: .* is not a file/,
    ],
    ['a device', { REDIS_URL_FILE: '/dev/zero' }, /REDIS_URL_FILE cannot be read: .* is not a file/],
    ['large', { REDIS_URL_FILE: join(folder, 'large') }, /REDIS_URL_FILE cannot be read: .* larger/],
    ['empty', { OPERATOR_TOKEN_FILE: join(folder, 'empty') }, /OPERATOR_TOKEN_FILE: .* is empty/],
    ['bad URL', { REDIS_URL_FILE: join(folder, 'bad') }, /REDIS_URL must be/],
    ['bad token', { OPERATOR_TOKEN_FILE: join(folder, 'bad') }, /OPERATOR_TOKEN must be/],
  ];
  for (const [what, env, message] of cases) {
    try {
      readConfig(env);
      t.fail(`${what} was accepted`);
    } catch (error) {
      t.ok(error instanceof OperatorError, what);
      t.match(String(error), message, what);
      t.notMatch(String(error), /hunter2|xxxx/, what);
    }
  }
});
