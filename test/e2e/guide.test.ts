/** The examples of the guide, run as they stand there. */
import { execFile, spawnSync } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import t, { type Test } from 'tap';
import { docx } from '../support/documents.ts';
import { type Fence, fences } from '../support/guide.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly } from './support/assertions.ts';
import { compileJava, JDK_JAVA_OPTIONS } from './support/java.ts';
import { withChecksum } from './support/keys.ts';
import { pdfPages, pdfText } from './support/pdf.ts';
import { send } from './support/requests.ts';
import { type Attempt, type Stumble, startStumblingProxy } from './support/stumbling-proxy.ts';

/** Time limit for all attempts and the compilation of a program. */
const PATIENCE_MS = 150_000;

interface Runtime {
  /** Command that runs the program named after it, as in the guide. */
  readonly command: readonly string[];
  /** A program that may be missing on this machine: the set-up of the tests then says so. */
  readonly needs?: string;
}

const runtimes: Readonly<Record<string, Runtime>> = {
  bash: { command: ['bash'] },
  js: { command: ['node'] },
  python: { command: ['python3'] },
  php: { command: ['php'] },
  java: { command: ['java'], needs: 'javac' },
  go: { command: ['go', 'run'], needs: 'go' },
};

// clients.test.ts tests the generated clients, guide-webhooks.test.ts the verification of webhooks, and
// guide-console-browser.test.ts the way through the console.
const others = ['clients.md', 'console.md', 'webhooks.md'];
const examples = fences.filter(({ page, language }) => language in runtimes && !others.includes(page));
const programs = examples.filter(({ name }) => /^quick-?start\./i.test(name));
const jobPrograms = examples.filter(({ name }) => /^jobs\./i.test(name));
const combinePrograms = examples.filter(({ name }) => /^combine\./i.test(name));
const snippets = examples.filter(
  (example) => ![...programs, ...jobPrograms, ...combinePrograms].includes(example),
);
const installed = programs.filter(isRunnable);

const folder = await mkdtemp(join(tmpdir(), 'platen-guide-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));
await writeFile(join(folder, 'document.docx'), docx({ pages: 2, paragraphs: ['Dear integrator'] }));

/** What runs a program after its first time, by its name: a class, as only the first `java FILE` proves more. */
const classes = new Map<string, readonly string[]>();

const server = await Server.start({ env: { PUBLIC_PER_SECOND: '1000' } });
const { key } = await server.createKey({ environment: 'test' });

t.test('every example has a name of its own, and there is a program for each language', async (t) => {
  for (const { page, language, name } of examples)
    t.ok(name, `${page}: a name for the example in ${language}`);
  t.equal(new Set(examples.map(({ name }) => name)).size, examples.length);
  for (const each of [programs, jobPrograms, combinePrograms]) {
    t.strictSame(each.map(({ language }) => language).sort(), Object.keys(runtimes).sort());
  }
  for (const { page, language, code } of fences) {
    if (language === '') t.notMatch(code, /curl|npm|node /, `${page}: a command is an example, to be run`);
    if (language === 'json') t.doesNotThrow(() => JSON.parse(code), `${page}: JSON`);
  }
});

t.test('a program gets its PDF although its first attempts fail', async (t) => {
  const stumbles: readonly Stumble[] = [
    { simulate: 'REQUEST_IN_PROGRESS' },
    { status: 503, headers: { 'retry-after': '1' }, body: '<h1>503 Service Unavailable</h1>' },
    { simulate: 'INTERNAL_ERROR' },
    'half',
  ];
  const runs = installed.map(async (program) => ({ program, run: await execute(t, program, stumbles) }));
  for (const { program, run } of await Promise.all(runs)) {
    const { name } = program;
    t.equal(run.code, 0, `${name}: ${run.stderr}`);
    t.equal(run.attempts.length, 5, `${name}: attempts`);
    t.match(run.stderr, /^attempt 1: 409 .*^attempt 2: 503 <h1>503.*INTERNAL_ERROR/ms, `${name}: says why`);
    const [first, second, third] = run.attempts.map(({ at }) => at);
    t.ok(Number(second) - Number(first) >= 2_000, `${name}: waits for what Retry-After says`);
    t.ok(Number(third) - Number(second) >= 1_000, `${name}: also when it is a load balancer that says so`);
    const keys = new Set(run.attempts.map(({ headers }) => headers['idempotency-key']));
    t.equal(keys.size, 1, `${name}: the same Idempotency-Key in every attempt`);
    t.match([...keys][0], /^[0-9a-f-]{32,36}$/, `${name}: a key of its own`);
    await isDocument(t, run.folder, name);
    if (program.language === 'java') classes.set(name, await compileJava(join(run.folder, name)));
  }
  // The service delivered all of the PDF that arrived as a half.
  const used = async () => {
    const { body } = await send(server, '/v1/usage', { method: 'GET', key });
    return JSON.parse(body.toString()).conversions.used as number;
  };
  await until('every program is counted', async () => (await used()) >= installed.length);
  t.equal(await used(), installed.length, 'and is counted once');
});

t.test('a program shows the error and ends when a retry is pointless', async (t) => {
  const wrongKey = withChecksum(`svc_test_sk_${'0'.repeat(43)}`);
  const full = JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', requestId: 'req_2', retryAfter: 3600 });
  const tooLong: Stumble = { status: 429, headers: { 'retry-after': '3600' }, body: full };
  const cases: readonly {
    expected: RegExp;
    stumbles: readonly Stumble[];
    apiKey: string;
    attempts: number;
  }[] = [
    { expected: /INVALID_API_KEY.*req_[0-9a-f]{32}/, stumbles: [], apiKey: wrongKey, attempts: 1 },
    {
      expected: /CONVERSION_FAILED.*req_/,
      stumbles: [{ simulate: 'CONVERSION_FAILED' }],
      apiKey: key,
      attempts: 1,
    },
    { expected: /RATE_LIMIT_EXCEEDED.*req_2/, stumbles: ['cut', tooLong], apiKey: key, attempts: 2 },
  ];
  for (const { expected, stumbles, apiKey, attempts } of cases) {
    const runs = installed.map(async (program) => ({
      name: program.name,
      run: await execute(t, program, stumbles, apiKey),
    }));
    for (const { name, run } of await Promise.all(runs)) {
      t.equal(run.code, 1, `${name}: exit code`);
      t.match(run.stderr, expected, `${name}: the error and its request id`);
      t.equal(run.attempts.length, attempts, `${name}: attempts`);
      await t.rejects(readFile(join(run.folder, 'document.pdf')), { code: 'ENOENT' }, `${name}: no PDF`);
    }
  }
});

t.test('a program without a document ends with an error', async (t) => {
  const runs = installed.map(async (program) => ({
    program,
    run: await execute(t, program, [], key, ['missing.docx']),
  }));
  for (const { program, run } of await Promise.all(runs)) {
    t.not(run.code, 0, `${program.name}: exit code`);
    t.match(run.stderr, 'missing.docx', program.name);
    t.equal(run.attempts.length, 0, `${program.name}: no attempt`);
  }
});

t.test('a program gets the PDFs of a job, and says which file failed', async (t) => {
  const archive = 'job.zip';
  const args = [archive, 'document.docx', 'broken.docx'];
  const stumbles: readonly Stumble[] = [
    { status: 503, headers: { 'retry-after': '1' }, body: '<h1>503 Service Unavailable</h1>' },
    'half',
  ];
  const runs = jobPrograms
    .filter(isRunnable)
    .map(async (program) => ({ name: program.name, run: await execute(t, program, stumbles, key, args) }));
  for (const { name, run } of await Promise.all(runs)) {
    t.equal(run.code, 1, `${name}: ${run.stderr}`);
    t.match(run.stderr, /503.*INVALID_FILE_TYPE/s, `${name}: says what failed`);
    const [first, ...others] = run.attempts.slice(0, 3).map(({ headers }) => headers['idempotency-key']);
    t.strictSame(others, [first, first], `${name}: the same Idempotency-Key in every attempt`);
    const listed = spawnSync('unzip', ['-Z1', join(run.folder, archive)]);
    t.strictSame(String(listed.stdout).trim().split('\n').sort(), ['1-document.pdf', 'manifest.json'], name);
  }
});

t.test('a program makes one PDF of documents, or says which one failed', async (t) => {
  const stumbles: readonly Stumble[] = [
    { status: 503, headers: { 'retry-after': '1' }, body: '<h1>503 Service Unavailable</h1>' },
    'half',
  ];
  const whole = 'whole.pdf';
  const runs = combinePrograms.filter(isRunnable).map(async (program) => ({
    name: program.name,
    run: await execute(t, program, stumbles, key, [whole, 'document.docx', 'document.docx']),
    failed: await execute(t, program, [], key, [whole, 'document.docx', 'broken.docx']),
  }));
  for (const { name, run, failed } of await Promise.all(runs)) {
    t.equal(run.code, 0, `${name}: ${run.stderr}`);
    const ids = run.attempts.map(({ headers }) => headers['idempotency-key']);
    t.equal(ids.length, 3, `${name}: attempts`);
    t.equal(new Set(ids).size, 1, `${name}: the same Idempotency-Key in every attempt`);
    t.equal(await pdfPages(await readFile(join(run.folder, whole))), 4, `${name}: pages`);
    t.equal(failed.code, 1, `${name}: exit code`);
    t.match(failed.stderr, /INVALID_FILE_TYPE.*"file":1,"fileName":"broken.docx"/s, `${name}: says which`);
    await t.rejects(readFile(join(failed.folder, whole)), { code: 'ENOENT' }, `${name}: no PDF`);
  }
});

/** What each snippet leaves behind. */
const checks: Readonly<Record<string, (t: Test, run: Run, snippet: Fence) => Promise<void> | void>> = {
  'first.sh': (t, run) => isDocument(t, run.folder, 'first.sh'),
  'one-line.sh': (t, run) => isDocument(t, run.folder, 'one-line.sh'),
  'public.sh': (t, run) => isDocument(t, run.folder, 'public.sh'),
  'rotate.sh': async (t, run, snippet) => {
    await isDocument(t, run.folder, 'rotate.sh');
    const successor = join(run.folder, 'successor.json');
    t.match(
      JSON.parse(await readFile(successor, 'utf8')),
      { key: /^svc_test_sk_\w{49}$/ },
      'the successor, whole',
    );
    t.equal((await stat(successor)).mode & 0o777, 0o600, 'nobody else may read it');
    const stored = await readFile(successor, 'utf8');
    const again = await execute(t, snippet, [], key, [], run.folder);
    t.not(again.code, 0, 'a second run is refused, as the successor was used');
    t.equal(await readFile(successor, 'utf8'), stored, 'and leaves the successor that is stored');
  },
  'report.sh': async (t, run) => {
    await isDocument(t, run.folder, 'report.sh');
    t.match(JSON.parse(run.stdout), { outcome: 'success', pages: 2 }, 'report.sh: JSON');
  },
  'usage.sh': (t, run) => {
    t.match(JSON.parse(run.stdout), { environment: 'test', conversions: { quota: null } });
  },
  'idempotent.sh': (t, run) => isDocument(t, run.folder, 'idempotent.sh'),
  'options.sh': async (t, run) => {
    await isDocument(t, run.folder, 'options.sh');
    t.match(await readFile(join(run.folder, 'document.pdf'), 'latin1'), '<pdfaid:part>2<', 'for archives');
  },
  'combine-two.sh': async (t, run) => {
    t.equal(await pdfPages(await readFile(join(run.folder, 'whole.pdf'))), 4, 'combine-two.sh');
  },
  'picture.sh': async (t, run) => {
    const { width } = PNG.sync.read(await readFile(join(run.folder, 'page-1.png')));
    t.equal(width, 600, 'picture.sh');
  },
  'attach.sh': async (t, run) => {
    await isDocument(t, run.folder, 'attach.sh');
    const list = spawnSync('qpdf', ['--list-attachments', join(run.folder, 'document.pdf')]);
    t.match(String(list.stdout), 'prices.csv');
  },
  'protect.sh': (t, run) => {
    const { stdout } = spawnSync('pdftotext', [
      '-upw',
      'for-readers',
      join(run.folder, 'protected.pdf'),
      '-',
    ]);
    t.match(String(stdout), 'Dear integrator', 'with the password');
  },
  'simulate.sh': (t, run) => {
    t.match(run.stdout, /^HTTP\/1.1 503 .*^retry-after: \d+.*"code":"OVERLOADED"/ims);
  },
  'see-an-error.sh': (t, run) => {
    t.match(run.stdout, /"code":"INVALID_FILE_TYPE".*plain text/);
    t.match(run.stdout, /^x-request-id: req_[0-9a-f]{32}/im);
  },
};

t.test('every other command does its job', async (t) => {
  t.strictSame(snippets.map(({ name }) => name).sort(), Object.keys(checks).sort());
  for (const snippet of snippets) {
    const run = await execute(t, snippet, []);
    t.equal(run.code, 0, `${snippet.name}: ${run.stderr}`);
    await checks[snippet.name]?.(t, run, snippet);
  }
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));

interface Run {
  /** Exit code. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly attempts: readonly Attempt[];
  /** Where it ran, with `document.docx` in it. */
  readonly folder: string;
}

/** Runs an example through a proxy with these stumbles, in a folder of its own or in that of another run. */
async function execute(
  t: Test,
  { language, name, code }: Fence,
  stumbles: readonly Stumble[],
  apiKey = key,
  args: readonly string[] = [],
  where?: string,
): Promise<Run> {
  const own = where ?? (await mkdtemp(join(folder, 'run-')));
  await copyFile(join(folder, 'document.docx'), join(own, 'document.docx'));
  await writeFile(join(own, 'broken.docx'), 'not a document');
  await writeFile(join(own, name), code);
  const program = classes.get(name) ?? [name];
  const proxy = await startStumblingProxy(t, server.url, stumbles);
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, JDK_JAVA_OPTIONS, PLATEN_URL: proxy.url, PLATEN_API_KEY: apiKey };
  // The kernel ends it with the test, however the test ends.
  const command = ['--pdeathsig', 'KILL', ...(runtimes[language]?.command ?? []), ...program, ...args];
  return new Promise((resolve, reject) => {
    execFile('setpriv', command, { cwd: own, env, timeout: PATIENCE_MS }, (error, stdout, stderr) => {
      // One that took too long has no code.
      const exitCode = error ? error.code : 0;
      if (typeof exitCode !== 'number') return reject(error);
      resolve({ code: exitCode, stdout, stderr, attempts: proxy.attempts, folder: own });
    });
  });
}

async function isDocument(t: Test, where: string, name: string): Promise<void> {
  const pdf = await readFile(join(where, 'document.pdf'));
  t.equal(await pdfPages(pdf), 2, `${name}: pages`);
  t.match(await pdfText(pdf), /Dear integrator.*Page 2/s, `${name}: text`);
}

/** Whether what it needs is there. */
function isRunnable({ language }: Fence): boolean {
  const { needs } = runtimes[language] ?? {};
  return needs === undefined || isInstalled(needs);
}

function isInstalled(program: string): boolean {
  return spawnSync('sh', ['-c', 'command -v "$0"', program], { stdio: 'ignore' }).status === 0;
}
