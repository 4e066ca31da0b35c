/** Formulas. */
import { type GrowingDocument, grouped, inBody, inParts, paragraph } from './growing-document.ts';

const MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const run = (text: string, properties = '') =>
  `<m:r><m:rPr>${properties}</m:rPr><w:rPr><w:sz w:val="20"/></w:rPr><m:t>${text}</m:t></m:r>`;
const argument = (name: string, inner: string) => `<m:${name}>${inner}</m:${name}>`;
const formula = (inner: string) => `<m:oMath ${MATH}>${inner}</m:oMath>`;
const sum = `<m:nary><m:naryPr><m:chr m:val="⋃"/></m:naryPr><m:sub/><m:sup/>${argument('e', run('=x'))}</m:nary>`;
const besides = `<m:nary><m:naryPr><m:limLoc m:val="subSup"/></m:naryPr>${argument('sub', run('i'))}<m:sup/>${argument('e', run('x'))}</m:nary>`;
const brackets = `<m:d><m:dPr><m:begChr m:val="]"/><m:endChr m:val="⌉"/></m:dPr>${argument('e', run('x or y'))}</m:d>`;
const limit = (inner: string) => `<m:limLow>${argument('e', inner)}${argument('lim', run('n'))}</m:limLow>`;
const group = `<m:groupChr><m:groupChrPr><m:chr m:val="="/></m:groupChrPr>${argument('e', '')}</m:groupChr>`;
const phantom = `<m:phant><m:phantPr><m:show/></m:phantPr>${argument('e', run('x'))}</m:phant>`;

export const formulaKinds: readonly GrowingDocument[] = [
  inBody('constructs of formulas', 300, (i) =>
    paragraph(formula(sum + besides + brackets + limit(limit(group)) + phantom), `<w:pStyle w:val="s${i}"/>`),
  ),
  inParts('runs of a formula', 800, (count) => ({
    body: grouped(count, 400, (inner) => paragraph(formula(inner)), run('=(x)', '<m:sty m:val="b"/>')),
  })),
  inParts('text of formulas', 2_000, (count) => ({
    body: grouped(
      count,
      2_000,
      (inner) => paragraph(formula(run(`a${inner}`, '<m:nor/>') + run(inner))),
      '=a |"',
    ),
  })),
  inBody('lines of an array of equations', 1_000, argument('e', run('a&amp;=b')), [
    `<w:p><m:oMath ${MATH}><m:eqArr>`,
    '</m:eqArr></m:oMath></w:p>',
  ]),
  inBody('formulas in formulas', 100, formula(argument('e', run('x', '<m:scr m:val="double-struck"/>'))), [
    `<w:p><m:oMath ${MATH}>${'<m:box><m:e>'.repeat(200)}`,
    `${'</m:e></m:box>'.repeat(200)}</m:oMath></w:p>`,
  ]),
];
