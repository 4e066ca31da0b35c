/** The verdict about a PDF for archives or for everybody: in the header, in the report, in a job, and as a reason to refuse it. */
import t from 'tap';
import { accessibleDocx } from '../../support/accessible-document.ts';
import { docxWithCore, propertiesLink } from '../../support/core-properties.ts';
import { docx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { type Answer, multipart, send } from '../support/requests.ts';
import { key, server } from './server.ts';

const convert = (document: Buffer, query: string, fields: Readonly<Record<string, string>> = {}) => {
  const body = form(document);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(server, `/v1/convert?${query}`, { key, body });
};

async function reportOf({ headers }: Answer) {
  const path = `/v1/conversions/${headers.get('x-request-id')}`;
  return JSON.parse((await send(server, path, { method: 'GET', key })).body.toString());
}

const withoutAlternative = accessibleDocx({ alternative: '' });
const failure = { clause: '7.3', rule: 'Figures have an alternative text.' };

t.test('a PDF of each level passes', async (t) => {
  for (const [query, header] of [
    ['pdfa=1b', 'PDF/A-1b;verdict=pass'],
    ['pdfa=2b', 'PDF/A-2b;verdict=pass'],
    ['pdfa=3b', 'PDF/A-3b;verdict=pass'],
    ['pdfua=true', 'PDF/UA-1;verdict=pass'],
    ['pdfua=true&linearize=true', 'PDF/UA-1;verdict=pass'],
    ['pdfa=2b&pdfua=true', 'PDF/A-2b;verdict=pass, PDF/UA-1;verdict=pass'],
  ] as const) {
    const answer = await convert(accessibleDocx(), query);
    t.equal(answer.headers.get('x-conversion-conformance'), header, query);
    t.equal(answer.headers.get('x-conversion-warnings'), null, query);
  }
  const answer = await convert(accessibleDocx(), 'pdfa=2b');
  t.strictSame((await reportOf(answer)).conformance, [
    { level: 'PDF/A-2b', verdict: 'pass', failures: [], hasMore: false },
  ]);
});

t.test('glyphs that show a character together', async (t) => {
  for (const text of ['x\u0301 q\u0303', 'שָׁלוֹם', 'السَّلامُ']) {
    const answer = await convert(docx({ paragraphs: [text] }), 'pdfua=true&title=Letters');
    t.equal(answer.headers.get('x-conversion-conformance'), 'PDF/UA-1;verdict=pass', text);
  }
});

t.test('a document that links to properties which it lacks has the title', async (t) => {
  const document = docxWithCore({}, [propertiesLink('extended', 'docProps/app.xml')]);
  const answer = await convert(document, 'pdfua=true&title=Letters');
  t.equal(answer.headers.get('x-conversion-conformance'), 'PDF/UA-1;verdict=pass');
});

t.test('who asks for no standard gets no verdict', async (t) => {
  const answer = await convert(docx(), '');
  t.equal(answer.headers.get('x-conversion-conformance'), null);
  t.strictSame((await reportOf(answer)).conformance, []);
});

t.test('a picture without alternative text', async (t) => {
  const answer = await convert(withoutAlternative, 'pdfa=2b&pdfua=true');
  t.equal(answer.status, 200);
  t.equal(
    answer.headers.get('x-conversion-conformance'),
    'PDF/A-2b;verdict=pass, PDF/UA-1;verdict=fail;failures=1',
  );
  t.equal(answer.headers.get('x-conversion-warnings'), 'NONCONFORMING;standard="PDF/UA-1";count=1');
  const { conformance, warnings } = await reportOf(answer);
  t.match(conformance, [
    { level: 'PDF/A-2b', verdict: 'pass', failures: [] },
    { level: 'PDF/UA-1', verdict: 'fail', failures: [{ ...failure, object: /^Figure \(\d+ 0 R\)$/ }] },
  ]);
  t.match(warnings, [{ code: 'NONCONFORMING', level: 'loss', standard: 'PDF/UA-1', count: 1 }]);
  for (const failOn of ['NONCONFORMING', 'loss']) {
    const refusal = await convert(withoutAlternative, `pdfua=true&failOn=${failOn}`);
    t.match(JSON.parse(refusal.body.toString()), {
      code: 'CONVERSION_FAILED',
      message: `failOn=${failOn} refuses the PDF. The PDF breaks rules of PDF/UA-1 (1 failure).`,
      warnings: [{ code: 'NONCONFORMING', standard: 'PDF/UA-1' }],
    });
  }
});

t.test('a file of a job', async (t) => {
  const files = [
    { headers: ['Content-Disposition: form-data; name="file"; filename="a.docx"'], data: withoutAlternative },
  ];
  const taken = await send(server, '/v1/jobs?pdfua=true', { key, ...multipart(files) });
  t.equal(taken.status, 202, taken.body.toString());
  const { id } = JSON.parse(taken.body.toString());
  let job: { state?: string; files?: unknown } = {};
  await until('the job ends', async () => {
    job = JSON.parse((await send(server, `/v1/jobs/${id}`, { method: 'GET', key })).body.toString());
    return job.state === 'completed';
  });
  t.match(job.files, [
    {
      pdf: {
        conformance: [{ level: 'PDF/UA-1', verdict: 'fail', failures: [failure] }],
        warnings: [{ code: 'NONCONFORMING' }],
      },
    },
  ]);
  for (const method of ['GET', 'HEAD'] as const) {
    const { headers } = await send(server, `/v1/jobs/${id}/files/1`, { method, key });
    t.equal(headers.get('x-conversion-conformance'), 'PDF/UA-1;verdict=fail;failures=1', method);
  }
});

t.test('a document without a title', async (t) => {
  const answer = await convert(docx(), 'pdfua=true');
  t.equal(answer.headers.get('x-conversion-conformance'), 'PDF/UA-1;verdict=fail;failures=1');
  t.match((await reportOf(answer)).conformance, [
    { failures: [{ clause: '7.1', rule: 'The metadata have a title.', object: 'metadata' }] },
  ]);
});

t.test('an encrypted PDF', async (t) => {
  const answer = await convert(accessibleDocx(), 'pdfua=true', { userPassword: 'secret' });
  t.equal(answer.headers.get('x-conversion-conformance'), 'PDF/UA-1;verdict=unchecked');
  t.equal(answer.headers.get('x-conversion-warnings'), null);
});
