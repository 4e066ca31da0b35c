/**
 * What a document lacks for a PDF that everyone can read (PDF/UA, ISO 14289-1; WCAG 2.2). Only its author can add it, so it
 * is reported with its place.
 */
import { attributesIn } from './attributes.ts';
import { titleOf } from './core-properties.ts';
import type { KeptParts } from './kept-parts.ts';
import { attributeOf, isOn, type MarkupVisitor, qualified } from './markup.ts';
import type { Styles } from './styles.ts';
import { localName } from './tags.ts';

export const accessibilityProblems = [
  'no-title',
  'no-language',
  'no-alternative-text',
  'no-header-row',
  'skipped-heading-level',
] as const;

type AccessibilityProblem = (typeof accessibilityProblems)[number];

export interface AccessibilityFinding {
  readonly problem: AccessibilityProblem;
  /** Which picture, table or heading of the body it is, from 1. */
  readonly number?: number;
  /** Which paragraph of the body it is in or begins with, from 1, as Word counts them: those in tables count. */
  readonly paragraph?: number;
  /** Of a heading: its level, from 1. */
  readonly level?: number;
  /** Of a PDF of several documents: which of them, counted from 0. */
  readonly file?: number;
}

/** Most findings of each problem. */
const MAX_FINDINGS = 50;
/** Outline level of text that is no heading. */
const BODY_LEVEL = 9;
/** Headings within tables and text boxes may be nested; deeper ones than this are not looked at. */
const MAX_DEPTH = 100;

interface Paragraph {
  style: string;
  level: number | undefined;
  hasText: boolean;
  readonly number: number;
}

interface Table {
  readonly number: number;
  readonly paragraph: number;
  rows: number;
  hasHeader: boolean;
}

interface Picture {
  readonly name: string;
  readonly paragraph: number;
  isDescribed: boolean;
  isText: boolean;
  isPicture: boolean;
}

const elements = ['p', 'pStyle', 'outlineLvl', 't', 'tbl', 'tr', 'tblHeader'];

/** Elements of drawings, by their local names. */
const ofDrawings: ReadonlySet<string> = new Set(['pict', 'object', 'txbxContent', 'inline', 'anchor']);

/** Reads the body. Elements of drawings are found by their local names, as any of them may declare namespaces. */
export class AccessibilityReader implements MarkupVisitor {
  readonly findings: AccessibilityFinding[] = [];
  readonly #counts = new Map<AccessibilityProblem, number>();
  readonly #prefix: string;
  readonly names: { has(name: string): boolean };
  readonly #names: ReadonlyMap<string, string>;
  readonly #styles: Styles;
  readonly #paragraphs: Paragraph[] = [];
  readonly #tables: Table[] = [];
  readonly #drawings: Picture[] = [];
  #count = 0;
  #tableCount = 0;
  #pictureCount = 0;
  #headingCount = 0;
  #lastLevel = 0;
  #isText = false;

  constructor(prefix: string, styles: Styles) {
    this.#prefix = prefix;
    const names = qualified(prefix, elements);
    this.#names = names;
    // Shapes of any name may have an alternative text; Word's own elements have none.
    const isOther = (name: string) =>
      prefix === '' || !name.startsWith(prefix) || ofDrawings.has(localName(name));
    this.names = { has: (name) => names.has(name) || isOther(name) };
    this.#styles = styles;
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    switch (this.#names.get(name)) {
      case 'p':
        this.#count += 1;
        if (!isEmpty && this.#paragraphs.length < MAX_DEPTH)
          this.#paragraphs.push({ style: '', level: undefined, hasText: false, number: this.#count });
        return;
      case 'pStyle':
        this.#edit((paragraph) => {
          paragraph.style = attributeOf(attributes, `${this.#prefix}val`) ?? '';
        });
        return;
      case 'outlineLvl':
        this.#edit((paragraph) => {
          paragraph.level = Number(attributeOf(attributes, `${this.#prefix}val`));
        });
        return;
      case 't':
        this.#isText = !isEmpty;
        return;
      case 'tbl':
        this.#tableCount += 1;
        if (!isEmpty && this.#tables.length < MAX_DEPTH)
          this.#tables.push({
            number: this.#tableCount,
            paragraph: this.#count + 1,
            rows: 0,
            hasHeader: false,
          });
        return;
      case 'tr': {
        const table = this.#tables.at(-1);
        if (table) table.rows += 1;
        return;
      }
      case 'tblHeader': {
        const table = this.#tables.at(-1);
        if (table?.rows === 1) table.hasHeader ||= isOn(attributes, `${this.#prefix}val`);
        return;
      }
      default:
        this.#openDrawing(name, localName(name), attributes, isEmpty);
    }
  }

  close(name: string): void {
    switch (this.#names.get(name)) {
      case 'p':
        this.#endParagraph(this.#paragraphs.pop());
        return;
      case 't':
        this.#isText = false;
        return;
      case 'tbl': {
        const table = this.#tables.pop();
        // A single row is a layout, and has nothing to be the head of.
        if (table && table.rows > 1 && !table.hasHeader)
          this.#add({ problem: 'no-header-row', number: table.number, paragraph: table.paragraph });
        return;
      }
      default:
        if (name === this.#drawings.at(-1)?.name) this.#endDrawing(this.#drawings.pop());
    }
  }

  text(xml: string, start: number, end: number): void {
    if (this.#isText && /\S/.test(xml.slice(start, end)))
      this.#edit((paragraph) => {
        paragraph.hasText = true;
      });
  }

  #edit(change: (paragraph: Paragraph) => void): void {
    const paragraph = this.#paragraphs.at(-1);
    if (paragraph) change(paragraph);
  }

  #openDrawing(name: string, local: string, attributes: string, isEmpty: boolean): void {
    const isDrawing = local === 'inline' || local === 'anchor';
    if (isDrawing || local === 'pict' || local === 'object') {
      if (isEmpty || this.#drawings.length === MAX_DEPTH) return;
      const paragraph = this.#paragraphs.at(-1)?.number ?? this.#count;
      this.#drawings.push({ name, paragraph, isDescribed: false, isText: false, isPicture: isDrawing });
      return;
    }
    const drawing = this.#drawings.at(-1);
    if (!drawing) return;
    if (local === 'docPr')
      drawing.isDescribed ||= hasText(attributes, 'descr') || hasText(attributes, 'title');
    else if (local === 'decorative') drawing.isDescribed ||= isOn(attributes, 'val');
    else if (local === 'txbxContent') drawing.isText = true;
    else if (local === 'imagedata') drawing.isPicture = true;
    if (attributes.includes('alt')) drawing.isDescribed ||= hasText(attributes, 'alt');
  }

  #endDrawing(drawing: Picture | undefined): void {
    if (!drawing?.isPicture || drawing.isText) return;
    this.#pictureCount += 1;
    if (drawing.isDescribed) return;
    this.#add({ problem: 'no-alternative-text', number: this.#pictureCount, paragraph: drawing.paragraph });
  }

  #endParagraph(paragraph: Paragraph | undefined): void {
    if (!paragraph?.hasText) return;
    const styled = this.#styles.outlineLevel(this.#styles.paragraphStyle(paragraph.style));
    const level = (paragraph.level ?? styled ?? BODY_LEVEL) + 1;
    if (!(level <= BODY_LEVEL)) return;
    this.#headingCount += 1;
    if (level > this.#lastLevel + 1)
      this.#add({
        problem: 'skipped-heading-level',
        number: this.#headingCount,
        paragraph: paragraph.number,
        level,
      });
    this.#lastLevel = level;
  }

  #add(finding: AccessibilityFinding): void {
    const count = this.#counts.get(finding.problem) ?? 0;
    if (count >= MAX_FINDINGS) return;
    this.#counts.set(finding.problem, count + 1);
    this.findings.push(finding);
  }
}

/** What the document as a whole lacks. */
export function documentFindings(parts: KeptParts, styles: Styles): AccessibilityFinding[] {
  return [
    ...(titleOf(parts) !== undefined ? [] : [{ problem: 'no-title' } as const]),
    ...(styles.hasLanguage ? [] : [{ problem: 'no-language' } as const]),
  ];
}

/** Read in full: it may be longer than the values that `attributeOf` returns. */
function hasText(attributes: string, name: string): boolean {
  return attributesIn(attributes).some((each) => each.name === name && /\S/.test(each.value));
}
