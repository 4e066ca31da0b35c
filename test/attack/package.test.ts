/** Hostile packages over HTTP: each is refused soon, with its complete error, and leaves nothing behind. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import t from 'tap';
import { endsCleanly, isError, isPdf } from '../e2e/support/assertions.ts';
import { convert, get } from '../e2e/support/requests.ts';
import { docx, docxLeadingTo, html, rtf } from '../support/documents.ts';
import { pdfPictureDocx } from '../support/pdf-picture.ts';
import { Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { attacks } from './support/packages.ts';

/** Longest time of an attack on a busy machine: the preflight's own limit and the upload. */
const LONGEST_MS = 15_000;
/** Largest memory of the server: it takes about 150 MB, as another process reads the heavy packages. */
const MOST_MEMORY_MB = 400;

const server = await Server.start();
const { key } = await server.createKey();

/** The largest memory that the server itself has ever had, in MB. */
async function peakMemory(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1_024;
}

for (const [group, each] of Object.entries(attacks)) {
  t.test(`${group}: refused, each for its reason`, async (t) => {
    for (const { what, build, code, reason, message } of each) {
      const document = build();
      const started = performance.now();
      const answer = await convert(server, key, document);
      t.ok(performance.now() - started < LONGEST_MS, `${what}: time`);
      const body = isError(t, answer, code, 400, what);
      t.match(body.message, message, `${what}: message`);
      const line = await server.logged('request', ({ reqId }) => reqId === body.requestId);
      t.equal(line.reason, reason, `${what}: reason`);
    }
  });
}

t.test('the service is as well as before', async (t) => {
  await until('the jobs are gone', async () => (await server.jobs()).length === 0);
  t.equal((await get(server, '/health')).status, 200);
  t.notOk(existsSync('/tmp/canary'), 'nothing was written outside');
  t.ok((await peakMemory()) < MOST_MEMORY_MB, `memory: ${Math.round(await peakMemory())} MB`);
  t.strictSame(server.troubles, [], 'the log knows of no trouble');
});

t.test('honest documents with the features that attacks use are converted', async (t) => {
  const chunk = '<w:altChunk r:id="rId1"/><w:p><w:r><w:t>Hello</w:t></w:r></w:p>';
  const honest = {
    'a chunk of HTML': docxLeadingTo({ 'a.html': 'aFChunk' }, { 'word/a.html': html() }, chunk),
    'a chunk of Rich Text': docxLeadingTo({ 'a.rtf': 'aFChunk' }, { 'word/a.rtf': rtf() }, chunk),
    'a chunk of DOCX': docxLeadingTo({ 'a.docx': 'aFChunk' }, { 'word/a.docx': docx() }, chunk),
    'much white space behind the archive': Buffer.concat([docx(), Buffer.alloc(10_000, ' \n\0')]),
    'a PDF as a picture': pdfPictureDocx(),
    'a PDF as a picture, with a length that is wrong': pdfPictureDocx(5),
    'a PDF as a picture, with a length below zero': pdfPictureDocx(-1),
    'a PDF as a picture, with a length of gigabytes': pdfPictureDocx(2_147_483_647),
    'a PDF as a picture of a chunk': docxLeadingTo(
      { 'a.docx': 'aFChunk' },
      { 'word/a.docx': pdfPictureDocx(2_147_483_647) },
      chunk,
    ),
    'an embedded document': docxLeadingTo({ 'a.docx': 'package' }, { 'word/a.docx': docx() }),
  };
  for (const [what, document] of Object.entries(honest)) {
    await t.test(what, async (t) => isPdf(t, await convert(server, key, document), /Hello/));
  }
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
