/**
 * Counts the characters of a document as Word does when it saves it. Word stores estimates (`docProps/app.xml`), but together
 * they are exact: `Words` and `Characters` add up to the positions of the main text in Word's memory, where each mark of a
 * paragraph, a row or a field is one, and so is each picture. Links are fields there. Measured; docs/fidelity.md has the figures.
 */
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { BodyWalk, drawings, type Element } from './body-walk.ts';
import type { KeptParts } from './kept-parts.ts';
import { attributeOf, visitMarkup, withoutReferences } from './markup.ts';

/** One position each. */
const single = [
  ...['p', 'tr', 'tab', 'ptab', 'br', 'cr', 'noBreakHyphen', 'softHyphen', 'sym', 'fldChar'],
  ...['footnoteReference', 'endnoteReference', 'commentReference'],
];
const texts = ['t', 'instrText'];
/** What is in them is no text. */
const properties = ['pPr', 'rPr', 'tblPr', 'trPr', 'tcPr', 'sectPr', 'sdtPr', 'sdtEndPr'];
const singleNames: ReadonlySet<string | undefined> = new Set(single);
/** One each, whatever is in them. */
const objectNames: ReadonlySet<string | undefined> = new Set(drawings);

/** Begin, separator and end of a field. */
const FIELD_MARKS = 3;
/** Begin and end of a content control. */
const CONTROL_MARKS = 2;
const LINK = ' HYPERLINK ';
/** Of the link's field: `"` around the target and a blank, and the switches `\l ""`, `\o ""`, `\t ""` and `\h`, with blanks. */
const QUOTES = 3;
const TEXT_SWITCH = 6;
const SWITCH = 3;
const textSwitches = ['anchor', 'tooltip', 'tgtFrame'];

interface WordCount {
  readonly characters: number;
  /** By how many Word's own count may differ: for each link, Word may keep data in one more position. */
  readonly tolerance: number;
}

/** Counts in linear time. Formulas, embedded objects and ActiveX controls count less than they do in Word. */
export function countAsWord(xml: Bytes, parts: KeptParts): WordCount {
  const counter = new Counter(xml, targetsOf(parts)).walk();
  return { characters: counter.characters, tolerance: 1 + counter.links };
}

class Counter extends BodyWalk {
  characters = 0;
  links = 0;
  readonly #targets: ReadonlyMap<string, string>;
  /** Whether the open run has nothing but properties: Word keeps data of a field there. */
  #isRunEmpty = false;

  constructor(xml: Bytes, targets: ReadonlyMap<string, string>) {
    const elements = [...single, ...drawings, ...texts, 'r', 'sdt', 'hyperlink', 'fldSimple'];
    super(xml, { elements, passesOver: properties, texts, readsAll: true });
    this.#targets = targets;
  }

  override open(element: Element): boolean {
    const { local, isEmpty } = element;
    const isObject = objectNames.has(local);
    this.#isRunEmpty = local === 'r';
    if (isObject || singleNames.has(local)) this.characters += 1;
    else if (local === 'r') this.characters += Number(isEmpty);
    else if (local === 'sdt') this.characters += CONTROL_MARKS;
    else if (local === 'hyperlink') this.#countLink(element);
    else if (local === 'fldSimple') this.characters += FIELD_MARKS + element.text('instr').length;
    return isObject;
  }

  override close(local: string | undefined): void {
    if (local === 'r') this.characters += Number(this.#isRunEmpty);
  }

  override text(start: number, end: number): void {
    this.characters += fromBytes(withoutReferences(this.xml.slice(start, end))).length;
  }

  #countLink(element: Element): void {
    this.links += 1;
    this.characters += FIELD_MARKS + LINK.length;
    const target = this.#targets.get(attributeOf(element.attributes, 'r:id') ?? '');
    if (target !== undefined) this.characters += QUOTES + target.length;
    for (const name of textSwitches) {
      const { length } = element.text(name);
      if (length > 0) this.characters += TEXT_SWITCH + length;
    }
    if (element.text('history') === '') this.characters += SWITCH;
  }
}

/** Where the links of the main part lead, by their ids, as it is written. */
function targetsOf(parts: KeptParts): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  const slash = parts.mainPart.lastIndexOf('/') + 1;
  const name = `${parts.mainPart.slice(0, slash)}_rels/${parts.mainPart.slice(slash)}.rels`;
  visitMarkup(parts.text(name), {
    open(_, attributes) {
      const id = attributeOf(attributes, 'Id');
      if (id !== undefined) targets.set(id, attributeOf(attributes, 'Target') ?? '');
    },
  });
  return targets;
}
