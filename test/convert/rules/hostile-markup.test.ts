/**
 * XML as programs do not write it, though it is well-formed. The rules see the elements that a parser sees, and no others;
 * the text of the document stays.
 */
import { closeSync, openSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import t, { type Test } from 'tap';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { Package } from '../../../src/convert/package/package.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { printRules } from '../../../src/convert/rules/print-rules.ts';
import { TailReader } from '../../../src/system/tail-reader.ts';
import { reportedDocx } from '../../support/report-documents.ts';
import { everyRule, fontsOfEveryRule } from '../support/every-rule.ts';
import { fileOf } from '../support/preflight.ts';

const all = [...printRules.map(({ name }) => name), 'tracked-changes'].sort();
const MAIN = 'word/document.xml';

/** The content of the body, or of another part. */
const CONTENT =
  /(?<=<(?:w:(?:body|hdr|styles|numbering|fonts|settings)|c:chartSpace|svg)(?:\s[^>]*)?>).*(?=<\/(?:w:(?:body|hdr|styles|numbering|fonts|settings)|c:chartSpace|svg)>)/s;
const withContent = (write: (content: string) => string) => (xml: string) => xml.replace(CONTENT, write);

/** How parts are written, and which rules are in force. */
const forms: readonly (readonly [string, (xml: string) => string, readonly string[]])[] = [
  [
    'what looks like the end of a tag in values',
    // A frame is loose that has one attribute alone.
    (xml) => xml.replace(/<(w:(?!framePr)\w+)(?=\s)/g, `<$1 xmlns:x="urn:x" x:note="> '/>"`),
    all,
  ],
  ['another prefix', (xml) => xml.replace(/\bw:/g, 'q:').replace('xmlns:w=', 'xmlns:q='), all],
  ['comments between tags', (xml) => xml.replaceAll('><', '><!-- <w:p w:val="> --><'), all],
  ['instructions between tags', (xml) => xml.replaceAll('><', '><?x <w:p w:val="> ?><'), all],
  ['tags in comments', withContent((content) => `<!--${content}-->`), []],
  ['tags in instructions', withContent((content) => `<?x ${content}?>`), []],
  ['tags in text', withContent((content) => `<w:p><w:r><w:t><![CDATA[${content}]]></w:t></w:r></w:p>`), []],
];

/** The XML parts of the file by name. */
async function partsOf(path: string): Promise<Map<string, string>> {
  const fd = openSync(path, 'r');
  try {
    const opened = await Package.open(TailReader.over(fd), new Allowance());
    const parts = new Map<string, string>();
    for (const [name, entry] of opened.entries)
      parts.set(name, (await opened.read(entry, 1_048_576)).toString());
    return parts;
  } finally {
    closeSync(fd);
  }
}

/** What a parser finds in the elements for text, without blanks. */
function textOf(t: Test, name: string, xml: string): string {
  const open: string[] = [];
  let text = '';
  const parser = new SaxesParser({ xmlns: true });
  const add = (more: string) => {
    if (open.at(-1) === 't') text += more.replaceAll(/\s/g, '');
  };
  parser.on('opentag', ({ local }) => void open.push(local));
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  t.doesNotThrow(() => parser.write(xml).close(), `${name} is well-formed`);
  return text;
}

for (const [what, written, applied] of forms) {
  t.test(what, async (t) => {
    const path = fileOf(t, reportedDocx({ ...everyRule, written }));
    const before = textOf(t, MAIN, (await partsOf(path)).get(MAIN) ?? '');
    if (applied.length > 0) t.not(before, '');
    const pageNumbers = { first: 4, total: 9 };
    const options = { libreOffice: '25.2.3', fonts: fontsOfEveryRule, shown: { pageNumbers } };
    const { kept } = await inspect(path, `${path}-view`, new Allowance(), ['docx'], options);
    t.strictSame([...kept.rewrites].sort(), [...applied, 'page-numbers'].sort(), 'the rules in force');
    for (const [name, xml] of await partsOf(path)) {
      const text = textOf(t, name, xml);
      if (name === MAIN) t.equal(text, before, 'its text');
    }
  });
}
