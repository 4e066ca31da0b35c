/** Styles, as far as the height of a line depends on them (ISO/IEC 29500-1, 17.7). */
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';

/** Word allows no longer chain of styles that are based on each other. */
const MAX_CHAIN = 11;

/** A spacing of one line. */
export const LINE = 240;

const elements = [
  ...['docDefaults', 'style', 'basedOn', 'pPr', 'rPr'],
  ...['spacing', 'contextualSpacing', 'snapToGrid', 'sz', 'szCs', 'jc', 'b', 'i', 'caps', 'kern'],
  ...['autoSpaceDE', 'autoSpaceDN'],
];
/** Where a paragraph has space. */
export const sides = ['before', 'after'] as const;
export type Side = (typeof sides)[number];
const skippedElements = ['rPrChange', 'pPrChange', 'latentStyles'];
/** What a table style says of some of its cells (17.7.6.6). */
const CONDITION = 'tblStylePr';

/** What a paragraph, a run or a style says of its lines; undefined where it says nothing. */
export interface LineProperties {
  /** Spacing of lines: in 240ths of a line where the rule is `auto`, otherwise in twentieths of a point. */
  readonly line?: number | undefined;
  readonly lineRule?: string | undefined;
  /** Space above and below a paragraph, in twentieths of a point. */
  readonly before?: number | undefined;
  readonly after?: number | undefined;
  /** That space is the one of a web page, whatever these numbers say. */
  readonly beforeAutospacing?: boolean | undefined;
  readonly afterAutospacing?: boolean | undefined;
  /** The same space, in hundredths of a line; 0 where it is not counted in lines. */
  readonly beforeLines?: number | undefined;
  readonly afterLines?: number | undefined;
  /** There is no such space between paragraphs of one style. */
  readonly isContextual?: boolean | undefined;
  readonly snapToGrid?: boolean | undefined;
  /** Of the font, in half points. */
  readonly size?: number | undefined;
  /** The same of text in complex scripts. */
  readonly complexSize?: number | undefined;
  readonly isBold?: boolean | undefined;
  readonly isItalic?: boolean | undefined;
  /** Its letters are capitals. */
  readonly isCapital?: boolean | undefined;
  /** Fonts of this size and more have their pairs of letters kerned, 0 for none. */
  readonly kern?: number | undefined;
  /** There is a gap between East Asian letters and Latin ones, or digits. */
  readonly partsLetters?: boolean | undefined;
  readonly partsDigits?: boolean | undefined;
  /** As `w:jc` names it. */
  readonly alignment?: string | undefined;
}

/** Cells of which a table style says more (17.18.89). */
export type CellCondition = 'firstRow' | 'firstCol' | 'lastCol';

interface Style {
  basedOn: string | undefined;
  properties: LineProperties;
  /** Of the text of a table's cells, by their condition. */
  readonly conditions: Map<string, LineProperties>;
}

export class LayoutStyles {
  readonly #styles = new Map<string, Style>();
  readonly #defaults: Style = { basedOn: undefined, properties: {}, conditions: new Map() };
  #hasLowLines = false;
  #hasAutospacing = false;

  /** @param xml the part; empty where there is none. */
  constructor(xml: string) {
    const prefix = wordPrefixOf(xml);
    const names = qualified(prefix, [...elements, ...skippedElements, CONDITION]);
    let style = this.#defaults;
    let inParagraph = false;
    let skipped: string | undefined;
    let condition: string | undefined;
    visitMarkup(xml, {
      names,
      open: (name, attributes, isEmpty) => {
        const local = names.get(name);
        if (local === undefined || skipped !== undefined) return;
        if (skippedElements.includes(local)) {
          if (!isEmpty) skipped = name;
        } else if (local === 'style') {
          style = { basedOn: undefined, properties: {}, conditions: new Map() };
          this.#styles.set(attributeOf(attributes, `${prefix}styleId`) ?? '', style);
        } else if (local === 'basedOn') style.basedOn = attributeOf(attributes, `${prefix}val`);
        else if (local === 'pPr') inParagraph = !isEmpty;
        else if (local === CONDITION)
          condition = isEmpty ? undefined : attributeOf(attributes, `${prefix}type`);
        else if ((local === 'spacing' || local === 'jc') && !inParagraph) {
          // The distance of characters; the place of a table.
        } else if (condition !== undefined) {
          const known = inParagraph ? {} : readLineProperty(local, attributes, prefix);
          style.conditions.set(condition, { ...style.conditions.get(condition), ...known });
        } else {
          style.properties = { ...style.properties, ...readLineProperty(local, attributes, prefix) };
          const { line = LINE, beforeAutospacing, afterAutospacing } = style.properties;
          this.#hasLowLines ||= line < LINE;
          this.#hasAutospacing ||= (beforeAutospacing ?? afterAutospacing) !== undefined;
        }
      },
      close(name) {
        if (name === skipped) skipped = undefined;
        else if (names.get(name) === 'pPr') inParagraph = false;
        else if (names.get(name) === CONDITION) condition = undefined;
      },
    });
  }

  /** Whether a style has a spacing of less than one line, if the rule is `auto`. */
  get hasLowLines(): boolean {
    return this.#hasLowLines;
  }

  /** Whether a style, or the defaults, say that space is the one of a web page, or that it is not. */
  get hasAutospacing(): boolean {
    return this.#hasAutospacing;
  }

  /** Whether the space on this side of a paragraph is what its number says: not the one of a web page, nor counted in lines. */
  isWritten(own: LineProperties, style: string, side: Side): boolean {
    const [isAutomatic, lines] = [`${side}Autospacing`, `${side}Lines`] as const;
    return !(own[isAutomatic] ?? this.get(style, isAutomatic)) && !(own[lines] ?? this.get(style, lines));
  }

  /** The property of the style, or of one that it is based on, or the document's default. */
  get<Name extends keyof LineProperties>(id: string | undefined, name: Name): LineProperties[Name] {
    return this.ofStyle(id, name) ?? this.#defaults.properties[name];
  }

  /** The property of the style, or of one that it is based on. */
  ofStyle<Name extends keyof LineProperties>(id: string | undefined, name: Name): LineProperties[Name] {
    return this.#find(id, ({ properties }) => properties[name]);
  }

  /** What a table style, or one that it is based on, says of text in cells of these conditions, the first of them before others. */
  ofCells<Name extends keyof LineProperties>(
    id: string,
    conditions: readonly CellCondition[],
    name: Name,
  ): LineProperties[Name] {
    for (const condition of conditions) {
      const found = this.#find(id, (style) => style.conditions.get(condition)?.[name]);
      if (found !== undefined) return found;
    }
    return this.ofStyle(id, name);
  }

  #find<Value>(id: string | undefined, read: (style: Style) => Value | undefined): Value | undefined {
    let style = id === undefined ? undefined : this.#styles.get(id);
    for (let length = 0; style && length < MAX_CHAIN; length += 1) {
      const found = read(style);
      if (found !== undefined) return found;
      style = style.basedOn === undefined ? undefined : this.#styles.get(style.basedOn);
    }
    return undefined;
  }
}

/** What a rule asks of styles that are not in the part which it changes. */
export interface ParagraphStyles {
  readonly styles: LayoutStyles;
  /** The style of a paragraph that names this one, or none. */
  paragraphStyle(id: string): string;
}

/**
 * What an element says, by its local name: `spacing` of a paragraph, `contextualSpacing`, `snapToGrid`, `sz`, `szCs`, `kern`, `jc`, `b`,
 * `i`, `caps`, `autoSpaceDE` or `autoSpaceDN`.
 */
export function readLineProperty(local: string, attributes: string, prefix: string): LineProperties {
  const value = (name: string) => attributeOf(attributes, prefix + name);
  if (local === 'snapToGrid') return { snapToGrid: isOn(attributes, `${prefix}val`) };
  if (local === 'contextualSpacing') return { isContextual: isOn(attributes, `${prefix}val`) };
  if (local === 'b') return { isBold: isOn(attributes, `${prefix}val`) };
  if (local === 'i') return { isItalic: isOn(attributes, `${prefix}val`) };
  if (local === 'autoSpaceDE') return { partsLetters: isOn(attributes, `${prefix}val`) };
  if (local === 'autoSpaceDN') return { partsDigits: isOn(attributes, `${prefix}val`) };
  if (local === 'caps') return { isCapital: isOn(attributes, `${prefix}val`) };
  if (local === 'jc') return { alignment: value('val') };
  if (local === 'sz') return withNumber('size', value('val'));
  if (local === 'szCs') return withNumber('complexSize', value('val'));
  if (local === 'kern') return withNumber('kern', value('val'));
  if (local !== 'spacing') return {};
  const lineRule = value('lineRule');
  const numbers = ['line', 'before', 'after', 'beforeLines', 'afterLines'] as const;
  const switches = ['beforeAutospacing', 'afterAutospacing'] as const;
  return Object.assign(
    lineRule === undefined ? {} : { lineRule },
    ...numbers.map((name) => withNumber(name, value(name))),
    ...switches.map((name) => (value(name) === undefined ? {} : { [name]: isOn(attributes, prefix + name) })),
  );
}

function withNumber(
  name: 'line' | 'size' | 'complexSize' | 'kern' | Side | `${Side}Lines`,
  value: string | undefined,
): LineProperties {
  return value !== undefined && /^\d{1,5}$/.test(value) ? { [name]: Number(value) } : {};
}
