/** `platen convert` as its users run it: with LibreOffice and nothing else, or with a service. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readdir, readFile, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { PNG } from 'pngjs';
import t from 'tap';
import { type Env, main, run, start } from '../cli/support.ts';
import { countedDocx } from '../support/counted-document.ts';
import { docx, slowDocx } from '../support/documents.ts';
import { inFont, run as paragraph, reportedDocx } from '../support/report-documents.ts';
import { openJobs, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { environment, leftovers, processesWith } from './support/leftovers.ts';
import { pdfText } from './support/pdf.ts';
import { startStumblingProxy } from './support/stumbling-proxy.ts';

/** Of a Ctrl-C, within 250 ms. */
const ECHOES = 4;
const ECHO_AFTER_MS = 5;
/** Less than the time that the start of an engine may take. */
const SOON_MS = 20_000;

const hello = (name: string) => docx({ paragraphs: [`Hello ${name}`] });

/** All files in a folder and its folders. */
async function filesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  return names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    .sort();
}

const linesOf = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Runs `platen …` on a terminal. @returns its exit code, and the lines that were shown at any time. */
async function onTerminal(env: Env, ...args: string[]): Promise<[code: number, ...lines: string[]]> {
  const command = [process.execPath, main, ...args].map((each) => `'${each}'`).join(' ');
  const child = spawn(
    'script',
    ['--quiet', '--return', '--command', `stty cols 100; ${command}`, '/dev/null'],
    {
      env: { PATH: process.env.PATH, TERM: 'xterm', ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const [shown, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (shown.includes('\x1b[?7l')) throw new Error('the terminal cuts off lines');
  const lines = shown
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what moves the cursor.
    .replaceAll(/\x1b\[[?\d;]*[A-Za-z]/g, '\n')
    .split(/[\r\n]+/)
    .filter((line) => line !== '');
  return [code, ...lines];
}

t.test('pictures of pages', async (t) => {
  const env = await environment(t);
  const folder = t.testdir({ 'one.docx': hello('one'), 'two.docx': hello('two') });
  const out = join(folder, 'out');
  const wanted = ['--format', 'png', '--width', '120'];
  const { code, stdout, stderr } = await run(env, 'convert', folder, '--out', out, ...wanted);
  t.equal(code, 0, stderr);
  t.strictSame(await filesIn(out), ['one.png', 'two.png']);
  t.equal(PNG.sync.read(await readFile(join(out, 'one.png'))).width, 120);
  t.match(linesOf(stdout), [{ result: 'converted', pdf: /(one|two)\.png$/, pages: 1 }]);
  const wrong = await run(env, 'convert', join(folder, 'one.docx'), '--width', '120');
  t.match(wrong, { stderr: /--width needs --format png/ });
  t.not(wrong.code, 0);
  t.strictSame(await leftovers(env), []);
});

t.test('several documents become one PDF', async (t) => {
  const env = await environment(t);
  const folder = t.testdir({
    'b.docx': hello('b'),
    'a.docx': hello('a'),
    'broken.docx': 'no document',
    'counted.docx': countedDocx(''),
  });
  const pathOf = (name: string) => join(folder, name);
  const [one, two] = [pathOf('b.docx'), pathOf('a.docx')];
  const [broken, counted] = [pathOf('broken.docx'), pathOf('counted.docx')];
  const out = join(folder, 'new', 'whole.pdf');
  const whole = ['--combine', out, '--force', '--title', 'Both', '--pages', '1-2'];
  const server = await Server.start();
  t.teardown(() => server.stop());
  const { key } = await server.createKey();
  const ways = [
    { args: [], env },
    { args: ['--server', server.url], env: { ...env, PLATEN_API_KEY: key } },
  ];
  const pdfs: Buffer[] = [];
  for (const { args, env } of ways) {
    const made = await run(env, 'convert', one, two, ...whole, ...args);
    t.equal(made.code, 0, made.stderr);
    const pdf = await readFile(out);
    pdfs.push(pdf);
    t.match(await pdfText(pdf), /Hello b\s+Hello a/);
    const [result, { summary }] = linesOf(made.stdout);
    t.match(result, { documents: [one, two], result: 'converted', pdf: out, pages: 2 });
    t.notOk('document' in result);
    t.match(result.warnings, [
      { code: 'PAGES_CLAMPED', file: 0, message: `${one}: The document does not have all` },
      { code: 'PAGES_CLAMPED', file: 1, message: `${two}: The document does not have all` },
    ]);
    t.match(summary, { documents: 2, converted: 2, warned: 2, pages: 2, failed: 0, left: 0 });
    const failed = await run(env, 'convert', one, broken, ...whole, ...args);
    t.equal(failed.code, 1);
    t.match(linesOf(failed.stdout)[0], {
      documents: [one, broken],
      result: 'failed',
      file: 1,
      code: 'INVALID_FILE_TYPE',
      message: `${broken}: This is plain text`,
    });
    t.match(failed.stderr, `platen: failed, 1 of 2:\n  ${broken}: INVALID_FILE_TYPE: This is plain text`);
    t.ok((await readFile(out)).equals(pdf), 'the PDF of before is there');
    const continuous = ['--combine', pathOf('numbers.pdf'), '--force', '--page-numbers', 'continuous'];
    const numbered = await run(env, 'convert', one, counted, ...continuous, ...args);
    t.equal(numbered.code, 0, numbered.stderr);
    t.match(await pdfText(await readFile(pathOf('numbers.pdf'))), /Hello b\s+2\/3 2\s+a\s+3\/3 2\s+of 3/);
  }
  t.ok(pdfs[0]?.equals(pdfs[1] as Buffer), 'the same from the service');
  const repeated = await run(env, 'convert', '--force', '--combine', out, two, one, two);
  t.equal(repeated.code, 0, repeated.stderr);
  t.match(await pdfText(await readFile(out)), /Hello a\s+Hello b\s+Hello a/);
  t.match(linesOf(repeated.stdout)[1], { summary: { documents: 3, converted: 3, pages: 3 } });
  const before = await readFile(out);
  await mkdir(join(folder, 'folder.PDF'));
  const linked = join(folder, 'linked.pdf');
  await symlink(one, linked);
  for (const [args, mistake] of [
    [
      ['--combine', one, two],
      /the first name after --combine is the PDF's, and .*b\.docx does not end in \.pdf/,
    ],
    [['--combine', folder, two], /does not end in \.pdf/],
    [['--combine', join(folder, 'folder.PDF'), two], /folder\.PDF is a folder: name a file for the PDF/],
    [['--combine', join(folder, 'folder.PDF'), two, '--force'], /folder\.PDF is a folder/],
    [['--combine', out, one], /whole\.pdf is there already: use --force to replace, or another name/],
    [
      ['--combine', out],
      /name the documents of .*whole\.pdf after it: files, folders of them, or patterns\n$/,
    ],
    [['--combine', out, '-'], /leave out --out, --watch and "-"/],
    [[...Array(51).fill(one), '--combine', out], /there are 51 documents, and one PDF is of up to 50/],
    [[one, '--combine', linked, '--force'], /the PDF would replace .*b\.docx/],
    [[one, '--combine', out, '--out', folder], /leave out --out/],
    [[one, '--combine', out, '--format', 'png'], /a picture is of one document/],
    [[one, '--page-numbers', 'continuous'], /--page-numbers is for --combine/],
    [
      [one, '--combine', out, '--force', '--page-numbers', 'continuous', '--pages', '1'],
      /--page-numbers continuous counts all pages of all documents\. Leave --page-numbers or --pages out\./,
    ],
  ] as const) {
    const wrong = await run(env, 'convert', ...args);
    t.not(wrong.code, 0);
    t.match(wrong.stderr, mistake);
  }
  t.ok((await readFile(out)).equals(before), 'and nothing is replaced');
  t.strictSame(await readFile(one), hello('b'));
  t.strictSame(await leftovers(env), []);
});

t.test('files, folders and patterns become PDFs, and one failure stops nothing', async (t) => {
  const env = { ...(await environment(t)), MAX_FILE_MB: '0.1' };
  const folder = t.testdir({
    in: {
      'a.docx': hello('a'),
      'broken.docx': 'no document',
      'large.docx': docx({ paddingBytes: 110_000 }),
      inner: { 'b.docx': hello('b'), 'notes.txt': 'no document either' },
    },
    'more letters': { x: { 'c.docx': hello('c') } },
    out: { 'a.pdf': 'of an earlier run', 'other.pdf': 'of somebody else' },
  });
  const out = join(folder, 'out');
  const args = [join(folder, 'in'), join(folder, 'more letters/**/*.docx'), '--out', out, '--linearize'];
  const { code, stdout, stderr } = await run(env, 'convert', ...args);
  t.equal(code, 1);
  t.strictSame(stderr.split('\n').slice(0, -1).sort(), [
    `  ${folder}/in/broken.docx: INVALID_FILE_TYPE: This is plain text. Save it as a Word document (.docx) and send that.`,
    `  ${folder}/in/large.docx: FILE_TOO_LARGE: The document is larger than 0.1 MB, the most that MAX_FILE_MB allows.`,
    'platen: failed, 2 of 5:',
  ]);
  const lines = linesOf(stdout);
  t.match(lines.pop(), { summary: { documents: 5, converted: 3, failed: 2, warned: 0, pages: 3 } });
  const results = lines.sort((one, other) => (one.document < other.document ? -1 : 1));
  t.match(results, [
    {
      document: join(folder, 'in/a.docx'),
      result: 'converted',
      pdf: join(out, 'a.pdf'),
      pages: 1,
      warnings: [],
    },
    { result: 'failed', code: 'INVALID_FILE_TYPE', message: String },
    { document: join(folder, 'in/inner/b.docx'), result: 'converted', pdf: join(out, 'inner/b.pdf') },
    { result: 'failed', code: 'FILE_TOO_LARGE' },
    { result: 'converted', pdf: join(out, 'x/c.pdf') },
  ]);
  t.strictSame(await filesIn(out), ['a.pdf', 'inner/b.pdf', 'other.pdf', 'x/c.pdf'], 'and no draft');
  for (const [name, path] of Object.entries({ a: 'a.pdf', b: 'inner/b.pdf', c: 'x/c.pdf' })) {
    const pdf = await readFile(join(out, path));
    t.equal(await pdfText(pdf), `Hello ${name}`);
    t.match(pdf.toString('latin1', 0, 1_024), '/Linearized');
  }
  t.strictSame(await leftovers(env), []);
});

t.test('a terminal gets a bar at once, what each PDF lacks, and all warnings by code', async (t) => {
  const env = await environment(t);
  const garamond = paragraph('Text', inFont('Garamond'));
  const external = { image: 'http://127.0.0.1:1/a.png' };
  const folder = t.testdir({
    in: {
      'a.docx': reportedDocx({ body: garamond }),
      x: { 'b.docx': reportedDocx({ body: garamond, external }) },
    },
    out: {},
  });
  const [code, first, second = '', ...lines] = await onTerminal(
    env,
    ...['convert', join(folder, 'in'), '--out', join(folder, 'out')],
  );
  t.equal(code, 0);
  t.equal(first, 'Looking for documents …');
  t.match(second, /0 of 2 documents, starting$/);
  const link = 'The document links to content outside of it (1 link), which the PDF lacks. Embed it.';
  t.ok(lines.includes(`x/b.docx: loss: EXTERNAL_CONTENT_OMITTED: ${link}`), lines.join('\n'));
  t.match(lines.slice(-3), [
    'EXTERNAL_CONTENT_OMITTED in 1 document: x/b.docx',
    'FONT_SUBSTITUTED in 2 documents: Garamond',
    /^documents: 2, converted: 2 \(pages: 2, with warnings: 2\), failed: 0, in /,
  ]);
});

t.test('a terminal gets all warnings of one PDF, with the documents that they are about', async (t) => {
  const garamond = paragraph('Text', inFont('Garamond'));
  const external = { image: 'http://127.0.0.1:1/a.png' };
  const folder = t.testdir({
    'a.docx': reportedDocx({ body: garamond }),
    'b.docx': reportedDocx({ body: garamond, external }),
  });
  const [a, b, whole] = ['a.docx', 'b.docx', 'whole.pdf'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const env = await environment(t);
  const [code, ...lines] = await onTerminal(env, 'convert', '--combine', whole, a, b);
  t.equal(code, 0);
  const font = 'The font Garamond is not on the server.';
  t.match(lines.slice(-6), [
    `${b}: loss: EXTERNAL_CONTENT_OMITTED: The document links to content outside of it`,
    `${a}: note: FONT_SUBSTITUTED: ${font}`,
    `${b}: note: FONT_SUBSTITUTED: ${font}`,
    `EXTERNAL_CONTENT_OMITTED in 1 document: ${b}`,
    'FONT_SUBSTITUTED in 2 documents: Garamond',
    /^documents: 2, converted: 2 \(pages: 2, with warnings: 2\), failed: 0, in /,
  ]);
});

t.test('a PDF that is refused has its warnings', async (t) => {
  const folder = t.testdir({ 'a.docx': reportedDocx({ body: paragraph('Text', inFont('Garamond')) }) });
  const args = ['convert', join(folder, 'a.docx'), '--fail-on', 'FONT_SUBSTITUTED'];
  const { code, stdout } = await run(await environment(t), ...args);
  t.equal(code, 1);
  t.match(linesOf(stdout), [
    {
      result: 'failed',
      code: 'CONVERSION_FAILED',
      warnings: [{ code: 'FONT_SUBSTITUTED', level: 'note', font: 'Garamond', message: /Garamond/ }],
    },
    { summary: { failed: 1 } },
  ]);
});

t.test('without a folder, a PDF is beside its document, and replaces nothing unasked', async (t) => {
  const env = await environment(t);
  const folder = t.testdir({ 'a.docx': hello('a'), inner: { 'b.docx': hello('b') } });
  const a = join(folder, 'a.docx');
  t.match(await run(env, 'convert', a), { code: 0, stderr: '' });
  t.equal(await pdfText(await readFile(join(folder, 'a.pdf'))), 'Hello a');
  await writeFile(join(folder, 'a.pdf'), 'of somebody else');
  t.match(await run(env, 'convert', folder), {
    code: 1,
    stdout: '',
    stderr: `platen: ${join(folder, 'a.pdf')} is there already: use --force to replace, or --out FOLDER\n`,
  });
  t.strictSame(await filesIn(folder), ['a.docx', 'a.pdf', 'inner/b.docx'], 'nothing was converted');
  t.match(await run(env, 'convert', folder, '--force'), { code: 0 });
  t.strictSame(await filesIn(folder), ['a.docx', 'a.pdf', 'inner/b.docx', 'inner/b.pdf']);
  t.equal(await pdfText(await readFile(join(folder, 'a.pdf'))), 'Hello a');
});

t.test('a pipe', async (t) => {
  const env = await environment(t);
  const child = start(env, ['convert', '-'], hello('pipe'));
  const [pdf, stderr, [code]] = await Promise.all([
    buffer(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  t.match({ code, stderr }, { code: 0, stderr: '' });
  t.equal(await pdfText(pdf), 'Hello pipe');
  const broken = start(env, ['convert', '-'], Buffer.from('no document'));
  const [nothing, message, [failed]] = await Promise.all([
    buffer(broken.stdout),
    text(broken.stderr),
    once(broken, 'exit'),
  ]);
  t.equal(nothing.length, 0);
  t.match({ failed, message }, { failed: 1, message: /^platen: -: INVALID_FILE_TYPE: / });
  t.strictSame(await leftovers(env), []);
});

t.test('SIGINT ends it, and nothing is left behind', async (t) => {
  const env = await environment(t);
  const folder = t.testdir({
    'a.docx': hello('a'),
    'slow.docx': slowDocx(),
    'slow2.docx': slowDocx(1),
    out: {},
  });
  const child = start(env, ['convert', folder, '--out', join(folder, 'out'), '--workers', '2']);
  const ended = Promise.all([text(child.stderr), once(child, 'close')]);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await until(
    'the slow ones are converted',
    async () => lines.length > 0 && (await openJobs(env.WORK_DIR)).length === 2,
  );
  t.not((await processesWith(env.WORK_DIR)).length, 0, 'there is an engine');
  // npm repeats what a terminal has sent to it and to the command.
  for (let echo = 0; echo <= ECHOES; echo++) {
    child.kill('SIGINT');
    await delay(ECHO_AFTER_MS);
  }
  const [stderr, [code]] = await ended;
  t.match({ code, stderr }, { code: 1, stderr: 'platen: interrupted\n' });
  t.match(linesOf(lines.join('\n')), [
    { document: join(folder, 'a.docx'), result: 'converted' },
    { summary: { documents: 3, converted: 1, failed: 0, left: 2 } },
  ]);
  t.strictSame(await filesIn(join(folder, 'out')), ['a.pdf']);
  t.strictSame(await leftovers(env), []);
});

t.test('a signal ends it while LibreOffice starts', async (t) => {
  const env = await environment(t);
  const documents = t.testdir({ 'a.docx': hello('a') });
  const commands = [
    ['convert', documents, '--out', join(documents, 'out')],
    ['compare', documents, '--from', 'a', '--to', 'b', '--here', 'from', '--out', join(documents, 'report')],
  ];
  for (const command of commands) {
    const child = start(env, command);
    const ended = Promise.all([text(child.stderr), once(child, 'exit')]);
    let kit: string | undefined;
    await until('LibreOffice starts', async () => {
      kit = (await processesWith(env.WORK_DIR)).find((each) => each.includes('/platen-kit '));
      return kit !== undefined;
    });
    process.kill(Number.parseInt(kit ?? '', 10), 'SIGSTOP');
    const began = performance.now();
    child.kill('SIGTERM');
    t.match(await ended, ['platen: interrupted\n', [1]]);
    t.ok(performance.now() - began < SOON_MS, 'soon');
    t.strictSame(await leftovers(env), []);
  }
});

t.test('a reader that has read enough ends it, as a signal does', async (t) => {
  const env = await environment(t);
  // After the first line, at least one more is written without a reader, while the slow document is converted.
  const others = Array.from({ length: 10 }, (_, n) => [`b${n}.docx`, hello('b')] as const);
  const documents = { 'a.docx': hello('a'), 'a-slow.docx': slowDocx(), ...Object.fromEntries(others) };
  const folder = t.testdir({ ...documents, out: {} });
  const child = start(env, ['convert', folder, '--out', join(folder, 'out')]);
  const ended = Promise.all([text(child.stderr), once(child, 'exit')]);
  child.stdout.once('data', () => child.stdout.destroy());
  const [stderr, [code]] = await ended;
  t.match({ code, stderr }, { code: 1, stderr: '' });
  t.strictSame(await leftovers(env), []);
});

t.test('a folder is watched until a signal, such as that of a closed terminal', async (t) => {
  const env = await environment(t);
  const folder = t.testdir({ in: { 'a.docx': hello('a'), 'b.docx': hello('b') }, out: {} });
  const [inbox, out] = [join(folder, 'in'), join(folder, 'out')];
  await writeFile(join(out, 'b.pdf'), 'newer than its document');
  // Both files may have been written in one tick of the clock that dates them.
  const later = new Date(Date.now() + 60_000);
  await utimes(join(out, 'b.pdf'), later, later);
  const child = start(env, ['convert', '--watch', inbox, '--out', out]);
  const ended = Promise.all([text(child.stderr), once(child, 'close')]);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  await until('the first is converted', () => lines.length >= 1);
  await writeFile(join(inbox, 'c.docx'), hello('c'));
  await until('the new one is converted', () => lines.length >= 2);
  await writeFile(join(inbox, 'a.docx'), hello('another a'));
  await until('the changed one is converted', () => lines.length >= 3);
  child.kill('SIGHUP');
  const [stderr, [code]] = await ended;
  t.match({ code, stderr }, { code: 0, stderr: '' });
  t.match(linesOf(lines.join('\n')), [
    { document: join(inbox, 'a.docx') },
    { document: join(inbox, 'c.docx') },
    { document: join(inbox, 'a.docx'), result: 'converted' },
    { summary: { documents: 3, converted: 3 } },
  ]);
  t.equal(await pdfText(await readFile(join(out, 'a.pdf'))), 'Hello another a');
  t.equal(await readFile(join(out, 'b.pdf'), 'utf8'), 'newer than its document');
  t.strictSame(await leftovers(env), []);
});

t.test('a service converts, over a network where attempts fail', async (t) => {
  const server = await Server.start();
  t.teardown(() => server.stop());
  const { key } = await server.createKey();
  const folder = t.testdir({ in: { 'a.docx': hello('a'), 'broken.docx': 'no document' }, key: `${key}\n` });
  const [a, broken, out] = [join(folder, 'in/a.docx'), join(folder, 'in/broken.docx'), join(folder, 'out')];
  const busy = { status: 503, headers: { 'retry-after': '1' }, body: '<h1>later</h1>' };
  const proxy = await startStumblingProxy(t, server.url, ['cut', 'pass', 'cut', busy, 'half']);
  const args = ['convert', '--server', `${proxy.url}/`, '--out', out];
  const done = await run({}, ...args, a, '--key-file', join(folder, 'key'), '--no-tagged');
  t.match(done, { code: 0, stderr: '' });
  t.match(linesOf(done.stdout), [{ result: 'converted', pages: 1 }, { summary: { converted: 1 } }]);
  t.equal(await pdfText(await readFile(join(out, 'a.pdf'))), 'Hello a');
  const conversions = proxy.attempts.flatMap(({ headers, at }) =>
    headers['idempotency-key'] === undefined ? [] : [{ key: headers['idempotency-key'], at }],
  );
  t.equal(conversions.length, 4);
  t.equal(new Set(conversions.map((each) => each.key)).size, 1, 'one document, one key');
  t.ok((conversions[2]?.at ?? 0) - (conversions[1]?.at ?? 0) >= 1_000, 'Retry-After is waited for');

  const failed = await run({ PLATEN_API_KEY: key }, ...args, join(folder, 'in'), '--workers', '2');
  t.equal(failed.code, 1);
  t.match(failed.stderr, `platen: failed, 1 of 2:\n  ${broken}: INVALID_FILE_TYPE: `);
  t.match(failed.stderr, /\(req_[0-9a-f]{32}\)\n$/);
  const before = proxy.attempts.length;
  const refused = await run({ PLATEN_API_KEY: 'svc_none' }, ...args, join(folder, 'in'), '--workers', '1');
  t.match(refused, { code: 1, stderr: /failed, 2 of 2:\n.*INVALID_API_KEY.*\n.*INVALID_API_KEY/ });
  t.equal(proxy.attempts.length - before, 2, 'GET /v1, and one document for all');
  const nobody = await run(
    { PLATEN_API_KEY: key },
    'convert',
    '--server',
    `${server.url}/v1/health`,
    '--out',
    out,
    a,
  );
  t.match(nobody, { code: 1, stdout: '', stderr: /^platen: no Platen service answers at / });
});

t.test('unsuitable documents and keys are refused before any conversion', async (t) => {
  const folder = t.testdir({ 'a.docx': hello('a'), key: 'svc_test_sk_secret\nanother\n' });
  const [a, key] = [join(folder, 'a.docx'), join(folder, 'key')];
  const server = ['--server', 'http://127.0.0.1:1', '--key-file', key];
  const { stderr, ...rest } = await run({}, 'convert', a, '--out', folder, ...server);
  t.match(rest, { code: 1, stdout: '' });
  t.equal(stderr, 'platen: the key is not one line of letters and digits\n');

  const intoFolder = await run({}, 'convert', '-', '--out', folder);
  t.match(intoFolder, { code: 1, stderr: `platen: ${folder} is a folder: name a file for the PDF\n` });

  const document = await open(a);
  const child = spawn(process.execPath, [main, 'convert', '-', '--out', a], {
    stdio: [document.fd, 'ignore', 'pipe'],
  });
  const [refusal, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  await document.close();
  t.match({ code, refusal }, { code: 1, refusal: `platen: the PDF would replace ${a}, which is read\n` });
  t.strictSame(await readFile(a), hello('a'));
});

t.test('a full disk behind stdout ends it', async (t) => {
  const env = await environment(t);
  const full = await open('/dev/full', 'w');
  const child = spawn(process.execPath, [main, 'convert', '-'], {
    env: { ...process.env, ...env },
    stdio: ['pipe', full.fd, 'pipe'],
  });
  child.stdin?.end(hello('a'));
  const [stderr, [code]] = await Promise.all([text(child.stderr as Readable), once(child, 'exit')]);
  await full.close();
  t.match({ code, stderr }, { code: 1, stderr: 'platen: stdout cannot be written: ENOSPC\n' });
  t.strictSame(await leftovers(env), []);
});

t.test('a wrong command line converts nothing', async (t) => {
  const folder = t.testdir({ 'a.docx': hello('a') });
  const a = join(folder, 'a.docx');
  for (const [args, message] of [
    [[], /name documents/],
    [['--watch', folder], /--out is missing/],
    [[a, '--force', '--out', folder], /--force is for PDFs beside their documents/],
    [[a, '-'], /takes no other files/],
    [[a, '--watch', folder, '--out', folder], /takes no other files/],
    [[a, '--out', folder, '--server', 'http://127.0.0.1:1'], /needs a key/],
    [[a, '--out', ''], /--out is empty/],
    [[a, '--out', folder, '--key-file', a], /--key-file is for --server/],
    [[a, '--out', folder, '--workers', '0'], /from 1 to 254/],
    [[a, '--out', folder, '--pdfa', '5'], /error: --pdfa must be/],
    [[a, '--out', folder, '--colour', 'x'], /unknown option/],
  ] as const)
    t.match(
      await run({}, 'convert', ...args),
      { code: 2, stdout: '', stderr: message },
      args.slice(1).join(' '),
    );
  t.strictSame(await filesIn(folder), ['a.docx']);
});
