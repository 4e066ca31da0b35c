import t from 'tap';
import { combinedReport } from '../../../src/convert/report/combined-report.ts';
import { describeWarning } from '../../../src/convert/report/warning-messages.ts';
import {
  type ConversionReport,
  notableWarningsOf,
  warningsOf,
} from '../../../src/convert/report/warnings.ts';
import { warningsHeader } from '../../../src/http/conversion/warnings-header.ts';

const report = (own: Partial<ConversionReport> = {}): ConversionReport => ({
  pages: 1,
  wordPages: undefined,
  untagged: false,
  external: 0,
  trackedChanges: 0,
  comments: 0,
  fonts: [],
  accessibility: [],
  missingGlyphs: null,
  ...own,
});
const font = (name: string, metricsCompatible = false) => ({ name, used: 'Other', metricsCompatible });
const broken = {
  level: 'PDF/UA-1',
  verdict: 'fail',
  failures: [{ clause: '7.1', rule: 'The metadata have a title.', object: 'metadata' }],
  hasMore: false,
} as const;

t.test('warnings say their file, losses first', async (t) => {
  const whole = combinedReport({ pages: 5, hasTitle: true, conformance: [broken] }, [
    report({ comments: 2, fonts: [font('A')] }),
    report(),
    report({ external: 1, fonts: [font('A'), font('B', true)] }),
  ]);
  t.strictSame(
    warningsOf(whole).map(({ code, file }) => [code, file]),
    [
      ['NONCONFORMING', undefined],
      ['EXTERNAL_CONTENT_OMITTED', 2],
      ['COMMENTS_OMITTED', 0],
      ['FONT_SUBSTITUTED', 0],
      ['FONT_SUBSTITUTED', 2],
      ['FONT_SUBSTITUTED', 2],
    ],
  );
  t.equal(notableWarningsOf(whole).length, 5, 'one has the same metrics');
  t.match(
    describeWarning(warningsOf(whole)[2] ?? { code: 'UNTAGGED' }).message,
    /^files\[0\]: The document has 2/,
  );
  t.strictSame(
    whole.fonts.map(({ name }) => name),
    ['A', 'B'],
    'each font once',
  );
  t.equal(whole.pages, 5);
  t.strictSame(whole.conformance, [broken]);
});

t.test('what the documents lack for readers who cannot see', async (t) => {
  const finding = { problem: 'no-alternative-text', number: 1 } as const;
  const reports = [
    report({ accessibility: [{ problem: 'no-title' }] }),
    report({ accessibility: [finding] }),
  ];
  const two = { pages: 2, conformance: [] };
  t.strictSame(combinedReport({ ...two, hasTitle: true }, reports).accessibility, [{ ...finding, file: 1 }]);
  t.strictSame(combinedReport({ ...two, hasTitle: false }, reports).accessibility, [
    { problem: 'no-title' },
    { ...finding, file: 1 },
  ]);
});

t.test('it is bounded', async (t) => {
  const fonts = Array.from({ length: 50 }, (_, n) => font(`Font ${n}`));
  const finding = { problem: 'no-header-row', number: 1 } as const;
  const accessibility = Array.from({ length: 50 }, () => finding);
  const reports = Array.from({ length: 50 }, (_, n) =>
    report({
      fonts: fonts.map(({ name, ...rest }) => ({ ...rest, name: `${name} ${n}` })),
      accessibility,
      external: 1,
    }),
  );
  const whole = combinedReport({ pages: 50, hasTitle: true, conformance: [] }, reports);
  t.equal(whole.fonts.length, 50);
  t.equal(whole.accessibility?.length, 200);
  const warnings = warningsOf(whole);
  t.equal(warnings.length, 200);
  t.equal(whole.moreWarnings, 50 + 50 * 50 - 200, 'the others are counted');
  t.match(warningsHeader(notableWarningsOf(whole), whole.moreWarnings), /, MORE_WARNINGS;count=\d{4}$/);
  t.equal(warningsHeader([], 7), undefined);
  t.equal(warningsHeader([{ code: 'UNTAGGED' }], 7), 'UNTAGGED, MORE_WARNINGS;count=7');
  t.ok(
    warnings.slice(0, 50).every(({ code }) => code === 'EXTERNAL_CONTENT_OMITTED'),
    'no loss is left out',
  );
});
