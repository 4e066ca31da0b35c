/**
 * The linters that partners use find no error, warning or hint in the OpenAPI documents, except one: no response refers
 * to ErrorObject. It is the type for programs that treat all errors alike.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';

/** Longer than a linter takes. */
const PATIENCE_MS = 60_000;

const root = fileURLToPath(new URL('../../', import.meta.url));
const linters = join(root, 'test/clients/node_modules/.bin');
const documents = [join(root, 'openapi/openapi.json'), join(root, 'openapi/operator.json')];

for (const document of documents) {
  t.test(`Redocly, recommended rules: ${basename(document)}`, async (t) => {
    const found = await lint(t, 'redocly', ['lint', '--extends=recommended', '--format=json', document]);
    t.match(found, { totals: { errors: 0, warnings: 1, ignored: 0 } });
    const { problems } = found as { problems: { ruleId: string; location: { pointer: string }[] }[] };
    const places = problems.map(({ ruleId, location }) => [
      ruleId,
      ...location.map(({ pointer }) => pointer),
    ]);
    t.strictSame(places, [['no-unused-components', '#/components/schemas/ErrorObject']]);
  });
}

t.test('Spectral, spectral:oas', async (t) => {
  const ruleset = join(t.testdir(), 'ruleset.yaml');
  await writeFile(ruleset, 'extends: [spectral:oas]\n');
  const args = [
    'lint',
    '--ruleset',
    ruleset,
    '--fail-severity=hint',
    '--format=json',
    '--quiet',
    ...documents,
  ];
  const found = (await lint(t, 'spectral', args)) as { code: string; path: string[]; source: string }[];
  t.strictSame(
    found.map(({ code, path, source }) => [code, path.join('/'), source]),
    documents.map((document) => ['oas3-unused-component', 'components/schemas/ErrorObject', document]),
  );
});

/** What a linter has found, as it tells it in JSON. */
async function lint(t: Test, linter: string, args: readonly string[]): Promise<unknown> {
  const { PATH } = process.env;
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const env = { PATH, HOME: t.testdirName, ...quiet };
  return new Promise((resolve, reject) => {
    const options = { env, timeout: PATIENCE_MS, maxBuffer: 16_777_216 };
    execFile(join(linters, linter), args, options, (error, stdout) => {
      // Linters also exit with 1 if they found something.
      if (error && stdout === '') return reject(error);
      resolve(JSON.parse(stdout));
    });
  });
}
