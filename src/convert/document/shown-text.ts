/** The text that a document's PDF must have in full, unless LibreOffice lost it. */
import type { TextSketch } from '../text/sketch.ts';
import { attributeOf, isOn, type MarkupVisitor, qualified, withoutReferences } from './markup.ts';
import type { Styles } from './styles.ts';
import type { WordArt } from './word-art.ts';

const elements = [
  ...['p', 'pPr', 'pStyle', 'r', 'rStyle', 'rFonts', 'vanish', 't', 'rt', 'tr', 'hidden'],
  ...['fldSimple', 'fldChar', 'instrText', 'sdt', 'dataBinding'],
  ...['footnoteReference', 'endnoteReference', 'footnote', 'endnote'],
];
/** Symbol fonts: LibreOffice maps their letters to other characters. */
const SYMBOL_FONTS = /symbol|dings|marlett|mt extra|zapf|sorts/i;
/** Fields with results that are document text; LibreOffice recalculates the others. */
const OWN_RESULT = /^\s*(HYPERLINK|TOC|INDEX)\b/i;
/** Most characters kept of a field instruction. */
const MAX_INSTRUCTION = 64;
/** Limit; more text is left out. */
const MAX_PUT_OFF = 100_000;

/** Range in the part. */
type Range = readonly [start: number, end: number];

interface Field {
  instruction: string;
  part: 'instruction' | 'own result' | 'other result';
  /** Number of deferred ranges when it began. */
  readonly putOff: number;
}

interface Run {
  style: string;
  isSymbols: boolean;
  isHidden: boolean;
}

/**
 * Reads a story. Hidden text, field results, bound text, ruby text, symbols, formulas and WordArt are left out. Headers and footers
 * are not read, as their number of repetitions is unknown.
 */
export class ShownText implements MarkupVisitor {
  readonly #sketch: TextSketch;
  readonly #styles: Styles;
  readonly #prefix: string;
  readonly #notes: Set<string>;
  /** What is not yet behind the text that is read. */
  readonly #wordArt: WordArt[];
  readonly names: ReadonlyMap<string, string>;
  readonly #paragraphs: string[] = [];
  readonly #runs: Run[] = [];
  readonly #fields: Field[] = [];
  /** Open elements, and whether the text of each is left out: hidden rows, bound content. */
  readonly #rows: boolean[] = [];
  readonly #contents: boolean[] = [];
  /** Ranges of instructions, which are visible if the field has no end. */
  readonly #putOff: Range[] = [];
  #xml = '';
  #isInParagraphProperties = false;
  #isInText = false;
  #isInInstruction = false;
  /** Number of open elements and fields whose text does not count. */
  #uncounted = 0;
  #instructions = 0;

  /**
   * @param prefixes of WordprocessingML and of mathematics.
   * @param notes that the document refers to, as in `footnote 2`; read before the notes themselves.
   * @param wordArt of the story that is drawn as a picture, in its order.
   */
  constructor(
    [prefix, math]: readonly [string, string],
    styles: Styles,
    sketch: TextSketch,
    notes: Set<string>,
    wordArt: readonly WordArt[],
  ) {
    this.#notes = notes;
    this.#wordArt = wordArt.toReversed();
    this.#prefix = prefix;
    this.#styles = styles;
    this.#sketch = sketch;
    this.names = new Map([...qualified(math, ['oMath']), ...qualified(prefix, elements)]);
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    const local = this.names.get(name);
    if (local === undefined) return;
    if (!isEmpty) this.#enter(local, attributes);
    const run = this.#isInParagraphProperties ? undefined : this.#runs.at(-1);
    switch (local) {
      case 'pStyle':
        if (this.#paragraphs.length > 0)
          this.#paragraphs[this.#paragraphs.length - 1] = this.#value(attributes);
        return;
      case 'rStyle':
        if (run) run.style = this.#value(attributes);
        return;
      case 'rFonts':
        if (run) run.isSymbols = SYMBOL_FONTS.test(attributes);
        return;
      case 'vanish':
        if (run) run.isHidden = isOn(attributes, `${this.#prefix}val`);
        return;
      case 'hidden':
        if (isOn(attributes, `${this.#prefix}val`)) this.#leaveOut(this.#rows);
        return;
      case 'dataBinding':
        this.#leaveOut(this.#contents);
        return;
      case 'footnoteReference':
      case 'endnoteReference':
        this.#refer(local.replace('Reference', ''), attributes);
        return;
      case 'fldChar':
        this.#readFieldCharacter(attributeOf(attributes, `${this.#prefix}fldCharType`));
    }
  }

  close(name: string): void {
    switch (this.names.get(name)) {
      case 'p':
        this.#paragraphs.pop();
        this.#sketch.break();
        return;
      case 'pPr':
        this.#isInParagraphProperties = false;
        return;
      case 'r':
        this.#runs.pop();
        return;
      case 't':
        this.#isInText = false;
        return;
      case 'instrText':
        this.#isInInstruction = false;
        return;
      case 'rt':
        this.#uncounted -= 1;
        return;
      case 'tr':
        if (this.#rows.pop()) this.#uncounted -= 1;
        return;
      case 'sdt':
      case 'footnote':
      case 'endnote':
        if (this.#contents.pop()) this.#uncounted -= 1;
        return;
      case 'fldSimple':
        this.#endField();
    }
  }

  text(xml: string, start: number, end: number): void {
    this.#xml = xml;
    const field = this.#fields.at(-1);
    if (this.#isInInstruction && field && field.instruction.length < MAX_INSTRUCTION) {
      field.instruction += xml.slice(start, Math.min(end, start + MAX_INSTRUCTION));
    }
    if (!this.#isInText) return;
    // The PDF has something else in its place.
    if (this.#uncounted > 0 || this.#isHidden() || this.#isWordArt(start)) this.#sketch.break();
    else if (this.#instructions === 0) this.#add(start, end);
    else if (this.#putOff.length < MAX_PUT_OFF) this.#putOff.push([start, end]);
  }

  /** Call at the end of the story. */
  end(): void {
    for (const [start, end] of this.#putOff) {
      this.#sketch.break();
      this.#add(start, end);
    }
    this.#sketch.break();
  }

  #enter(local: string, attributes: string): void {
    switch (local) {
      case 'p':
        this.#paragraphs.push('');
        this.#sketch.break();
        return;
      case 'pPr':
        this.#isInParagraphProperties = true;
        return;
      case 'r':
        this.#runs.push({ style: '', isSymbols: false, isHidden: false });
        return;
      case 't':
        this.#isInText = true;
        return;
      case 'instrText':
        this.#isInInstruction = true;
        return;
      case 'oMath':
        this.#sketch.break();
        return;
      case 'rt':
        this.#uncounted += 1;
        return;
      case 'tr':
        this.#rows.push(false);
        return;
      case 'sdt':
        this.#contents.push(false);
        return;
      case 'footnote':
      case 'endnote':
        this.#contents.push(false);
        if (!this.#notes.has(this.#note(local, attributes))) this.#leaveOut(this.#contents);
        return;
      case 'fldSimple':
        this.#beginField(attributeOf(attributes, `${this.#prefix}instr`) ?? '');
        this.#beginResult();
    }
  }

  #isHidden(): boolean {
    const run = this.#runs.at(-1);
    if (!run || run.isHidden || run.isSymbols) return true;
    const style = this.#styles.paragraphStyle(this.#paragraphs.at(-1) ?? '');
    return this.#styles.isHidden(run.style) || this.#styles.isHidden(style);
  }

  #isWordArt(at: number): boolean {
    while ((this.#wordArt.at(-1)?.end ?? at) < at) this.#wordArt.pop();
    return (this.#wordArt.at(-1)?.start ?? at) < at;
  }

  /** The innermost open element does not count from here on. */
  #leaveOut(open: boolean[]): void {
    if (open.at(-1) !== false) return;
    open[open.length - 1] = true;
    this.#uncounted += 1;
  }

  #refer(kind: string, attributes: string): void {
    this.#sketch.break();
    if (this.#uncounted === 0 && !this.#isHidden()) this.#notes.add(this.#note(kind, attributes));
  }

  #note(kind: string, attributes: string): string {
    return `${kind} ${attributeOf(attributes, `${this.#prefix}id`)}`;
  }

  #readFieldCharacter(type: string | undefined): void {
    if (type === 'begin') this.#beginField('');
    else if (type === 'separate') this.#beginResult();
    else if (type === 'end') this.#endField();
  }

  #beginField(instruction: string): void {
    this.#fields.push({ instruction, part: 'instruction', putOff: this.#putOff.length });
    this.#instructions += 1;
  }

  #beginResult(): void {
    const field = this.#fields.at(-1);
    if (field?.part !== 'instruction') return;
    this.#endInstruction(field);
    field.part = OWN_RESULT.test(field.instruction) ? 'own result' : 'other result';
    if (field.part === 'other result') this.#uncounted += 1;
  }

  #endField(): void {
    const field = this.#fields.pop();
    if (field?.part === 'instruction') this.#endInstruction(field);
    if (field?.part === 'other result') this.#uncounted -= 1;
  }

  #endInstruction({ putOff }: Field): void {
    this.#instructions -= 1;
    this.#putOff.length = putOff;
  }

  #add(start: number, end: number): void {
    const text = this.#xml.slice(start, end);
    this.#sketch.add(text.includes('&') ? withoutReferences(text) : text);
  }

  #value(attributes: string): string {
    return attributeOf(attributes, `${this.#prefix}val`) ?? '';
  }
}
