/** Elements that are empty and yet have an end tag (XML 1.0, 3.1): every rule leaves the parts well-formed. */
import { readFileSync } from 'node:fs';
import { SaxesParser } from 'saxes';
import t, { type Test } from 'tap';
import { Allowance } from '../../../src/convert/package/limits.ts';
import { withHigherBodies } from '../../../src/convert/pagination/body-heights.ts';
import { inspect } from '../../../src/convert/preflight/inspection.ts';
import { printRules } from '../../../src/convert/rules/print-rules.ts';
import { reportedDocx } from '../../support/report-documents.ts';
import { everyRule, fontsOfEveryRule } from '../support/every-rule.ts';
import { fileOf } from '../support/preflight.ts';
import { partOf } from '../support/written-archives.ts';

/** The same with an end tag for some of the elements that are empty. */
const withEndTags = (xml: string, hasEndTag: (index: number) => boolean) => {
  let index = -1;
  return xml.replace(/<([\w:]+)((?:\s[^<>]*?)?)\/>/g, (element, name: string, attributes: string) => {
    index += 1;
    return hasEndTag(index) ? `<${name}${attributes}></${name}>` : element;
  });
};

function assertWellFormed(t: Test, name: string, xml: string): void {
  t.doesNotThrow(() => new SaxesParser({ xmlns: true }).write(xml).close(), name);
}

const all = printRules.map(({ name }) => name);
/** These look for Word's own form alone. */
const inWordsForm = ['complex-runs', 'loose-frames', 'leaders', 'links'];
const forms: readonly (readonly [string, (index: number) => boolean, readonly string[]])[] = [
  ['none', () => false, all],
  ['all', () => true, all.filter((name) => !inWordsForm.includes(name))],
  ...[0, 1].map((odd) => [`every second (${odd})`, (index: number) => index % 2 === odd, []] as const),
  ...[0, 1, 2].map((rest) => [`every third (${rest})`, (index: number) => index % 3 === rest, []] as const),
];

for (const [which, hasEndTag, applied] of forms) {
  t.test(`end tags for ${which} of the empty elements`, async (t) => {
    const write = (xml: string) => withEndTags(xml, hasEndTag);
    const { body, parts } = everyRule;
    const written = Object.entries(parts).map(([name, xml]) => [name, write(xml)]);
    const path = fileOf(t, reportedDocx({ body: write(body), parts: Object.fromEntries(written) }));
    const pageNumbers = { first: 4, total: 9 };
    const options = { libreOffice: '25.2.3', fonts: fontsOfEveryRule, shown: { pageNumbers } };
    const { kept } = await inspect(path, `${path}-view`, new Allowance(), ['docx'], options);
    t.strictSame(
      applied.filter((name) => !kept.rewrites.includes(name)),
      [],
      'what is in force',
    );
    const bytes = readFileSync(path);
    const part = async (name: string) => String(await partOf(bytes, `word/${name}`));
    for (const name of Object.keys(parts)) assertWellFormed(t, name, await part(name));
    const main = await part('document.xml');
    assertWellFormed(t, 'the main part', main);
    const higher = withHigherBodies(main, [10, 10], options.libreOffice);
    t.not(higher, main);
    assertWellFormed(t, 'the same with higher bodies', higher);
  });
}
