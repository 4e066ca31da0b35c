/** Which lists have lines with more space between them than text needs. */
import { BodyWalk, type Element } from '../document/body-walk.ts';
import type { KeptParts } from '../document/kept-parts.ts';
import { NO_LIST, type Styles } from '../document/styles.ts';
import type { DocumentStyles } from './document-styles.ts';
import { type LineProperties, readLineProperty } from './layout-styles.ts';

/** In 240ths of a line: from here on what a bullet adds is far less than LibreOffice would make of it. */
const SPACED = 300;

/** What is asked of styles. */
type ListStyles = Pick<DocumentStyles, 'fonts' | 'styles'>;

/** Whether most paragraphs of a level (`w:ilvl`) of these lists (`w:numId`) have spaced lines. */
export type IsSpaced = (lists: readonly string[], level: string) => boolean;

/** @param styles are asked for once, with the first list. */
export function spacedLists(parts: KeptParts, styles: () => ListStyles): IsSpaced {
  let counts: ReadonlyMap<string, Counts> | undefined;
  return (lists, level) => {
    counts ??= countLevels(parts, styles());
    let more = 0;
    for (const list of lists) {
      const { spaced = 0, single = 0 } = counts.get(`${list} ${level}`) ?? {};
      more += spaced - single;
    }
    return more > 0;
  };
}

/** Of how many paragraphs the lines are spaced, and of how many not. */
type Counts = Record<'spaced' | 'single', number>;

/** By list and level. */
function countLevels(parts: KeptParts, { fonts, styles }: ListStyles): ReadonlyMap<string, Counts> {
  const reader = new ListReader(parts.text(parts.mainPart), fonts).walk();
  const counts = new Map<string, Counts>();
  for (const { place, style, properties } of reader.found) {
    const count = counts.get(place) ?? { spaced: 0, single: 0 };
    counts.set(place, count);
    const line = properties.line ?? styles.get(style, 'line') ?? 0;
    const rule = properties.lineRule ?? styles.get(style, 'lineRule') ?? 'auto';
    count[rule === 'auto' && line >= SPACED ? 'spaced' : 'single'] += 1;
  }
  return counts;
}

interface Paragraph {
  style: string;
  list: string | undefined;
  level: string | undefined;
  properties: LineProperties;
  isFound: boolean;
}

/** Notes the paragraphs of lists that have text. */
class ListReader extends BodyWalk {
  readonly found: { readonly place: string; readonly style: string; readonly properties: LineProperties }[] =
    [];
  readonly #styles: Styles;
  /** Those that are open: text boxes stand in paragraphs. */
  readonly #open: Paragraph[] = [];

  constructor(xml: string, styles: Styles) {
    super(xml, { elements: ['p', 'pStyle', 'numId', 'ilvl', 'spacing', 't'], readsDeletions: true });
    this.#styles = styles;
  }

  override open(element: Element): void {
    const { local, attributes, isEmpty } = element;
    const paragraph = this.#open.at(-1);
    const value = () => element.value() ?? '';
    if (local === 'p') {
      const paragraph = { style: '', list: undefined, level: undefined, properties: {}, isFound: false };
      if (!isEmpty) this.#open.push(paragraph);
    } else if (!paragraph || paragraph.isFound) return;
    else if (local === 'pStyle') paragraph.style = value();
    else if (local === 'numId') paragraph.list = value();
    else if (local === 'ilvl') paragraph.level = value();
    // That of a run is the distance of its characters, and has no lines.
    else if (local === 'spacing')
      paragraph.properties = { ...readLineProperty(local, attributes, this.w), ...paragraph.properties };
    else if (local === 't') this.#note(paragraph);
  }

  override close(local: string | undefined): void {
    if (local === 'p') this.#open.pop();
  }

  #note(paragraph: Paragraph): void {
    paragraph.isFound = true;
    const style = this.#styles.paragraphStyle(paragraph.style);
    const ofStyle = this.#styles.list(style);
    const list = paragraph.list ?? ofStyle?.list;
    if (list === undefined || list === NO_LIST) return;
    const level = paragraph.level ?? (paragraph.list === undefined ? ofStyle?.level : undefined) ?? '0';
    this.found.push({ place: `${list} ${level}`, style, properties: paragraph.properties });
  }
}
