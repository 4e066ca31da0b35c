/** Going through what the lexer found in a part, which it reads once, and what is kept of it. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t from 'tap';
import { type Edit, withEdits } from '../../../src/convert/document/edits.ts';
import { visitFragment, visitMarkup } from '../../../src/convert/document/markup.ts';
import { ENTRY, forgetMarkup, readEntries } from '../../../src/convert/document/markup-index.ts';
import { MarkupLexer } from '../../../src/convert/document/markup-lexer.ts';
import { tagsIn } from '../../../src/convert/document/tags.ts';

const DOCUMENTS = 16;
const LETTERS = 4_000_000;

t.afterEach(() => forgetMarkup());

function told(xml: string, names?: ReadonlySet<string>, passedOver?: string, visit = visitMarkup): string {
  const events: string[] = [];
  visit(xml, {
    names,
    open(name, attributes, isEmpty, start, end) {
      const tag = `<${name}${attributes}${isEmpty ? '/' : ''}>`;
      events.push(xml.slice(start, end) === tag ? tag : '?');
      return name === passedOver;
    },
    close: (name, start, end) => events.push(xml.slice(start, end) === `</${name}>` ? `</${name}>` : '?'),
    text: (part, start, end) => events.push(part.slice(start, end)),
  });
  return events.join('');
}

t.test('a visitor is told of the elements that it names, and of text', async (t) => {
  const xml = '<a><b x="1"><c/>d</b><e>f</e></a>';
  t.equal(told(xml), xml);
  t.equal(told(xml, new Set(['b'])), '<b x="1">d</b>f');
  t.equal(told(xml, undefined, 'b'), '<a><b x="1"></b><e>f</e></a>', 'it may pass over what is in one');
  t.equal(told(xml, new Set(['a', 'c']), 'a'), '<a></a>', 'also over elements that it does not name');
});

t.test('a long part is read as a short one, each time', async (t) => {
  const long = `<a>${'<b y="2">c</b><d/>'.repeat(10_000)}</a>`;
  for (let time = 0; time < 2; time += 1) t.ok(told(long) === long);
  t.equal(told(long, new Set(['d'])).replaceAll('c', '').length, 10_000 * '<d/>'.length);
  t.ok(told(long, undefined, 'a') === '<a></a>');
  t.ok(told(long, undefined, undefined, visitFragment) === long, 'and so is a piece of a part');
});

t.test('names without a number of their own', async (t) => {
  const many = Array.from({ length: 20_000 }, (_, i) => `<n${i}><m${i}/></n${i}>`).join('');
  const xml = `<a>${many}</a>`;
  t.ok(told(xml) === xml);
  t.equal(told(xml, new Set(['n19999', 'm19998'])), '<m19998/><n19999></n19999>');
  const broken = `<a>${many}<x1></x2></a>`;
  t.ok(told(broken) === `<a>${many}<x1>`, 'their end tags are compared, too');
});

t.test('reading ends where the markup breaks off', async (t) => {
  t.equal(told('<a><b></c></a>'), '<a><b>');
  t.equal(told('</a><b/>'), '');
  t.equal(
    told('x</a><b/>', undefined, undefined, visitFragment),
    'x</a><b/>',
    'but not in a piece of a part',
  );
  t.ok(told('<a>'.repeat(501)) === '<a>'.repeat(500), 'and where elements are too deep');
});

t.test('no document is kept for the names in it', async (t) => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const used = () => {
    // The first may end a collection that is under way, which keeps all that has come since it began.
    collect();
    collect();
    const { external, heapUsed } = process.memoryUsage();
    return external + heapUsed;
  };
  const before = used();
  for (let i = 0; i < DOCUMENTS; i += 1) {
    // Of a text from a buffer, a piece of 13 letters or more is a view.
    const part = Buffer.from(`<document><name-of-one-document-${i}/>${' '.repeat(LETTERS)}</document>`);
    let names = 0;
    visitMarkup(part.toString('latin1'), {
      open() {
        names += 1;
      },
      close() {},
    });
    t.equal(names, 2);
    forgetMarkup();
  }
  t.ok(used() - before < (DOCUMENTS / 2) * LETTERS, 'those that were read are gone');
});

t.test('a part that was edited is read as it would be anew', async (t) => {
  const unit = '<p a="1"><t>text &amp; more</t><!-- <x> --><e/>  <r>one</r></p>\n';
  const texts = ['', 'new', '<n/>', '<n>in</n>', 'a<n/>b', '<!-- <y> -->', '&amp;'];
  const broken = ['</t><t>', '<n', '>', '</p>', '<!--'];
  const lengths = [0, 0, 1, 4, 40, 90];
  let seed = 1;
  const random = (limit: number) => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed % limit;
  };
  const differ: string[] = [];
  for (let round = 0; round < 120; round += 1) {
    const xml = `<?xml version="1.0"?><a>${unit.repeat(round % 60 === 0 ? 1_500 : 50)}</a><!-- end -->`;
    const places = entriesOf(xml).filter((_, i) => i % ENTRY !== 0);
    const edits: Edit[] = [];
    const known = round % 3 === 0 ? [...texts, ...broken] : texts;
    for (let at = 0, left = 1 + random(6); left > 0; left -= 1) {
      const from = random(2) === 0 ? (places[random(places.length)] ?? 0) : at + random(60);
      const start = Math.min(xml.length, Math.max(at, from));
      at = Math.min(xml.length, start + (lengths[random(lengths.length)] ?? 0));
      edits.push({ start, end: at, text: known[random(known.length)] ?? '' });
    }
    const edited = withEdits(xml, edits);
    const read = entriesOf(edited).join();
    forgetMarkup();
    if (read !== entriesOf(edited).join()) differ.push(JSON.stringify(edits));
    forgetMarkup();
  }
  t.strictSame(differ, []);
});

t.test('a comment between two edits is read once', async (t) => {
  const unit = '<p><w:a/><!--a comment--><w:b x="1"/><?an instruction?><w:c/></p>';
  const xml = `<a>${unit.repeat(60)}</a>`;
  entriesOf(xml);
  const edits = tagsIn(xml, (name) => name === 'w:b' || name === 'w:c').flatMap(({ start }) => [
    { start, end: start, text: '<w:n/>' },
    { start: start + '<w:b'.length, end: start + '<w:b'.length, text: ' y="22"' },
  ]);
  const edited = withEdits(xml, edits);
  const read = entriesOf(edited).join();
  forgetMarkup();
  t.equal(read, entriesOf(edited).join());
  forgetMarkup();
});

t.test('of a part that was edited, only what is new is read', async (t) => {
  const xml = `<a>${'<b y="2">c</b><d/>'.repeat(10_000)}</a>`;
  const places = tagsIn(xml, (name) => name === 'd');
  const edited = withEdits(
    xml,
    places.map(({ start }) => ({ start, end: start, text: '<e/>' })),
  );
  const { write } = MarkupLexer.prototype;
  const calls = t.capture(MarkupLexer.prototype, 'write', write);
  t.equal(tagsIn(edited, (name) => name === 'e').length, places.length);
  t.ok(calls().every(({ args: [piece] }) => piece === '<e/>'));
});

/** Where the tags and texts are. */
function entriesOf(xml: string): number[] {
  const found: number[] = [];
  readEntries(xml, false, (block, length) => found.push(...block.subarray(0, length)));
  return found;
}
