/** `failOn`: senders refuse PDFs for their warnings, in a request, a job and the command. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { run as runCommand } from '../cli/support.ts';
import { inFont, reportedDocx, run } from '../support/report-documents.ts';
import { form, Server } from '../support/server.ts';
import { until } from '../support/until.ts';
import { endsCleanly } from './support/assertions.ts';
import { multipart, send } from './support/requests.ts';

const server = await Server.start();
const { key } = await server.createKey();
/** The PDF lacks a picture, and has another font. */
const document = reportedDocx({
  body: run('Text', inFont('Garamond')),
  external: { image: 'http://127.0.0.1:1/a.png' },
});
const lost = {
  code: 'EXTERNAL_CONTENT_OMITTED',
  level: 'loss',
  count: 1,
  message: 'The document links to content outside of it (1 link), which the PDF lacks. Embed it.',
};
const refusal =
  'failOn=loss refuses the PDF. The document links to content outside of it (1 link), which the PDF lacks. Embed it.';

const convert = (failOn: string) =>
  send(server, `/v1/convert?failOn=${failOn}`, { key, body: form(document) });
const ask = async (path: string) => {
  const { body } = await send(server, path, { method: 'GET', key });
  return JSON.parse(body.toString());
};

t.test('a request is answered with the warnings, and is not billed', async (t) => {
  const answer = await convert('loss');
  t.equal(answer.status, 500);
  const { requestId, timestamp, ...body } = JSON.parse(answer.body.toString());
  t.strictSame(body, {
    code: 'CONVERSION_FAILED',
    error: 'Internal Server Error',
    message: refusal,
    warnings: [lost],
  });
  t.match(timestamp, /Z$/);
  t.match(await ask(`/v1/conversions/${requestId}`), {
    outcome: 'failure',
    code: 'CONVERSION_FAILED',
    warnings: [lost, { code: 'FONT_SUBSTITUTED', level: 'note' }],
  });
  t.match(await ask('/v1/usage'), { conversions: { used: 0 } });
});

t.test('each code can be named, and the same document is not held against its sender', async (t) => {
  const { warnings, message } = JSON.parse(
    (await convert('FONT_SUBSTITUTED,EXTERNAL_CONTENT_OMITTED')).body.toString(),
  );
  t.strictSame(
    warnings.map(({ code }: { code: string }) => code),
    ['EXTERNAL_CONTENT_OMITTED', 'FONT_SUBSTITUTED'],
  );
  t.match(message, /It has 2 such warnings\.$/);
  const accepted = await convert('TEXT_MISSING');
  t.equal(accepted.status, 200);
  t.match(
    accepted.headers.get('x-conversion-warnings'),
    /^EXTERNAL_CONTENT_OMITTED;count=1, FONT_SUBSTITUTED;/,
  );
  t.match(await ask('/v1/usage'), { conversions: { used: 1 } });
});

t.test('a name that is no warning is a mistake', async (t) => {
  const answer = await convert('LOST');
  t.equal(answer.status, 400);
  t.match(JSON.parse(answer.body.toString()), {
    code: 'INVALID_PARAMETER',
    message: /failOn must be a list of "loss" and codes of warnings, such as TEXT_MISSING/,
  });
});

t.test('a file of a job fails with them', async (t) => {
  const files = [
    { headers: ['Content-Disposition: form-data; name="file"; filename="report.docx"'], data: document },
  ];
  const taken = await send(server, '/v1/jobs?failOn=loss', { key, ...multipart(files) });
  t.equal(taken.status, 202, taken.body.toString());
  const { id } = JSON.parse(taken.body.toString());
  let job: { state?: string; files?: unknown } = {};
  await until('the job ends', async () => {
    job = await ask(`/v1/jobs/${id}`);
    return job.state === 'completed';
  });
  t.match(job.files, [
    {
      state: 'failed',
      pdf: null,
      error: { code: 'CONVERSION_FAILED', message: refusal, warnings: [lost] },
    },
  ]);
  t.match(await ask('/v1/usage'), { conversions: { used: 1 } });
});

t.test('the command converts no such document', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-refused-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const path = join(folder, 'report.docx');
  await writeFile(path, document);
  const environment = { WORK_DIR: join(folder, 'work'), WORKERS: '1' };
  const { code, stdout } = await runCommand(environment, 'convert', path, '--fail-on', 'loss');
  t.equal(code, 1);
  const [line = ''] = stdout.split('\n');
  t.match(JSON.parse(line), { result: 'failed', code: 'CONVERSION_FAILED', message: refusal });
  t.strictSame((await readdir(folder)).sort(), ['report.docx', 'work']);
});

t.test('the server ends cleanly', (t) => endsCleanly(t, server));
