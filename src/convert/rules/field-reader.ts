/**
 * Reads the fields of an XML part: simple ones (`w:fldSimple`) and those of three characters (`w:fldChar`), whose instruction may be
 * cut anywhere. Reads elements of any namespace, so that no field that LibreOffice would understand is missed.
 */
import { type Attribute, attributesIn } from '../document/attributes.ts';
import type { MarkupVisitor } from '../document/markup.ts';
import { withoutReferences } from '../document/markup.ts';
import { dependsOnPage, MAX_CODE } from '../document/page-expressions.ts';
import { localName } from '../document/tags.ts';

/** Fields inside fields; those that are deeper stay as they are. */
const MAX_DEPTH = 10_000;
/** Elements around a field whose names are compared at its parts. */
const MAX_PATH = 8;
/** Of a result that is compared. */
const MAX_RESULT = 200;
/** Of properties of a run that each separator in it repeats. */
export const MAX_REPEATED = 2_000;

/** Elements with properties, which have elements of many namespaces. */
const PROPERTIES = /(?:Pr|ffData)$/;
/**
 * Elements that every reader understands alike between the begin of a field and its result. All others, and those of another
 * prefix, make it doubtful which pieces of its instruction LibreOffice puts together.
 */
const ordinary: ReadonlySet<string> = new Set([
  ...['p', 'r', 'instrText', 'fldChar', 'fldSimple', 't', 'tab', 'br', 'noBreakHyphen', 'softHyphen'],
  ...['lastRenderedPageBreak', 'ins', 'hyperlink', 'smartTag', 'sdt', 'sdtContent'],
  ...['bookmarkStart', 'bookmarkEnd', 'proofErr'],
]);
/** LibreOffice reads deleted instructions as others. */
const instructions: ReadonlySet<string> = new Set(['instrText', 'delInstrText']);
/** Elements other than text that a result may have. */
const contents: ReadonlySet<string> = new Set([
  ...['sym', 'drawing', 'pict', 'object', 'noBreakHyphen', 'tab', 'ptab', 'br', 'cr', 'ruby', 'oMath'],
]);

export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A field, as far as it has been read. */
export interface Field {
  /** Its own instruction up to {@link MAX_CODE}, with each field inside it in braces. */
  code: string;
  /** Where its first letter is; undefined while it has none. */
  start: number | undefined;
  /** Its stored result has begun, and whether there is something in it. */
  result: 'none' | 'empty' | 'some';
  /** The beginning of the text of its result. */
  resultText: string;
  /** Texts of its result; undefined if it has more than text. */
  resultTexts: Range[] | undefined;
  /** Word works it out when it opens the document. */
  readonly dirty: boolean;
  /** The prefix of its elements. */
  readonly prefix: string;
  /** Whether LibreOffice may put other pieces of its instruction together than we do. */
  isDoubtful: boolean;
  /** Behind its first character; undefined for a simple field. */
  readonly begin: number | undefined;
  /** The value of the instruction of a simple field, and where its end tag begins. */
  readonly simple: { readonly value: Range; readonly isEmpty: boolean; readonly tagEnd: number } | undefined;
  /** Between its instruction and its result, the tag; undefined if it has none. */
  separator: Range | undefined;
  /** Properties of the run with that tag, as written; undefined if it cannot be a run of its own. */
  separatorProperties: string | undefined;
  /** What is between its first character and its separator may be replaced by other content of a run. */
  isReplaceable: boolean;
  /** A paragraph ends in its instruction, or in its result. */
  instructionHasParagraphs: boolean;
  resultHasParagraphs: boolean;
  /** Its instruction has text that is no instruction, or other content. */
  hasText: boolean;
  hasObjects: boolean;
  /** Its instruction has fields. */
  hasFields: boolean;
  /** Number of fields around it, or of links. */
  readonly depth: number;
  readonly isInLink: boolean;
  readonly path: readonly string[];
  /** Number of open elements where it began, and the names of the innermost. */
  readonly level: number;
  /** It begins and ends in the same run of a paragraph, or in runs beside each other. */
  isOfRuns: boolean;
  /** Properties of the run with its last character, as written; empty if it has none. */
  runProperties: string;
}

/** Who is told of the fields of a part. */
export interface FieldReceiver {
  /** An instruction, or a piece of one, in a field or not. */
  piece?(text: string, position: number, field: Field | undefined): void;
  /** The instruction of the field is complete, and its result begins. */
  result?(field: Field): void;
  /**
   * The end of a field.
   *
   * @param end the last character's tag or, of a simple field, its end tag.
   */
  end(field: Field, end: Range): void;
  /** Any other element, by its local name. */
  open?(local: string, attributes: string, attributesAt: number): void;
  /** The end of a run. */
  runEnd?(end: number): void;
}

export class FieldReader implements MarkupVisitor {
  /** Local name of the root element. */
  root = '';
  readonly #receiver: FieldReceiver;
  readonly #open: Field[] = [];
  /** Number of open fields nested deeper than the greatest depth. */
  #deeper = 0;
  #inside: 'text' | 'instruction' | undefined;
  /** Number of open elements inside an instruction, and of open elements with properties. */
  #insideInstruction = 0;
  #properties = 0;
  #links = 0;
  /** Names of the open elements. */
  readonly #path: string[] = [];
  /** The run that began last. */
  #run: { properties: string; start: number } | undefined;
  #part = '';

  constructor(receiver: FieldReceiver) {
    this.#receiver = receiver;
  }

  /** Fields that have begun and not ended. */
  get unfinished(): readonly Field[] {
    return this.#open;
  }

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = localName(name);
    if (this.root === '') this.root = local;
    const attributesAt = start + '<'.length + name.length;
    this.#doubt(name, local, attributes);
    if (!isEmpty) {
      this.#path.push(name);
      if (PROPERTIES.test(local)) this.#properties += 1;
      if (local === 'hyperlink') this.#links += 1;
    }
    if (this.#inside === 'instruction') {
      if (!isEmpty) this.#insideInstruction += 1;
      return;
    }
    if (local === 'r') this.#run = { properties: '', start: -1 };
    else if (local === 'rPr' && this.#run && !isEmpty) this.#run.start = start;
    if (local === 'fldSimple') this.#readSimple(name, attributes, attributesAt, isEmpty, end);
    else if (local === 'fldChar') this.#readCharacter(name, attributes, start, end);
    else if (instructions.has(local)) this.#inside = isEmpty ? undefined : 'instruction';
    else if (local === 't') this.#inside = isEmpty ? undefined : 'text';
    else {
      this.#receiver.open?.(local, attributes, attributesAt);
      if (contents.has(local)) this.#readContent();
      if (local === 'sectPr') this.#refuseReplacement();
    }
  }

  close(name: string, start: number, end: number): void {
    const local = localName(name);
    this.#path.pop();
    const field = this.#open.at(-1);
    if (field && this.#path.length < field.level - MAX_PATH) field.isReplaceable = false;
    if (local === 'hyperlink') this.#links -= 1;
    if (this.#properties > 0 && PROPERTIES.test(local)) this.#properties -= 1;
    if (this.#inside === 'instruction' && this.#insideInstruction > 0) this.#insideInstruction -= 1;
    else if (local === 'fldSimple') this.#end({ start, end });
    else if (instructions.has(local) || local === 't') this.#inside = undefined;
    else if (local === 'p') this.#endParagraph();
    else if (local === 'r') this.#receiver.runEnd?.(end);
    else if (local === 'rPr' && this.#run && this.#run.start >= 0 && this.#run.properties === '')
      this.#run.properties = this.#part.slice(this.#run.start, end);
  }

  text(xml: string, start: number, end: number): void {
    this.#part = xml;
    if (this.#inside === 'instruction') this.#readInstruction(xml.slice(start, end), start);
    else if (this.#inside === 'text') this.#readText(xml, start, end);
  }

  /** Has to be called before the part is visited, for the properties of runs. */
  of(xml: string): this {
    this.#part = xml;
    return this;
  }

  /** Whether an element makes the open field doubtful. */
  #doubt(name: string, local: string, attributes: string): void {
    const field = this.#open.at(-1);
    if (!field || field.isDoubtful || (field.result !== 'none' && local !== 'instrText')) return;
    const isOrdinary =
      ordinary.has(local) &&
      this.#inside !== 'instruction' &&
      name === field.prefix + local &&
      !attributes.includes('xmlns');
    const isProperty = PROPERTIES.test(local) || (this.#properties > 0 && local !== 'instrText');
    if (this.#properties > 0 ? isProperty : isOrdinary || isProperty) return;
    field.isDoubtful = true;
  }

  #readCharacter(name: string, attributes: string, start: number, end: number): void {
    const types = attributesIn(attributes).filter((each) => localName(each.name) === 'fldCharType');
    const type = types.find((each) => prefixOf(each.name) === prefixOf(name)) ?? types[0];
    // Without a prefix of its own, an element has attributes of another.
    const isSure = types.length === 1 && type && [prefixOf(type.name), ''].includes(prefixOf(name));
    const field = this.#open.at(-1);
    if (!isSure && field) field.isDoubtful = true;
    if (type?.value === 'end') this.#end({ start, end });
    else if (type?.value === 'begin') this.#begin(name, attributes, { begin: end, isDoubtful: !isSure });
    else if (type?.value === 'separate' && this.#deeper === 0) this.#beginResult({ start, end });
  }

  #readSimple(
    name: string,
    attributes: string,
    attributesAt: number,
    isEmpty: boolean,
    tagEnd: number,
  ): void {
    const instruction = attributeNamed(attributes, 'instr', name);
    for (const each of attributesIn(attributes)) {
      if (localName(each.name) === 'instr' && each.valueAt !== instruction?.valueAt)
        this.#receiver.piece?.(each.value, attributesAt + each.valueAt, undefined);
    }
    const valueAt = attributesAt + (instruction?.valueAt ?? 0);
    const value = { start: valueAt, end: valueAt + (instruction?.value.length ?? 0) };
    this.#begin(name, attributes, { simple: { value, isEmpty, tagEnd } });
    if (instruction) this.#readInstruction(instruction.value, valueAt);
    this.#beginResult();
    if (isEmpty) this.#end({ start: tagEnd, end: tagEnd });
  }

  #begin(
    name: string,
    attributes: string,
    more: {
      readonly begin?: number;
      readonly simple?: NonNullable<Field['simple']>;
      readonly isDoubtful?: boolean;
    },
  ): void {
    if (this.#open.length === MAX_DEPTH) {
      this.#deeper += 1;
      return;
    }
    this.#open.push({
      code: '',
      start: undefined,
      result: 'none',
      resultText: '',
      resultTexts: [],
      dirty: /^(?:1|true|on)$/.test(attributeNamed(attributes, 'dirty', name)?.value ?? ''),
      prefix: prefixOf(name),
      isDoubtful: more.isDoubtful ?? false,
      begin: more.begin,
      simple: more.simple,
      separator: undefined,
      separatorProperties: undefined,
      isReplaceable: more.begin !== undefined,
      instructionHasParagraphs: false,
      resultHasParagraphs: false,
      hasText: false,
      hasObjects: false,
      hasFields: false,
      depth: this.#open.length,
      isInLink: this.#links > 0,
      path: this.#path.slice(-MAX_PATH),
      level: this.#path.length,
      isOfRuns: false,
      runProperties: '',
    });
  }

  #readInstruction(text: string, position: number): void {
    const field = this.#open.at(-1);
    if (field && this.#deeper === 0 && field.result === 'none') {
      const first = field.start === undefined ? text.search(/\S/) : 0;
      if (first >= 0) {
        field.start ??= position + first;
        this.#addCode(field, text);
      }
    }
    this.#receiver.piece?.(text, position, field);
  }

  #addCode(field: Field, text: string): void {
    if (field.code.length <= MAX_CODE) field.code += text.slice(0, MAX_CODE + 1);
  }

  #readText(xml: string, start: number, end: number): void {
    const field = this.#open.at(-1);
    if (!field || this.#deeper > 0) return;
    if (field.result === 'none') {
      field.hasText = true;
      this.#readInstruction(xml.slice(start, end), start);
      return;
    }
    field.result = 'some';
    const text = xml.slice(start, Math.min(end, start + MAX_RESULT));
    field.resultText = (field.resultText + text).slice(0, MAX_RESULT);
    field.resultTexts?.push({ start, end });
  }

  #readContent(): void {
    const field = this.#open.at(-1);
    if (!field) return;
    if (field.result === 'none') field.hasObjects ||= this.#properties === 0;
    else {
      field.result = 'some';
      field.resultTexts = undefined;
    }
  }

  /** Of the open field; those around it learn of it when it ends. */
  #endParagraph(): void {
    const field = this.#open.at(-1);
    if (!field) return;
    if (field.result === 'none') field.instructionHasParagraphs = true;
    else field.resultHasParagraphs = true;
  }

  #refuseReplacement(): void {
    const field = this.#open.at(-1);
    if (field) field.isReplaceable = false;
  }

  #beginResult(separator?: Range): void {
    const field = this.#open.at(-1);
    if (field?.result !== 'none') return;
    field.result = 'empty';
    field.separator = separator;
    if (separator) {
      field.isReplaceable &&= this.#isAtPath(field);
      field.separatorProperties = this.#propertiesAt(field.prefix);
    }
    this.#receiver.result?.(field);
  }

  /** Those of the run that this point is in, between its other elements. */
  #propertiesAt(prefix: string): string | undefined {
    const properties = this.#run?.properties ?? '';
    return this.#path.at(-1) === `${prefix}r` && properties.length <= MAX_REPEATED ? properties : undefined;
  }

  /** Whether the same elements are open as where the field began. */
  #isAtPath({ path, level }: Field): boolean {
    const now = this.#path.slice(-MAX_PATH);
    return this.#path.length === level && path.every((name, i) => now[i] === name);
  }

  #end(end: Range): void {
    if (this.#deeper > 0) {
      this.#deeper -= 1;
      return;
    }
    const field = this.#open.pop();
    if (!field) return;
    if (field.result === 'none') field.isReplaceable &&= this.#isAtPath(field);
    field.isOfRuns = this.#isAtPath(field) && field.path.slice(-2).map(localName).join('/') === 'p/r';
    field.runProperties = this.#run?.properties ?? '';
    const outer = this.#open.at(-1);
    if (outer) this.#endInside(outer, field);
    this.#receiver.end(field, end);
  }

  /** The result of a nested field is part of the outer result, and its instruction of the outer instruction. */
  #endInside(outer: Field, field: Field): void {
    const hasParagraphs = field.instructionHasParagraphs || field.resultHasParagraphs;
    if (outer.result === 'none') {
      outer.hasFields = true;
      outer.instructionHasParagraphs ||= hasParagraphs;
      outer.isReplaceable &&= field.isReplaceable || field.simple !== undefined;
      outer.hasObjects ||= field.hasObjects;
      this.#addCode(outer, `{${dependsOnPage(field.code) ? field.code : quoted(field.resultText)}}`);
      return;
    }
    if (field.result === 'some') outer.result = 'some';
    outer.resultHasParagraphs ||= hasParagraphs;
    outer.resultText = (outer.resultText + field.resultText).slice(0, MAX_RESULT);
    outer.resultTexts = undefined;
  }
}

/** What is stored of a field, as a code has it. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (each) => `\\${each}`)}"`;
}

/** An instruction with the stored text of the fields inside it in their place; nothing for those that depend on their page. */
export function withInnerResults(code: string): string {
  const stored = code.replace(/\{"((?:[^"\\]|\\.)*)"\}/g, (_, text: string) => text.replace(/["\\]/g, ''));
  let [kept, depth] = ['', 0];
  for (const piece of stored.split(/([{}])/)) {
    if (piece === '{') depth += 1;
    else if (piece === '}') depth = Math.max(0, depth - 1);
    else if (depth === 0) kept += piece;
  }
  return kept;
}

/** The attribute of this local name with the prefix of its element, else the first one. */
function attributeNamed(attributes: string, local: string, element: string): Attribute | undefined {
  const found = attributesIn(attributes).filter(({ name }) => localName(name) === local);
  const own = prefixOf(element) + local;
  return found.find(({ name }) => name === own) ?? found[0];
}

function prefixOf(name: string): string {
  return name.slice(0, name.indexOf(':') + 1);
}

/** The instruction of a field as it is read, from the bytes that are written. */
export function readCode(code: string): string {
  return Buffer.from(withoutReferencesInBytes(code), 'latin1').toString();
}

/** References to characters beyond one byte are rare, and become their UTF-8. */
function withoutReferencesInBytes(code: string): string {
  if (!code.includes('&')) return code;
  return code.replace(/&[^;&]{1,10};/g, (reference) =>
    Buffer.from(withoutReferences(reference)).toString('latin1'),
  );
}

/** Text as it is written in a part, one character a byte. */
export function writtenText(text: string): string {
  const escaped = text.replace(
    /[&<>"]/g,
    (each) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[each] ?? each,
  );
  return Buffer.from(escaped).toString('latin1');
}
