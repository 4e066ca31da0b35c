/** Documents with tracked changes that are made from a seed, and the same documents as if each change had been made, or had not. */
import { visitMarkup } from '../../../src/convert/document/markup.ts';
import type { Version } from '../../../src/convert/rules/tracked-changes.ts';

const by = 'w:id="1" w:author="A"';

/** In which versions something is there. */
type State = 'both' | 'final' | 'original' | 'neither';
interface Text {
  readonly kind: 'text';
  readonly state: State;
  readonly text: string;
  readonly isMoved: boolean;
  /** Bold in the final version, italic in the original. */
  readonly isReformatted: boolean;
}
type Inline = Text | { readonly kind: 'control' | 'link'; readonly inner: readonly Text[] };
interface Paragraph {
  readonly kind: 'paragraph';
  /** A property of its own. */
  readonly place: number;
  readonly inner: readonly Inline[];
  /** Of its mark. */
  readonly state: State;
}
interface Cell {
  readonly state: State;
  readonly inner: readonly Block[];
}
type Block =
  | Paragraph
  | {
      readonly kind: 'table';
      readonly rows: readonly { readonly state: State; readonly cells: readonly Cell[] }[];
    }
  | { readonly kind: 'control'; readonly inner: readonly Block[] };

interface RevisedDocument {
  /** The body, with changes. */
  readonly body: string;
  /** The same without changes, as one version has it. */
  readonly as: (version: Version) => string;
}

/** @param seed the same one gives the same document. */
export function revisedDocument(seed: number): RevisedDocument {
  const blocks = new Author(seed).blocks(0);
  return {
    body: bodyOf(blocks),
    as: (version) => bodyOf(settled(blocks, version, false)),
  };
}

/** Makes a document up. */
class Author {
  #state: number;
  #places = 0;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761;
  }

  /** The content of the body, of a cell or of a control, which ends with a paragraph that stays. */
  blocks(depth: number): Block[] {
    const blocks: Block[] = [];
    for (let left = this.#below(depth === 0 ? 8 : 3); left > 0; left -= 1) {
      const choice = this.#below(depth < 2 ? 8 : 6);
      if (choice === 6) blocks.push(this.#table(depth));
      else if (choice === 7) {
        const inner = this.blocks(depth + 1);
        blocks.push({ kind: 'control', inner: this.#below(2) === 0 ? inner : [this.#paragraph()] });
      } else blocks.push(this.#paragraph());
    }
    return [...blocks, { ...this.#paragraph(), state: 'both' }];
  }

  #table(depth: number): Block {
    const columns = 1 + this.#below(3);
    const row = () => ({
      state: this.#state3(),
      cells: Array.from({ length: columns }, () => ({
        state: this.#below(6) === 0 ? this.#state3() : ('both' as const),
        inner: this.blocks(depth + 1),
      })),
    });
    return { kind: 'table', rows: Array.from({ length: 1 + this.#below(3) }, row) };
  }

  #paragraph(): Paragraph {
    this.#places += 1;
    const inner = Array.from({ length: this.#below(5) }, (): Inline => {
      const choice = this.#below(8);
      if (choice > 1) return this.#text();
      return {
        kind: choice === 0 ? 'control' : 'link',
        inner: Array.from({ length: 1 + this.#below(2) }, () => this.#text()),
      };
    });
    return { kind: 'paragraph', place: this.#places, inner, state: this.#state3() };
  }

  #text(): Text {
    const letters = 'abcdefghijklmnopqrstuvwxyz';
    const text = Array.from({ length: 1 + this.#below(5) }, () => letters.charAt(this.#below(26))).join('');
    const state = this.#below(12) === 0 ? 'neither' : this.#state3();
    return { kind: 'text', state, text, isMoved: this.#below(4) === 0, isReformatted: this.#below(5) === 0 };
  }

  #state3(): State {
    return (['both', 'both', 'final', 'original'] as const)[this.#below(4)] ?? 'both';
  }

  /** A number from 0. (mulberry32) */
  #below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end;
  }
}

const isIn = (state: State, version: Version): boolean => state === 'both' || state === version;

/** @param isControl whether they are the content of a control, which may have none. */
function settled(blocks: readonly Block[], version: Version, isControl: boolean): Block[] {
  const made: Block[] = [];
  let begun: Paragraph | undefined;
  const end = (staysEmpty: boolean) => {
    if (begun && (staysEmpty || begun.inner.length > 0)) made.push(begun);
    begun = undefined;
  };
  for (const block of blocks) {
    if (block.kind === 'paragraph') {
      const own = block.inner.flatMap((each) => settledInline(each, version));
      begun = { ...block, state: 'both', inner: [...(begun?.inner ?? []), ...own] };
      if (isIn(block.state, version)) end(true);
      continue;
    }
    end(false);
    if (block.kind === 'control') {
      const inner = settled(block.inner, version, true);
      if (inner.length > 0) made.push({ ...block, inner });
      continue;
    }
    const rows = block.rows
      .filter(({ state }) => isIn(state, version))
      .map(({ cells }) => ({
        state: 'both' as const,
        cells: cells
          .filter(({ state }) => isIn(state, version))
          .map(({ inner }) => ({ state: 'both' as const, inner: settled(inner, version, false) })),
      }))
      .filter(({ cells }) => cells.length > 0);
    if (rows.length > 0) made.push({ kind: 'table', rows });
  }
  end(!isControl);
  return made;
}

function settledInline(inline: Inline, version: Version): Inline[] {
  if (inline.kind !== 'text') {
    const inner = inline.inner.flatMap((each) => settledText(each, version));
    return inner.length > 0 ? [{ ...inline, inner }] : [];
  }
  return settledText(inline, version);
}

function settledText(text: Text, version: Version): Text[] {
  if (!isIn(text.state, version)) return [];
  const isItalic = text.isReformatted && version === 'original';
  const marker = text.isReformatted ? (isItalic ? ITALIC : BOLD) : '';
  return [{ ...text, state: 'both', isReformatted: false, text: marker + text.text }];
}

/** Before the text of a run without changes: its format. */
const BOLD = '+';
const ITALIC = '-';

const bodyOf = (blocks: readonly Block[]): string => `<w:body>${blocks.map(written).join('')}</w:body>`;

function written(block: Block): string {
  if (block.kind === 'control') return control(block.inner.map(written).join(''));
  if (block.kind === 'table') {
    const rows = block.rows.map(({ state, cells }) => {
      const own = cells.map(({ state, inner }) => {
        const change =
          state === 'final' ? `<w:cellIns ${by}/>` : state === 'original' ? `<w:cellDel ${by}/>` : '';
        return `<w:tc><w:tcPr>${change}</w:tcPr>${inner.map(written).join('')}</w:tc>`;
      });
      return `<w:tr><w:trPr>${mark(state)}</w:trPr>${own.join('')}</w:tr>`;
    });
    return `<w:tbl><w:tblPr/><w:tblGrid/>${rows.join('')}</w:tbl>`;
  }
  const { place, state, inner } = block;
  const properties = `<w:pPr><w:ind w:left="${place}"/><w:rPr>${mark(state)}</w:rPr></w:pPr>`;
  return `<w:p>${properties}${inner.map(writtenInline).join('')}</w:p>`;
}

function writtenInline(inline: Inline): string {
  if (inline.kind === 'text') return writtenText(inline);
  const inner = inline.inner.map(writtenText).join('');
  return inline.kind === 'control' ? control(inner) : `<w:hyperlink w:anchor="a">${inner}</w:hyperlink>`;
}

function writtenText({ state, text, isMoved, isReformatted }: Text): string {
  const isWritten = text.startsWith(BOLD) || text.startsWith(ITALIC);
  const format = text.startsWith(BOLD) ? '<w:b/>' : text.startsWith(ITALIC) ? '<w:i/>' : '';
  const own = isReformatted ? `<w:b/><w:rPrChange ${by}><w:rPr><w:i/></w:rPr></w:rPrChange>` : format;
  const name = state === 'neither' || (state === 'original' && !isMoved) ? 'delText' : 't';
  const run = `<w:r><w:rPr>${own}</w:rPr><w:${name}>${isWritten ? text.slice(1) : text}</w:${name}></w:r>`;
  if (state === 'both') return run;
  if (state === 'neither') return `<w:ins ${by}><w:del ${by}>${run}</w:del></w:ins>`;
  const change = state === 'final' ? (isMoved ? 'moveTo' : 'ins') : isMoved ? 'moveFrom' : 'del';
  return `<w:${change} ${by}>${run}</w:${change}>`;
}

const control = (inner: string): string => `<w:sdt><w:sdtPr/><w:sdtContent>${inner}</w:sdtContent></w:sdt>`;
const mark = (state: State): string =>
  state === 'final' ? `<w:ins ${by}/>` : state === 'original' ? `<w:del ${by}/>` : '';

const named: ReadonlySet<string> = new Set([
  ...['w:p', 'w:tbl', 'w:tr', 'w:tc', 'w:sdt', 'w:hyperlink', 'w:b', 'w:i'],
]);

/** What a body is made of: the elements that show something, the places of paragraphs, and the text. */
export function shapeOf(body: string): string {
  let shape = '';
  visitMarkup(body, {
    open(name, attributes, isEmpty) {
      if (name === 'w:ind') shape += attributes.trim();
      else if (named.has(name)) shape += isEmpty ? `<${name}/>` : `<${name}>`;
    },
    close(name) {
      if (named.has(name)) shape += `</${name}>`;
    },
    text(xml, start, end) {
      shape += xml.slice(start, end);
    },
  });
  return shape;
}
