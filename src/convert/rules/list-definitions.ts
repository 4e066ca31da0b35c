/** Definitions of lists and their instances (ISO/IEC 29500-1, 17.9), as far as numbers depend on them. */
import { numberFormat } from '../document/list-number-texts.ts';
import { attributeOf, isOn, qualified, visitMarkup, wordPrefixOf } from '../document/markup.ts';
import type { Styles } from '../document/styles.ts';

/** What a copy of a level has beside its number, in the order of the schema. */
const copied = ['lvlRestart', 'isLgl', 'suff', 'lvlText', 'lvlJc', 'pPr', 'rPr'] as const;
const numbers = ['numFmt', 'AlternateContent'];
/** Longer levels are not copied. */
const MAX_LEVEL = 4_096;
export const LEVELS = 9;

export class ListLevelDefinition {
  start = 1;
  /** The level above which it begins anew, from 1; undefined for each. */
  restart: number | undefined;
  /** See {@link numberFormat}. */
  format = 'decimal';
  /** With `%1` for the number of the first level, and so on. */
  text = '';
  /** Whether all numbers are plain digits (17.9.4). */
  isLegal = false;
  /** Its properties as written, by their names. */
  readonly #pieces = new Map<string, string>();
  #length = 0;

  get isLong(): boolean {
    return this.#length > MAX_LEVEL;
  }

  keep(name: string, piece: string): void {
    this.#length += piece.length;
    if (!this.isLong) this.#pieces.set(name, piece);
  }

  piece(name: string): string {
    return this.#pieces.get(name) ?? '';
  }
}

/** A list that paragraphs name. */
export interface ListInstance {
  /** The id of its definition. */
  readonly definition: string;
  /** Numbers with which its levels begin. */
  readonly starts: ReadonlyMap<number, number>;
  /** Levels of its own. */
  readonly levels: ReadonlyMap<number, ListLevelDefinition>;
}

interface Definition {
  readonly levels: Map<number, ListLevelDefinition>;
  /** The style whose list it is. */
  style: string | undefined;
  /** Whether an instance has levels or beginnings of its own. */
  isChanged: boolean;
}

const elements = [
  ...['abstractNum', 'num', 'abstractNumId', 'numStyleLink', 'lvlOverride', 'startOverride', 'lvl', 'start'],
  ...[...copied, ...numbers],
];

export class ListDefinitions {
  /** The highest number of an instance. */
  lastId = 0;
  /** The prefix of the part. */
  readonly prefix: string;
  readonly #definitions = new Map<string, Definition>();
  readonly #instances = new Map<
    string,
    {
      definition: string;
      readonly starts: Map<number, number>;
      readonly levels: Map<number, ListLevelDefinition>;
    }
  >();
  readonly #styles: Styles;

  constructor(numbering: string, styles: Styles) {
    this.prefix = wordPrefixOf(numbering);
    this.#styles = styles;
    this.#read(numbering);
    for (const { definition, starts, levels } of this.#instances.values()) {
      const changed = this.#definitions.get(definition);
      if (changed && (starts.size > 0 || levels.size > 0)) changed.isChanged = true;
    }
  }

  instance(list: string): ListInstance | undefined {
    return this.#instances.get(list);
  }

  /** A level of an instance. */
  level(instance: ListInstance, index: number): ListLevelDefinition | undefined {
    return instance.levels.get(index) ?? this.#definition(instance.definition)?.levels.get(index);
  }

  /** Where a level of an instance begins. */
  start(instance: ListInstance, index: number): number {
    return instance.starts.get(index) ?? this.level(instance, index)?.start ?? 1;
  }

  /** Whether a definition has levels that do not begin anew, and no instance has others. */
  mayGoOn(definition: string): boolean {
    const found = this.#definitions.get(definition);
    if (!found || found.isChanged) return false;
    return [...found.levels.values()].some(({ restart }) => restart !== undefined);
  }

  /** An instance with another beginning or other text at a level; undefined if that is too long. */
  markup(
    id: number,
    instance: ListInstance,
    at: { readonly level: number; readonly start: number | undefined; readonly text: string | undefined },
  ): string | undefined {
    const w = this.prefix;
    const indexes = [...new Set([...instance.levels.keys(), at.level])];
    const levels = indexes.map((index) => [index, this.level(instance, index)] as const);
    if (levels.some(([, level]) => level?.isLong)) return undefined;
    const overrides = levels.map(([index, level]) => {
      const isMeant = index === at.level;
      const text = isMeant ? at.text : undefined;
      const isOwn = text !== undefined || instance.levels.has(index);
      const start = isMeant && at.start !== undefined ? `<${w}startOverride ${w}val="${at.start}"/>` : '';
      const copy = level && isOwn ? this.#copy(level, index, text) : '';
      return `<${w}lvlOverride ${w}ilvl="${index}">${start}${copy}</${w}lvlOverride>`;
    });
    return `<${w}num ${w}numId="${id}"><${w}abstractNumId ${w}val="${instance.definition}"/>${overrides.join('')}</${w}num>`;
  }

  /** A level with the same looks. @param text in place of its own. */
  #copy(level: ListLevelDefinition, index: number, text: string | undefined): string {
    const w = this.prefix;
    const format = numbers.map((each) => level.piece(each)).join('');
    const rest = copied.map((each) =>
      each === 'lvlText' && text !== undefined
        ? `<${w}lvlText ${w}val="${escaped(text)}"/>`
        : level.piece(each),
    );
    const isWritten = text !== undefined && !text.includes(`%${index + 1}`);
    const own = isWritten ? `<${w}numFmt ${w}val="decimal"/>` : format;
    return `<${w}lvl ${w}ilvl="${index}"><${w}start ${w}val="${level.start}"/>${own}${rest.join('')}</${w}lvl>`;
  }

  /** That of a style where it is one. */
  #definition(id: string): Definition | undefined {
    const found = this.#definitions.get(id);
    const list = found?.style === undefined ? undefined : this.#styles.list(found.style)?.list;
    const linked = list === undefined ? undefined : this.#instances.get(list)?.definition;
    return linked === undefined ? found : this.#definitions.get(linked);
  }

  #read(numbering: string): void {
    const w = this.prefix;
    const names = qualified(w, elements);
    names.set('mc:AlternateContent', 'AlternateContent');
    let [definition, list, index]: [Definition | undefined, string, number] = [undefined, '', 0];
    let level: ListLevelDefinition | undefined;
    /** The property of the level that is open, and how many elements are open in the level. */
    let [piece, depth] = [0, 0];
    visitMarkup(numbering, {
      open: (name, attributes, isEmpty, start, end) => {
        const local = names.get(name);
        const read = (attribute: string) => attributeOf(attributes, w + attribute) ?? '';
        const number = () => (/^\d{1,5}$/.test(read('val')) ? Number(read('val')) : undefined);
        if (level && depth === 0) {
          piece = start;
          if (isEmpty && local !== undefined) level.keep(local, numbering.slice(start, end));
        }
        if (level && !isEmpty) depth += 1;
        switch (local) {
          case 'abstractNum':
            definition = { levels: new Map(), style: undefined, isChanged: false };
            [list, level] = ['', undefined];
            this.#definitions.set(read('abstractNumId'), definition);
            break;
          case 'num':
            [definition, level, list] = [undefined, undefined, read('numId')];
            if (/^\d{1,9}$/.test(list)) this.lastId = Math.max(this.lastId, Number(list));
            this.#instances.set(list, { definition: '', starts: new Map(), levels: new Map() });
            break;
          case 'abstractNumId': {
            const instance = this.#instances.get(list);
            if (instance) instance.definition = read('val');
            break;
          }
          case 'numStyleLink':
            if (definition) definition.style = read('val');
            break;
          case 'lvlOverride':
            index = Number(read('ilvl'));
            break;
          case 'startOverride':
            if (index < LEVELS) this.#instances.get(list)?.starts.set(index, number() ?? 1);
            break;
          case 'lvl':
            if (definition) index = Number(read('ilvl'));
            if (!(index < LEVELS)) break;
            [level, depth] = [new ListLevelDefinition(), 0];
            (definition ?? this.#instances.get(list))?.levels.set(index, level);
            if (isEmpty) level = undefined;
            break;
          default:
            if (level && local !== undefined) readLevel(level, local, attributes, w);
        }
      },
      close: (name, _, end) => {
        const local = names.get(name);
        if (local === 'lvl') level = undefined;
        if (!level) return;
        depth -= 1;
        if (depth === 0 && local !== undefined) level.keep(local, numbering.slice(piece, end));
      },
    });
  }
}

function readLevel(level: ListLevelDefinition, local: string, attributes: string, w: string): void {
  const value = attributeOf(attributes, `${w}val`);
  const number = /^\d{1,5}$/.test(value ?? '') ? Number(value) : undefined;
  if (local === 'start') level.start = number ?? 1;
  else if (local === 'lvlRestart') level.restart = number;
  // Each item reads it, and a longer level is not copied.
  else if (local === 'lvlText') level.text = (value ?? '').slice(0, MAX_LEVEL);
  else if (local === 'isLgl') level.isLegal = isOn(attributes, `${w}val`);
  else if (local === 'numFmt' && level.format === 'decimal')
    level.format = numberFormat(value ?? 'decimal', attributeOf(attributes, `${w}format`));
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
