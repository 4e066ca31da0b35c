/** The operator's token: configured, or made once and kept in the data folder. */
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { OperatorError } from '../../src/errors.ts';
import { OperatorToken } from '../../src/system/operator-token.ts';
import { RecordingLog, temporaryFolder } from '../support/kit.ts';

const WARNING = 'others may read the operator token: chmod 600';

t.test('made at the first start, and the same at the second', async (t) => {
  const folder = join(await temporaryFolder(t), 'data');
  const { log, lines } = new RecordingLog();
  const { file = '', ...first } = await OperatorToken.open(undefined, folder, log).then((token) => ({
    file: token.file,
    matches: (text: string) => token.matches(text),
  }));
  t.equal(file, join(folder, 'operator-token'));
  t.equal((await stat(file)).mode & 0o777, 0o600);
  const token = (await readFile(file, 'utf8')).trim();
  t.match(token, /^platen_op_[\w-]{43}$/);
  t.ok(first.matches(token));
  for (const wrong of ['', token.slice(1), `${token} `, token.toUpperCase(), token.repeat(5)]) {
    t.notOk(first.matches(wrong), wrong);
  }
  const second = await OperatorToken.open(undefined, folder, log);
  t.ok(second.matches(token));
  t.strictSame(await readdir(folder), ['operator-token'], 'nothing else is left');
  t.notMatch(JSON.stringify(lines), token, 'the log does not have it');
});

t.test('servers that start at once make one', async (t) => {
  const folder = await temporaryFolder(t);
  const { log } = new RecordingLog();
  const tokens = await Promise.all(
    Array.from({ length: 20 }, () => OperatorToken.open(undefined, folder, log)),
  );
  const text = (await readFile(join(folder, 'operator-token'), 'utf8')).trim();
  t.ok(tokens.every((token) => token.matches(text)));
  t.strictSame(await readdir(folder), ['operator-token']);
});

t.test('a configured one wins, and nothing is written', async (t) => {
  const folder = await temporaryFolder(t);
  const token = await OperatorToken.open('0123456789abcdef', folder, new RecordingLog().log);
  t.equal(token.file, undefined);
  t.ok(token.matches('0123456789abcdef'));
  t.notOk(token.matches('0123456789abcdeg'));
  t.strictSame(await readdir(folder), []);
});

t.test('one that the operator wrote there counts, and is warned of when others may read it', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'operator-token');
  const log = new RecordingLog();
  await writeFile(file, 'written-by-the-operator\n', { mode: 0o600 });
  t.ok((await OperatorToken.open(undefined, folder, log.log)).matches('written-by-the-operator'));
  t.equal(log.count(WARNING), 0);
  await chmod(file, 0o640);
  await OperatorToken.open(undefined, folder, log.log);
  t.equal(log.count(WARNING), 1);
});

t.test('a file that holds no token stops the start', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'operator-token');
  for (const text of ['', 'too-short', 'two words of a token', 'x'.repeat(201), 'ümläute-in-the-token']) {
    await writeFile(file, text, { mode: 0o600 });
    const opening = OperatorToken.open(undefined, folder, new RecordingLog().log);
    const error = await opening.catch((reason: unknown) => reason);
    t.ok(error instanceof OperatorError, text);
    t.match((error as Error).message, file);
    if (text !== '') t.notMatch((error as Error).message, text, 'it does not repeat it');
  }
});

t.test('a data folder that cannot be used stops the start', async (t) => {
  const file = join(await temporaryFolder(t), 'file');
  await writeFile(file, '');
  const opening = OperatorToken.open(undefined, file, new RecordingLog().log);
  await t.rejects(opening, { name: 'OperatorError', message: /set OPERATOR_TOKEN/ });
});
