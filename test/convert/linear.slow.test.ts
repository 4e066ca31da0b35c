/**
 * Whatever a document is made of, twice as much of it takes twice the time to read. How often code runs is counted exactly, so a
 * small document shows what is not linear, and where. The counts do not see what goes on inside of regular expressions and of the
 * other functions of the engine: CPU time does, here for the kinds that are made for them, in linear.soak.ts for all.
 */
import t from 'tap';
import { MAX_READING_MS } from '../../src/convert/package/limits.ts';
import { printRules } from '../../src/convert/rules/print-rules.ts';
import { growingDocuments } from '../support/growing-documents/all.ts';
import { attacks } from '../support/growing-documents/attacks.ts';
import { fontKinds } from '../support/growing-documents/fonts.ts';
import { markupKinds } from '../support/growing-documents/markup.ts';
import { paragraphKinds } from '../support/growing-documents/paragraphs.ts';
import { pdfKinds } from '../support/growing-documents/pdfs.ts';
import { assertLinear, grownBlocks } from './support/linear-time.ts';
import { MeasuredReading } from './support/measured-reading.ts';

/** As many repetitions suffice for counts, and a tenth of the usual number where that is smaller. */
const FEW_REPETITIONS = 50;
const SMALL = 0.1;
/** Functions that none of these documents reaches. */
const UNREACHED = [
  // The reading ends before the first end tag.
  'document/markup.ts close',
  // Only more than some thousand tags, or names, need them; see markup-index.test.ts.
  'document/markup-index.ts function',
  'document/markup.ts #lists',
  'document/markup.ts function',
  // Only large parts come in several pieces; see markup-lexer.slow.test.ts, and linear.soak.ts.
  'document/markup-lexer.ts #keep',
  // Need a number of pages beside sections with other formats, or an empty paragraph with an anchor; see stored-fields.test.ts and
  // page-fields.test.ts.
  'rules/ruled-document.ts get hasPageFormats',
  'rules/ruled-document.ts function',
  'pagination/paragraph-anchors.ts #fillParagraph',
  // Only parts of more than a megabyte need it; see edits.test.ts.
  'document/edits.ts #copy',
  // Needs a font program of Type 1 that is whole; see archive.test.ts.
  'pdf/charsets.ts function',
  // Needs a page that is a little too high; see page-plan.test.ts.
  'pagination/blank-lines.ts #heightAbove',
  // Needs several pages that were counted as two; see page-judge.test.ts.
  'pagination/page-judge.ts function',
];

/** One step each: the loops that take them are counted by themselves. */
const STEPS = ['get length', 'start', 'end'].map((name) => `document/edit-list.ts ${name} at`);

const kinds = [...growingDocuments, ...pdfKinds];

t.test('the kinds have names of their own', async (t) => {
  t.equal(new Set(kinds.map(({ name }) => name)).size, kinds.length);
});

t.test('code runs twice as often for twice as much', async (t) => {
  const reading = new MeasuredReading(t, { counts: true });
  const runs = new Map<string, number>();
  const rewrites = new Set<string>();
  const beyond: string[] = [];
  for (const { name, size } of kinds) {
    const small = Math.max(2, Math.min(FEW_REPETITIONS, Math.floor(size * SMALL)));
    const places = await grownBlocks(t, reading, name, small, ({ rewrites: rules, counts }) => {
      for (const rule of rules) rewrites.add(rule);
      for (const [place, count] of counts) runs.set(place, (runs.get(place) ?? 0) + count);
    });
    const loops = [...places].filter((place) => !STEPS.some((each) => place.startsWith(each)));
    for (const place of loops) beyond.push(`${name}: ${place}`);
  }
  t.strictSame(beyond, [], 'what runs more than twice as often, and where');
  const rules = printRules.map(({ name }) => name).filter((name) => !rewrites.has(name));
  t.strictSame(rules, [], 'each rule changes one of the documents');
  const unreached = [...runs]
    .filter(([place, count]) => count === 0 && isFunction(place))
    .map(([place]) => place);
  t.strictSame(
    unreached.filter((place) => !UNREACHED.some((each) => place.startsWith(each))),
    [],
    'each function reads one of them; add a kind to test/support/growing-documents for one that does not',
  );
});

t.test('CPU time', async (t) => {
  const reading = new MeasuredReading(t, { counts: false });
  // The first documents are read by code that is not yet compiled.
  for (const { name, size } of paragraphKinds) await reading.read({ name, size });
  for (const { name, size } of [...markupKinds, ...fontKinds, ...pdfKinds]) {
    await assertLinear(t, reading, name, Math.ceil(size / 2));
  }
  for (const name of Object.keys(attacks)) {
    const { cpuMs, mistake, refusal } = await reading.read({ name, size: 1 });
    t.strictSame([mistake, refusal], [undefined, undefined], name);
    t.ok(cpuMs < MAX_READING_MS, `${name}, which once held a server up: ${Math.round(cpuMs)} ms`);
  }
});

/** By its place, not a block in one. What initialises a class runs before anything is counted. */
function isFunction(place: string): boolean {
  return !place.includes(' block ') && !place.includes('<static_initializer>');
}
