/** Attachments of the PDF, as other programs find them, and invoices by Factur-X. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SaxesParser } from 'saxes';
import t, { type Test } from 'tap';
import { docx } from '../../support/documents.ts';
import { invoice } from '../../support/invoices.ts';
import { noise } from '../../support/noise.ts';
import { form } from '../../support/server.ts';
import { isError, isPdf } from '../support/assertions.ts';
import { send } from '../support/requests.ts';
import { key, server } from './server.ts';

const run = promisify(execFile);
const folder = await mkdtemp(join(tmpdir(), 'platen-attachments-'));
t.teardown(() => rm(folder, { recursive: true, force: true }));

interface File {
  readonly name: string;
  readonly data: Buffer;
  readonly type?: string;
}

const table: File = { name: 'Zahlen für März (1).csv', data: Buffer.from('a;b\n1;2\n'), type: 'text/csv' };
/** Larger than any buffer. */
const large: File = { name: 'large.bin', data: noise(400_000) };
const empty: File = { name: 'empty.txt', data: Buffer.alloc(0), type: 'no type' };
const files = [table, large, empty];

interface Sent {
  readonly query?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

async function convert(attachments: readonly File[], { query = '', fields = {} }: Sent = {}) {
  const body = new FormData();
  const [first, ...others] = attachments;
  const attach = ({ name, data, type = '' }: File) =>
    body.append('attachment', new Blob([data as Uint8Array<ArrayBuffer>], { type }), name);
  // The order of the parts does not matter.
  if (first) attach(first);
  body.append('file', form(docx()).get('file') as Blob, 'document.docx');
  for (const each of others) attach(each);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return send(server, `/v1/convert?${query}`, { key, body });
}

/** The PDF's attachments by name, as qpdf reads them. */
async function attached(t: Test, pdf: Buffer, password = '') {
  const path = join(folder, 'output.pdf');
  await writeFile(path, pdf);
  await run('qpdf', ['--check', `--password=${password}`, path]);
  const show = async (...args: string[]) =>
    (await run('qpdf', [`--password=${password}`, ...args, path], { encoding: 'buffer', maxBuffer: 2e7 }))
      .stdout;
  const list = JSON.parse(String(await show('--json=2', '--json-key=attachments'))).attachments as Record<
    string,
    {
      preferredname: string;
      streams: Record<string, { checksum: string; mimetype: string }>;
    }
  >;
  return Promise.all(
    Object.entries(list).map(async ([name, { preferredname, streams }]) => {
      t.equal(preferredname, name, `${name}: its name in Unicode`);
      const data = await show(`--show-attachment=${name}`);
      const about = Object.values(streams)[0];
      t.equal(about?.checksum, createHash('md5').update(data).digest('hex'), `${name}: its checksum`);
      return { name, data, type: about?.mimetype };
    }),
  );
}

async function hasFiles(t: Test, pdf: Buffer, expected: readonly File[], password?: string): Promise<void> {
  const found = await attached(t, pdf, password);
  t.strictSame(
    found.map(({ name, type }) => [name, type]),
    expected
      .map(({ name, type = '' }) => [name, type.includes('/') ? type : 'application/octet-stream'])
      .sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
  for (const { name, data } of expected) {
    t.ok(found.find((each) => each.name === name)?.data.equals(data), `${name} byte by byte`);
  }
}

/** The relationship of each file. */
const relationships = (pdf: Buffer) =>
  [...pdf.toString('latin1').matchAll(/\/AFRelationship\s*\/(\w+)/g)].map(([, found]) => found);

t.test('in a PDF of any kind', async (t) => {
  for (const [query, fields, password] of [
    ['', {}, ''],
    ['layout=engine', {}, ''],
    ['pdfa=3b&attachmentRelationship=Source', {}, ''],
    ['pdfua=true', {}, ''],
    ['linearize=true', {}, ''],
    ['linearize=true', { userPassword: 'geheim' }, 'geheim'],
  ] as const) {
    const answer = await convert(files, { query, fields });
    t.equal(answer.status, 200, query);
    await hasFiles(t, answer.body, files, password);
    if (password !== '') continue;
    await isPdf(t, answer, 'Hello from Platen.');
    if (query === 'linearize=true') continue;
    const meaning = query.includes('Source') ? 'Source' : 'Supplement';
    t.strictSame(
      relationships(answer.body),
      files.map(() => meaning),
      query,
    );
  }
});

t.test('the same bytes again', async (t) => {
  for (const query of ['', 'pdfa=3b', 'linearize=true']) {
    const [one, other] = [await convert(files, { query }), await convert(files.toReversed(), { query })];
    t.ok(one.body.equals(other.body), query);
  }
});

t.test('as other programs see them', async (t) => {
  const { body } = await convert([table], { query: 'pdfa=3b' });
  const path = join(folder, 'shown.pdf');
  await writeFile(path, body);
  const { stdout } = await run('mutool', ['show', path, 'trailer/Root/AF/1']);
  t.match(stdout, /\/AFRelationship \/Supplement/);
  t.match(stdout, '/F (Zahlen fur Marz \\(1\\).csv)');
  const { stdout: list } = await run('pdfdetach', ['-list', path]);
  t.match(list, `1: ${table.name}`);
  const { stdout: info } = await run('pdfinfo', ['-rawdates', path]);
  const created = /CreationDate: +(D:\d{14})/.exec(info)?.[1];
  t.match(body.toString('latin1'), `/ModDate(${created}Z)`, 'dated as the PDF');
});

t.test('invoices', async (t) => {
  for (const [profile, level, meaning] of [
    ['minimum', 'MINIMUM', 'Data'],
    ['basicwl', 'BASIC WL', 'Data'],
    ['basic', 'BASIC', 'Alternative'],
    ['en16931', 'EN 16931', 'Alternative'],
    ['extended', 'EXTENDED', 'Alternative'],
  ] as const) {
    const file = {
      name: 'factur-x.xml',
      data: invoice(profile, profile === 'extended' ? 2_000 : 0),
      type: 'text/xml',
    };
    const query = `pdfa=3b&facturx=${profile}${profile === 'basic' ? '&pdfua=true' : ''}`;
    const { body } = await convert([{ ...file, type: 'application/xml' }, table], { query });
    await hasFiles(t, body, [file, table]);
    t.strictSame(relationships(body).sort(), [meaning, 'Supplement'].sort(), profile);
    const xmp = metadata(body);
    for (const property of [
      '<fx:DocumentType>INVOICE</fx:DocumentType>',
      '<fx:DocumentFileName>factur-x.xml</fx:DocumentFileName>',
      '<fx:Version>1.0</fx:Version>',
      `<fx:ConformanceLevel>${level}</fx:ConformanceLevel>`,
      '<pdfaid:part>3<',
    ]) {
      t.match(xmp, property, profile);
    }
    const lists = [...xmp.matchAll(/<pdfaExtension:schemas>/g)];
    t.equal(lists.length, 1, `${profile}: one list of schemas`);
    t.doesNotThrow(() => new SaxesParser({ xmlns: true }).write(xmp.replace(/\0/g, '')).close(), profile);
  }
  const named = { name: 'factur-x.xml', data: invoice('basic') };
  const { body } = await convert([named], { query: 'pdfa=3b&facturx=basic&attachmentRelationship=Source' });
  t.strictSame(relationships(body), ['Source'], 'what the client says');
});

t.test('invalid invoices', async (t) => {
  for (const [data, message] of [
    [invoice('basic'), /of another profile\. Send facturx=basic,/],
    [invoice('basic', 1_000), /of another profile\. Send facturx=basic,/],
    [Buffer.from(String(invoice('en16931')).replace('2017', '2099')), /does not name a profile/],
    [Buffer.from('<invoice/>'), /is no Cross Industry Invoice/],
    [Buffer.from('no XML'), /is not well-formed XML/],
    [Buffer.from(`<!DOCTYPE a [<!ENTITY b "c">]>${invoice('en16931')}`), /has a document type/],
    [Buffer.alloc(0), /is not well-formed XML/],
  ] as const) {
    const answer = await convert([{ name: 'factur-x.xml', data }], { query: 'pdfa=3b&facturx=en16931' });
    t.match(isError(t, answer, 'INVALID_PARAMETER').message, message);
  }
});

/** The XMP of the current catalog. */
function metadata(pdf: Buffer): string {
  const all = [...pdf.toString('utf8').matchAll(/<x:xmpmeta[\s\S]*?<\/x:xmpmeta>/g)];
  return all.at(-1)?.[0] ?? '';
}
