/** Fields whose result depends on their page. */
import t from 'tap';
import { evaluate, pageDependence } from '../../../src/convert/document/page-expressions.ts';

const facts = { page: 3, pages: 12, section: 2, sectionPages: 4, format: 'decimal' };

t.test('results', async (t) => {
  const results: readonly (readonly [string, string])[] = [
    [' PAGE ', '3'],
    ['NUMPAGES \\* roman', 'xii'],
    ['SECTION \\* MERGEFORMAT', '2'],
    ['SECTIONPAGES \\* CardText \\* Upper', 'FOUR'],
    ['= {PAGE} - 1', '2'],
    ['={NUMPAGES}-1', '11'],
    ['= ({PAGE} + 1) * 2 \\* roman', 'viii'],
    ['= {NUMPAGES} / 2 - -1', '7'],
    ['= MOD({PAGE}, 2) + INT(7/2) + ABS(0-1) + ROUND(1.26, 1)', '6.3'],
    ['= {= {PAGE} + 1} + 1', '5'],
    ['IF {PAGE} = 3 "yes" "no"', 'yes'],
    ['IF {PAGE} <> 3 "yes" "no"', 'no'],
    ['IF {PAGE} > 10 yes no', 'no'],
    ['IF {PAGE}<={NUMPAGES} “a b” “c”', 'a b'],
    ['IF {PAGE} = {NUMPAGES} "SIGN HERE"', ''],
    ['IF {PAGE} >= {SECTION} "{PAGE} of {NUMPAGES}" "" \\* MERGEFORMAT', '3 of 12'],
    ['IF {PAGE} = 1 "" {IF {PAGE} = {NUMPAGES} "last" "middle"}', 'middle'],
    ['IF {PAGE} < 9 "a \\"b\\" c" ""', 'a "b" c'],
    ['IF {"AC\\"ME"} = "AC\\"ME" "{PAGE}: {"AC\\"ME"}" ""', '3: AC"ME'],
  ];
  for (const [code, result] of results) t.equal(evaluate(code, facts), result, code);
});

t.test('formats of page numbers', async (t) => {
  const inDashes = { ...facts, format: 'numberInDash' };
  for (const [code, result] of [
    ['PAGE', '- 3 -'],
    ['PAGE \\* MERGEFORMAT', '- 3 -'],
    ['PAGE \\* Arabic', '3'],
    ['= {PAGE} + 1', '4'],
  ] as const)
    t.equal(evaluate(code, inDashes), result, code);
  t.equal(evaluate('PAGE', { ...facts, format: 'koreanDigital' }), undefined);
  t.equal(pageDependence('PAGE', true), 'known');
  t.equal(pageDependence('PAGE \\* roman', true), 'none');
  t.equal(pageDependence('NUMPAGES', true), 'none');
});

t.test('what is not understood', async (t) => {
  for (const code of [
    'PAGE \\* ChineseNum1',
    '= {PAGE',
    '= {PAGE} -',
    '= ({PAGE}',
    '= {PAGE} / 0',
    '= SUM({PAGE})',
    '= {PAGE} \\# "0.00"',
    'IF {PAGE} 1 "a" "b"',
    'IF {PAGE} = 1',
    'IF {PAGE} = 1 "a" "b',
    'IF {PAGE} = 1 "a" "b" "c"',
    'REF x',
    '{'.repeat(900),
    `= ${'('.repeat(900)}`,
    `= ${'-'.repeat(900)}1`,
    `= 1${' + 1'.repeat(900)}`,
  ])
    t.equal(evaluate(code, facts), undefined, code.slice(0, 40));
});

t.test('which fields depend on their page', async (t) => {
  const dependences: readonly (readonly [string, 'none' | 'known' | 'unknown'])[] = [
    ['PAGE', 'none'],
    ['PAGE \\* roman \\* MERGEFORMAT', 'none'],
    ['NUMPAGES', 'none'],
    ['PAGE \\* Ordinal', 'known'],
    ['SECTION', 'known'],
    ['= {PAGE} - 1', 'known'],
    ['= {SECTIONPAGES} \\# 0', 'unknown'],
    ['= 1 + 1', 'none'],
    ['IF {"A"} = "A" "PAGE" ""', 'none'],
    ['REF {PAGE}', 'none'],
  ];
  for (const [code, dependence] of dependences) t.equal(pageDependence(code), dependence, code);
});
