/** The header with the warnings of a conversion. */
import { parseList } from 'structured-headers';
import t from 'tap';
import type { Warning } from '../../../src/convert/report/warnings.ts';
import {
  MAX_WARNINGS_BYTES,
  readWarningsHeader,
  warningsHeader,
} from '../../../src/http/conversion/warnings-header.ts';

t.test('nothing to say, no header', async (t) => {
  t.equal(warningsHeader([]), undefined);
});

t.test('a structured field: a List of Tokens with Parameters', async (t) => {
  const warnings: Warning[] = [
    { code: 'TEXT_MISSING', percent: 52 },
    { code: 'CONTENT_OMITTED', kind: 'jpeg-2000', count: 2 },
    { code: 'GLYPHS_MISSING', count: 3, scripts: ['Hani', 'Thai'] },
    { code: 'NONCONFORMING', standard: 'PDF/UA-1', count: 3 },
    { code: 'PAGE_COUNT_DIFFERS', pages: 4, wordPages: 3 },
    { code: 'COMMENTS_OMITTED', count: 2 },
    { code: 'FONT_SUBSTITUTED', font: 'Verdana', by: 'DejaVu Sans' },
    { code: 'FONT_SUBSTITUTED', font: 'A "quoted" \\ name' },
    { code: 'FONT_SUBSTITUTED', font: 'ＭＳ 明朝' },
  ];
  t.equal(
    warningsHeader(warnings),
    'TEXT_MISSING;percent=52, CONTENT_OMITTED;kind=jpeg-2000;count=2, ' +
      'GLYPHS_MISSING;count=3;scripts="Hani Thai", ' +
      'NONCONFORMING;standard="PDF/UA-1";count=3, ' +
      'PAGE_COUNT_DIFFERS;pages=4;word-pages=3, COMMENTS_OMITTED;count=2, ' +
      'FONT_SUBSTITUTED;font="Verdana";by="DejaVu Sans", FONT_SUBSTITUTED;font="A \\"quoted\\" \\\\ name", ' +
      'FONT_SUBSTITUTED;font=%"%ef%bc%ad%ef%bc%b3 %e6%98%8e%e6%9c%9d"',
  );
  const last = parseList(warningsHeader(warnings) ?? '').at(-1);
  t.equal(String(last?.[1].get('font')), 'ＭＳ 明朝', 'a Display String');
  const read = readWarningsHeader(warningsHeader(warnings) ?? '');
  t.strictSame(
    read.map(({ message: _, level: _level, ...warning }) => warning),
    warnings,
    'which a client can read',
  );
  t.match(read[7]?.message, /A "quoted" \\ name/);
});

t.test('a header of a later version, or of no version', async (t) => {
  t.match(readWarningsHeader('NEW_ONE;count=2, CONTENT_OMITTED;kind=hologram;count=1'), [
    { code: 'NEW_ONE', level: 'note', count: 2, message: 'NEW_ONE' },
    { code: 'CONTENT_OMITTED', level: 'loss', message: 'CONTENT_OMITTED' },
  ]);
  t.strictSame(readWarningsHeader(''), []);
  t.strictSame(readWarningsHeader('"'), []);
});

t.test('2 kB at most; the rest is counted', async (t) => {
  for (let length = 1; length <= 64; length += 1) {
    const warnings = Array.from(
      { length: 50 },
      (): Warning => ({ code: 'FONT_SUBSTITUTED', font: '明'.repeat(length) }),
    );
    const header = warningsHeader(warnings) ?? '';
    t.ok(header.length <= MAX_WARNINGS_BYTES, `${header.length} bytes`);
    const list = parseList(header);
    const [code, parameters] = list.at(-1) ?? [];
    if (list.length === warnings.length) continue;
    t.equal(String(code), 'MORE_WARNINGS');
    t.equal(list.length - 1 + Number(parameters?.get('count')), warnings.length, 'none is lost');
  }
});
