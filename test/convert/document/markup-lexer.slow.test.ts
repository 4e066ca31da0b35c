/** All that reads XML sees the same markup, and that which a parser sees, whatever the pieces are. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import t from 'tap';
import { attributeOf, visitFragment, visitMarkup } from '../../../src/convert/document/markup.ts';
import { MarkupLexer } from '../../../src/convert/document/markup-lexer.ts';
import { MAX_ELEMENT_DEPTH } from '../../../src/convert/package/limits.ts';
import { Tag } from '../../../src/convert/package/tag.ts';
import { visitElements } from '../../../src/convert/package/xml.ts';
import { XmlScanner } from '../../../src/convert/package/xml-scanner.ts';
import { withoutSections } from '../../../src/convert/rules/xml-sections.ts';

/** XML of all kinds of markup, by its depth. */
const markup = fc.letrec<{ element: string; content: string }>((tie) => ({
  element: fc
    .tuple(
      fc.constantFrom('a', 'w:tbl', 'tbl', 'tblPr', 'x:b', 'w:t', 'style', 'x:basedOn', 'dataBinding'),
      fc.uniqueArray(
        fc.constantFrom('c="/>"', "d='\">'", 'e = "1"', `f\n=\n"x='y' <z"`, 'x:g="&lt;&#233;"', "h='/'"),
        { maxLength: 3 },
      ),
      tie('content'),
      fc.boolean(),
    )
    .map(([name, attributes, content, empty]) => {
      const start = [name, ...attributes].join(' ').replace('<z', '&lt;z');
      return empty ? `<${start}/>` : `<${start}>${content}</${name} >`;
    }),
  content: fc
    .array(
      fc.oneof(
        { maxDepth: 6 },
        fc.constantFrom(
          'text',
          '<!-- a > b -> <tbl> -->',
          '<!---->',
          '<![CDATA[ <tbl> ]] > ]]>',
          '<![CDATA[]]>',
          '<![CDATA[]]]]>',
          '<?p > <tbl> ? > ?>',
          '<?p?>',
          '&amp;',
          `it's`,
          '"',
          'é',
        ),
        tie('element'),
      ),
      { maxLength: 4 },
    )
    .map((pieces) => pieces.join('')),
}));
const wellFormed = markup.element.map((inner) => `<r xmlns:w="w" xmlns:x='x'>${inner}</r>`);

/** What breaks markup, put into it or in the place of some of it. */
const breaks = fc.array(
  fc.record({
    at: fc.nat(),
    removed: fc.nat({ max: 3 }),
    added: fc.constantFrom(
      ...[
        '',
        '<',
        '>',
        '"',
        "'",
        '/',
        '&',
        '!',
        '?',
        '=',
        ' ',
        'a',
        '<a>',
        '</a>',
        '<!--',
        '-->',
        '<?',
        '?>',
      ],
      ...[
        '<![CDATA[',
        ']]>',
        '<!',
        '<!DOCTYPE a>',
        '<!DOCTYPE a SYSTEM ">">',
        '<!DOCTYPE a [<!ENTITY b "c">]>',
      ],
    ),
  }),
  { maxLength: 3 },
);
const documents = fc.tuple(wellFormed, breaks).map(([xml, edits]) =>
  edits.reduce((text, { at, removed, added }) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + added + text.slice(start + removed);
  }, xml),
);
const cuts = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 10 });

/** The text in pieces of these lengths, in turns. */
function* inPieces<T extends string | Buffer>(text: T, lengths: readonly number[]): Generator<T> {
  for (let at = 0, i = 0; at < text.length; i += 1) {
    const length = lengths[i % lengths.length] ?? 1;
    yield text.slice(at, at + length) as T;
    at += length;
  }
}

/** What a reader saw: tags, text between them, and other markup. */
class Seen {
  readonly all: string[] = [];

  text(text: string): void {
    if (text === '') return;
    const last = this.all.at(-1);
    if (last?.startsWith(' ')) this.all[this.all.length - 1] = last + text;
    else this.all.push(` ${text}`);
  }

  open(name: string, values: number, isEmpty: boolean): void {
    this.all.push(`<${name} ${values}`);
    if (isEmpty) this.all.push('/');
  }

  get opened(): string[] {
    return this.all.filter((each) => each.startsWith('<'));
  }

  get tags(): string[] {
    return this.all.filter((each) => /^[</]/.test(each));
  }
}

function lexed(xml: string, lengths: readonly number[] = [xml.length + 1]) {
  const seen = new Seen();
  let others = 0;
  let values = 0;
  const lexer = new MarkupLexer({
    open(piece, start, local, nameEnd, end, count) {
      values += count;
      seen.open(piece.slice(start + 1, nameEnd), count, piece.startsWith('/>', end - 2));
      if (!/^([^:]*:)*$/.test(piece.slice(start + 1, local))) seen.all.push('a prefix that is none');
      if (piece[start] !== '<' || piece[end - 1] !== '>') seen.all.push('a tag that is not at its place');
    },
    close: () => seen.all.push('/'),
    text: (piece, start, end) => seen.text(piece.slice(start, end)),
    section: (piece, start, end) => seen.text(piece.slice(start, end)),
    other(kind) {
      seen.all.push(kind);
      if (/^(comment|section|instruction)$/.test(kind)) others += 1;
    },
  });
  for (const piece of inPieces(xml, lengths)) lexer.write(piece);
  const opened = seen.tags.filter((tag) => tag !== '/').length;
  return { seen, nodes: opened + values + others, isComplete: lexer.isComplete };
}

function visited(xml: string, visit = visitMarkup): Seen {
  const seen = new Seen();
  visit(xml, {
    open(name, attributes, isEmpty, start, end) {
      const values = attributes.match(/"[^"]*"|'[^']*'/g)?.length ?? 0;
      seen.open(name, values, isEmpty);
      if (xml[start] !== '<' || xml[end - 1] !== '>') seen.all.push(`${name} is not at its place`);
    },
    close: () => seen.all.push('/'),
  });
  return seen;
}

/** What a parser sees, up to the first thing that is not well-formed or to the declarations of a document type. */
function parsed(xml: string): { seen: Seen; error: unknown } {
  const seen = new Seen();
  const parser = new SaxesParser();
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw new Error('declarations');
  });
  parser.on('opentag', ({ name, attributes }) => seen.open(name, Object.keys(attributes).length, false));
  parser.on('closetag', () => seen.all.push('/'));
  try {
    parser.write(xml).close();
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}

/** The tags that a scanner reads, and how many nodes it counts. */
function scanned(xml: string, lengths: readonly number[]) {
  const tags: string[] = [];
  const scanner = new XmlScanner((tag) => tags.push(`${tag.name} ${tag.values('c')} ${tag.values('g')}`));
  for (const piece of inPieces(Buffer.from(xml), lengths)) scanner.write(piece);
  return { tags, nodes: scanner.nodes, faults: scanner.faults };
}

/** The elements that are seen before an error. */
function elements(read: (visit: (element: string) => void) => void): { seen: string[]; error: unknown } {
  const seen: string[] = [];
  try {
    read((element) => seen.push(element));
    return { seen, error: undefined };
  } catch (error) {
    return { seen, error };
  }
}

function strictly(xml: string) {
  return elements((visit) =>
    visitElements(Buffer.from(xml), {
      element: ({ namespace, name, attributes }) => visit(JSON.stringify([namespace, name, ...attributes])),
    }),
  );
}

function strictlyParsed(xml: string) {
  return elements((visit) => {
    const parser = new SaxesParser({ xmlns: true });
    parser.on('doctype', () => {
      throw new Error('a document type');
    });
    parser.on('opentag', ({ uri, local, attributes }) => {
      const all = Object.values(attributes);
      if (all.some(({ name, value }) => name.startsWith('xmlns') && value !== value.trim()))
        throw new Error('a namespace that readers take for different ones');
      const own = all.filter((each) => each.uri === '');
      visit(JSON.stringify([uri, local, ...own.map((each) => [each.local, each.value])]));
    });
    parser.write(xml).close();
  });
}

const isPrefix = (shorter: readonly string[], longer: readonly string[]): boolean =>
  shorter.every((each, i) => each === longer[i]);
const runs = Number(process.env.RUNS ?? 500);

t.test('all readers see the same, in broken documents as well', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(documents, cuts, (xml, lengths) => {
        const whole = lexed(xml);
        const split = lexed(xml, lengths);
        assert.deepEqual(split.seen.all, whole.seen.all, 'in pieces');
        assert.equal(split.isComplete, whole.isComplete);
        assert.deepEqual(visited(xml, visitFragment).tags, whole.seen.tags, 'the visitor of pieces');
        assert.ok(
          isPrefix(visited(xml).tags, whole.seen.tags),
          'the visitor, up to an end tag that fits no element',
        );
        // The scanner reads bytes: the same, but for where they are cut.
        const scanner = scanned(xml, lengths);
        assert.equal(scanner.nodes, whole.nodes, 'the scanner');
        assert.equal(scanner.faults.includes('doctype-subset'), whole.seen.all.includes('subset'));
        const { seen, error } = parsed(xml);
        assert.ok(isPrefix(seen.tags, whole.seen.tags), 'a parser, up to its first error');
        // The parser closes elements before it says that the end tag is of another one.
        assert.ok(isPrefix(seen.opened, visited(xml).opened), 'the visitor, at least up to there');
        if (error === undefined) {
          assert.deepEqual(visited(xml).tags, seen.tags, 'a parser');
          assert.ok(whole.isComplete);
          assert.deepEqual(
            visited(withoutSections(Buffer.from(xml)).toString()).tags,
            seen.tags,
            'without sections',
          );
        }
      }),
      { numRuns: runs },
    ),
  );
});

t.test('what describes a package is read as a parser reads it, or refused', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(documents, (xml) => {
        const [own, parser] = [strictly(xml), strictlyParsed(xml)];
        const names = lexed(xml).seen.tags.flatMap((tag) => /^<(?:[^: ]*:)?([^ ]*)/.exec(tag)?.[1] ?? []);
        assert.ok(
          isPrefix(
            own.seen.map((each) => String(JSON.parse(each)[1])),
            names,
          ),
          'no element that others do not see',
        );
        if (parser.error === undefined) assert.deepEqual(own, parser);
        else if (!/<!--|<\?/.test(xml)) assert.ok(own.error, String(parser.error));
      }),
      { numRuns: runs },
    ),
  );
});

t.test('values of attributes are those that a parser sees', async (t) => {
  const values = (xml: string): string[] => {
    const seen: string[] = [];
    const parser = new SaxesParser();
    parser.on('opentag', ({ name, attributes }) => {
      seen.push(name, ...['c', 'e', 'f', 'x:g', 'h', 'y'].map((each) => `${each} ${attributes[each]}`));
    });
    parser.write(xml).close();
    return seen;
  };
  const own = (xml: string): string[] => {
    const seen: string[] = [];
    visitMarkup(xml, {
      open(name, attributes) {
        const tag = new Tag(name, attributes);
        const of = ['c', 'e', 'f', 'x:g', 'h', 'y'].map((each) => [each, attributeOf(attributes, each)]);
        seen.push(name, ...of.map(([each, value]) => `${each} ${value}`));
        for (const [each = '', value] of of)
          assert.deepEqual(tag.values(each.replace('x:', '')), value === undefined ? [] : [value]);
      },
      close() {},
    });
    return seen;
  };
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(wellFormed, (xml) => {
        assert.deepEqual(own(xml), values(xml), xml);
      }),
      { numRuns: runs },
    ),
  );
});

/** How deep elements, and tables, are according to a parser. */
function depthsOf(xml: string): { elements: number; tables: number } {
  const deepest = { elements: 0, tables: 0 };
  const open: string[] = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    open.push(name);
    const depth = open.filter((each) => /^(w:)?tbl$/.test(each)).length;
    deepest.elements = Math.max(deepest.elements, open.length);
    deepest.tables = Math.max(deepest.tables, depth);
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return deepest;
}

t.test('elements and tables are as deep as a parser says', async (t) => {
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(wellFormed, cuts, (inner, lengths) => {
        const deepest = depthsOf(inner);
        const around = (element: string, levels: number) =>
          scanned(`${`<${element}>`.repeat(levels)}${inner}${`</${element}>`.repeat(levels)}`, lengths)
            .faults[0];
        // So many around it that it just keeps to the limit, then one more.
        const elements = 500 - deepest.elements;
        const tables = 50 - deepest.tables;
        assert.equal(around('a', elements), undefined);
        assert.equal(around('a', elements + 1), 'nesting');
        assert.equal(around('tbl', tables), undefined);
        if (deepest.tables > 0) assert.equal(around('tbl', tables + 1), 'nesting');
      }),
      { numRuns: 300 },
    ),
  );
});

t.test('a tag longer than is kept', async (t) => {
  const long = 'x'.repeat(1_000_000);
  const xml = [
    `<a b="${long}>" c='${long}"'><d e="${long}"/></a><${long}/></${long}>`,
    `<${long} f="${long}"/>`,
    `<${long} f='${long}'/>`,
  ].join('');
  const tags = (lengths: readonly number[]) =>
    lexed(xml, lengths).seen.tags.map((tag) => `${tag.slice(0, 2)} ${tag.split(' ').at(-1)}`);
  for (const lengths of [[xml.length], [65_536], [7_919], [100, 200_000], [xml.indexOf('/>') + 1]])
    t.strictSame(tags(lengths), [
      '<a 2',
      '<d 1',
      '/ /',
      '/ /',
      '<x 0',
      '/ /',
      '/ /',
      '<x 1',
      '/ /',
      '<x 1',
      '/ /',
    ]);
});

t.test('a visitor sees pairs of tags, and as many open elements as are allowed', async (t) => {
  const tags = (xml: string) => visited(xml).tags.join('');
  t.equal(tags('<a><b></b></a>'), '<a 0<b 0//');
  t.equal(tags('<a><b></a></b></a>'), '<a 0<b 0', 'an end tag of another element');
  t.equal(tags('<a/></a><b/>'), '<a 0/', 'one of no element');
  t.equal(tags('<a></a >\n<b></b\t>'), '<a 0/<b 0/', 'blanks in end tags');
  t.equal(visited('<a>'.repeat(1_000)).tags.length, MAX_ELEMENT_DEPTH);
  t.equal(visited(`${'<a>'.repeat(500)}${'</a>'.repeat(500)}`).tags.length, 1_000, 'all of an allowed depth');
});
