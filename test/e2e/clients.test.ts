/** The clients that partners generate: by the commands of the guide, compiled strictly, run against the service. */
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { fences } from '../support/guide.ts';
import { Server } from '../support/server.ts';
import { endsCleanly } from './support/assertions.ts';
import { pdfPages, pdfText } from './support/pdf.ts';
import { startStumblingProxy } from './support/stumbling-proxy.ts';

/** Longer than any command takes, on a machine that is ten times as slow as usual. */
const PATIENCE_MS = 300_000;

/** By the name that the files of the guide and of test/clients have. */
const clients: Readonly<Record<string, { readonly compilerOptions?: readonly string[] }>> = {
  'openapi-fetch': {},
  // Its generated client assigns `undefined` to optional fields.
  'hey-api': { compilerOptions: ['--exactOptionalPropertyTypes', 'false'] },
  orval: {},
};

/** A command and its first arguments. */
type Program = readonly [command: string, ...args: string[]];

/** What OpenAPI Generator makes, by the name that the files of the guide have. */
const packages: Readonly<Record<string, { readonly compile: Program; readonly program: Program }>> = {
  python: {
    compile: ['/usr/bin/python3', '-m', 'compileall', '-q', 'platen-python'],
    program: ['/usr/bin/python3', 'convert-python.py'],
  },
  php: {
    // In one process, with what they inherit: `php -l` reads one file.
    compile: [
      'php',
      '-r',
      `require 'platen-php/vendor/autoload.php';
      foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator('platen-php/lib')) as $file)
        if ($file->getExtension() === 'php') require_once $file->getPathname();`,
    ],
    program: ['php', 'convert-php.php'],
  },
};

/**
 * Warnings of OpenAPI Generator 4.3.1 about itself: a folder that it makes, its templates, the address `/`, and an array of
 * files, for which it has no type of enumerations.
 */
const ABOUT_ITSELF =
  /CodegenIgnoreProcessor - Output directory does not exist|deprecated the use of vendor extensions|can't open 'php\/\.gitignore'|'servers' \(OAS 3\.0\) not defined in the spec|Could not compute datatypeWithEnum from (file|\\SplFileObject), null|Multiple schemas found in the OAS 'content' section/;

const root = fileURLToPath(new URL('../../', import.meta.url));
const examples = fences.filter(({ page, name }) => page === 'clients.md' && name !== '');
const folder = await mkdtemp(join(tmpdir(), 'platen-clients-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

const server = await Server.start();

t.test('the guide generates with the versions that are tested', async (t) => {
  const manifest = await readFile(join(root, 'test/clients/package.json'), 'utf8');
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: Record<string, string> };
  const installations = examples.filter(({ name }) => name.startsWith('install-'));
  t.strictSame(
    installations.map(({ name }) => name).sort(),
    [...Object.keys(clients), 'openapi-generator'].map((name) => `install-${name}.sh`).sort(),
  );
  for (const { name, code } of installations) {
    for (const [, wanted = '', version] of code.matchAll(
      / (@?[a-z][^\s@]*)(?:@(\S+))?(?=\s)(?<! install)/g,
    )) {
      const tested = devDependencies[wanted];
      t.ok(tested, `${name}: ${wanted}`);
      if (version) t.ok(tested?.replace('~', '').startsWith(version), `${name}: ${wanted} ${version}`);
    }
  }
});

t.test('the service hands out the committed document', async (t) => {
  const { stdout } = await run(folder, 'bash', ['-c', `${example('platen-document.sh')}\ncat platen.json`]);
  const committed = await readFile(join(root, 'openapi/openapi.json'), 'utf8');
  t.strictSame(JSON.parse(stdout), JSON.parse(committed));
});

t.test('the command for the collection of Bruno', async (t) => {
  const own = await mkdtemp(join(folder, 'bruno-'));
  const { code, output } = await run(own, 'bash', ['-c', example('bruno.sh')]);
  t.equal(code, 0, output);
  t.match(await readFile(join(own, 'platen/collection.bru'), 'utf8'), 'auth:bearer');
  t.match((await readFile(join(own, 'platen/sample.docx'))).toString('latin1', 0, 4), 'PK');
});

for (const [name, { compilerOptions = [] }] of Object.entries(clients)) {
  t.test(`a client of ${name}`, async (t) => {
    const own = await makeProject(name);
    const generated = await run(own, 'bash', [`generate-${name}.sh`]);
    t.equal(generated.code, 0, `generates: ${generated.output}`);
    t.notMatch(
      generated.output,
      /warn|deprecat|unsupported|invalid|skip|ignor|error|⚠/i,
      'without a warning',
    );
    const compiled = await run(own, join(root, 'node_modules/.bin/tsc'), compilerOptions);
    t.equal(compiled.code, 0, `compiles: ${compiled.output}`);

    const { key } = await server.createKey({ environment: 'test' });
    const program: Program = ['node', `dist/convert-${name}.js`];
    await converts(t, own, program, key);
    await tellsErrorsApart(t, own, program, key);
    await rotates(t, own, key);
  });
}

for (const [name, { compile, program }] of Object.entries(packages)) {
  t.test(`a client of OpenAPI Generator in ${name}`, async (t) => {
    const own = await makeProject(name);
    // The client for jobs by URL in one language, the client for jobs by form in the other.
    if (name === 'python') {
      const { code, output } = await run(own, 'bash', ['platen-urls.sh']);
      t.equal(code, 0, output);
      await rename(join(own, 'platen-urls.json'), join(own, 'platen.json'));
    }
    const generated = await run(own, 'bash', [`generate-${name}.sh`]);
    t.equal(generated.code, 0, 'generates', generated);
    const remarks = generated.output.split('\n').filter((line) => / (WARN|ERROR) /.test(line));
    t.ok(remarks.length > 0, 'it logs');
    t.strictSame(
      remarks.filter((line) => !ABOUT_ITSELF.test(line)),
      [],
      'without a warning about the document',
    );
    if (name === 'php') {
      await mkdir(join(own, 'platen-php/vendor'));
      await cp(join(root, 'test/clients/autoload.php'), join(own, 'platen-php/vendor/autoload.php'));
    }
    const [command, ...args] = compile;
    const compiled = await run(own, command, args);
    t.equal(compiled.code, 0, 'compiles', compiled);

    const { key } = await server.createKey({ environment: 'test' });
    await converts(t, own, program, key);
    await tellsErrorsApart(t, own, program, key);
    if (name === 'python') await sendsAddresses(t, own, key);
  });
}

t.test('the server ends cleanly', (t) => endsCleanly(t, server));

/** A partner's project: what the guide says, a document, and the program of test/clients. */
async function makeProject(name: string): Promise<string> {
  const own = join(folder, name);
  await mkdir(own);
  await symlink(join(root, 'test/clients/node_modules'), join(own, 'node_modules'));
  await writeFile(join(own, 'package.json'), '{ "type": "module", "private": true }');
  await cp(join(folder, 'platen.json'), join(own, 'platen.json'));
  for (const each of examples) {
    const isShared = ['tsconfig.json', 'check-pdf.sh', 'platen-urls.sh'].includes(each.name);
    if (isShared || each.name.includes(name) || (name === 'orval' && each.name === 'platen-fetch.ts')) {
      await writeFile(join(own, each.name), each.code);
    }
  }
  if (name in clients) await cp(join(root, `test/clients/${name}.ts`), join(own, 'rotate.ts'));
  await writeDocument(own, docx({ pages: 2, paragraphs: ['Dear partner'] }));
  return own;
}

function writeDocument(own: string, document: Buffer): Promise<void> {
  return writeFile(join(own, 'document.docx'), document);
}

async function converts(t: Test, own: string, program: Program, key: string): Promise<void> {
  const [command, ...args] = program;
  const { code, output } = await run(own, command, args, { PLATEN_API_KEY: key });
  t.equal(code, 0, `converts: ${output}`);
  const pdf = await readFile(join(own, 'document.pdf'));
  t.equal(
    (await run(own, 'bash', ['check-pdf.sh'])).output.trim(),
    `${pdf.length}`,
    'checked as the guide says',
  );
  t.equal(await pdfPages(pdf), 2, 'pages');
  t.match(await pdfText(pdf), /Dear partner.*Page 2/s, 'text');
  const month = new Date().toISOString().slice(0, 7);
  t.match(output, /^request req_[0-9a-f]{32}$/m, 'request id');
  t.match(output, /^requests left \d+$/m, 'rate limit');
  t.match(output, new RegExp(`^used in ${month} \\d+$`, 'm'), 'usage of a month');
}

async function tellsErrorsApart(t: Test, own: string, program: Program, key: string): Promise<void> {
  const [command, ...args] = program;
  await writeDocument(own, Buffer.from('plain text'));
  const wrong = await run(own, command, args, { PLATEN_API_KEY: key });
  t.equal(wrong.code, 1, 'no DOCX: exit code');
  t.match(wrong.output, /^request req_[0-9a-f]{32}$/m, 'no DOCX: request id');
  t.match(wrong.output, /^INVALID_FILE_TYPE: ask for another document$/m, 'no DOCX: by its code');
  const { url } = await startStumblingProxy(t, server.url, [{ simulate: 'RATE_LIMIT_EXCEEDED' }]);
  const full = await run(own, command, args, { PLATEN_API_KEY: key, PLATEN_URL: url });
  t.equal(full.code, 1, 'a full window: exit code');
  t.match(full.output, /^RATE_LIMIT_EXCEEDED: wait for \d+ seconds$/m, 'a full window: how long it lasts');
  const unknown = await run(own, command, args, { PLATEN_API_KEY: 'unknown' });
  t.equal(unknown.code, 1, 'a wrong key: exit code');
  t.match(unknown.output, /^INVALID_API_KEY: \S/m, 'a wrong key: its message');
}

/** Sends addresses of documents: this server fetches none, and says so only if it understands the request. */
async function sendsAddresses(t: Test, own: string, key: string): Promise<void> {
  await cp(join(root, 'test/clients/jobs.py'), join(own, 'jobs.py'));
  const { output } = await run(own, '/usr/bin/python3', ['jobs.py'], { PLATEN_API_KEY: key });
  t.match(output, /^503 This service cannot fetch documents now/, 'a job by URL');
}

async function rotates(t: Test, own: string, key: string): Promise<void> {
  const { code, stdout, output } = await run(own, 'node', ['dist/rotate.js'], { PLATEN_API_KEY: key });
  t.equal(code, 0, `rotates: ${output}`);
  const result = JSON.parse(stdout);
  t.match(result, {
    successor: { key: /^svc_test_sk_\w{49}$/, previous: { expiresAt: String } },
    month: '2020-02',
    quota: null,
    refusal: 'INVALID_API_KEY',
    requestId: /^req_[0-9a-f]{32}$/,
  });
  t.not(result.successor.key, key, 'another key');
}

function example(name: string): string {
  const found = examples.find((each) => each.name === name);
  if (!found) throw new Error(`the guide has no ${name}`);
  return found.code;
}

interface Result {
  /** Exit code. */
  readonly code: number;
  readonly stdout: string;
  /** Both streams. */
  readonly output: string;
}

/** Runs a command without this machine's npm settings; npm downloads nothing. */
async function run(
  cwd: string,
  command: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Result> {
  const { PATH, HOME } = process.env;
  const npm = { NPM_CONFIG_USERCONFIG: '/dev/null', NPM_CONFIG_OFFLINE: 'true', NO_UPDATE_NOTIFIER: '1' };
  const generated = {
    PYTHONPATH: join(cwd, 'platen-python'),
    // Temporary files of the clients.
    TMPDIR: folder,
    // It runs for seconds only.
    JAVA_OPTS: '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC',
  };
  const env = { PATH, HOME, NO_COLOR: '1', PLATEN_URL: server.url, ...npm, ...generated, ...variables };
  return new Promise((resolve, reject) => {
    // The kernel ends it with the test, however the test ends.
    const all = ['--pdeathsig', 'KILL', command, ...args];
    execFile('setpriv', all, { cwd, env, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      // One that took too long has no code.
      const code = error ? error.code : 0;
      if (typeof code !== 'number') return reject(error);
      resolve({ code, stdout, output: stdout + stderr });
    });
  });
}
