/** What the pages draw: their content streams and those that these use, as a viewer runs them. */
import type { ShownText } from '../objects/parser.ts';
import {
  type Dictionary,
  isArray,
  isDictionary,
  PdfString,
  Reference,
  type Value,
} from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { ByContent, type ContentNumber } from './marked-content.ts';
import { type Operation, OperationReader } from './operations.ts';
import { TooMuch } from './patience.ts';
import { Largest } from './sizes.ts';

/** A place in the file, and what is wrong or noteworthy there. */
export interface Finding {
  readonly where: string;
  readonly what: string;
}

/** A font, and which codes of one byte are shown in it. */
export class FontUse {
  readonly where: string;
  readonly font: Dictionary;
  readonly #shown = new Uint8Array(256);
  readonly #visible = new Uint8Array(256);

  constructor(where: string, font: Dictionary) {
    this.where = where;
    this.font = font;
  }

  show(code: number, isVisible: boolean): void {
    this.#shown[code] = 1;
    if (isVisible) this.#visible[code] = 1;
  }

  get shown(): number[] {
    return codesIn(this.#shown);
  }

  /** Those that are visible somewhere. */
  get visible(): number[] {
    return codesIn(this.#visible);
  }
}

function codesIn(set: Uint8Array): number[] {
  return Array.from(set.keys()).filter((code) => set[code] === 1);
}

/** Marked content, and where it is. */
export class MarkedContent implements ContentNumber {
  /** The last place, if a form has it that is drawn several times. */
  where: string;
  readonly owner: Reference;
  readonly number: number;

  constructor(where: string, owner: Reference, number: number) {
    this.where = where;
    this.owner = owner;
    this.number = number;
  }

  toString(): string {
    return `${this.owner} ${this.number}`;
  }
}

/** A sequence of marked content. */
interface Mark {
  readonly tag: string;
  /** The innermost sequence with a number, this one or around it. */
  readonly content: MarkedContent | undefined;
  /** Whether this one or one around it is an artifact, or has a language. */
  readonly isArtifact: boolean;
  readonly hasLanguage: boolean;
}

interface Colour {
  /** The families that the colour is given in, such as `/DeviceRGB`. */
  readonly families: readonly string[];
}

interface State {
  font: FontUse | undefined;
  renderMode: number;
  fill: Colour;
  stroke: Colour;
}

/** The families that say nothing of how a colour looks, and what pages name that says it. */
const DEVICES = {
  grey: { colour: { families: ['/DeviceGray'] }, calibrated: '/DefaultGray' },
  rgb: { colour: { families: ['/DeviceRGB'] }, calibrated: '/DefaultRGB' },
  cmyk: { colour: { families: ['/DeviceCMYK'] }, calibrated: '/DefaultCMYK' },
};
const CALIBRATED: Colour = { families: [] };
const INVISIBLE = 3;
/** Bytes of content streams that are run, counted each time. */
const MAX_RUN_BYTES = 134_217_728;
/** How deep content streams may use others, and how many graphics states and marks are open. */
const MAX_DEPTH = 50;
const MAX_OPEN = 10_000;
/** Findings of a kind that are kept. */
const MAX_FINDINGS = 100;

export const PRIVATE = /\p{Co}/u;
const SHOWING = ['Tj', 'TJ', "'", '"'];
const FILLING = ['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'];
const STROKING = ['S', 's', 'B', 'B*', 'b', 'b*'];
/** The operators of ISO 32000-1, annex A, and what they draw. */
const OPERATORS = new Map(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg
ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`
    .split(/\s/)
    .map((operator) => [
      operator,
      {
        shows: SHOWING.includes(operator),
        fills: FILLING.includes(operator),
        strokes: STROKING.includes(operator),
      },
    ]),
);

export class Content {
  /** Operands. */
  readonly largest = new Largest();
  readonly unknownOperators: Finding[] = [];
  readonly deepNesting: Finding[] = [];
  readonly missingResources: Finding[] = [];
  readonly inheritedResources: Finding[] = [];
  /** By reference. */
  readonly fonts = new Map<string, FontUse>();
  /** Where each family of uncalibrated colours is used first. */
  readonly deviceColours = new Map<string, string>();
  readonly inlineImages: { readonly where: string; readonly image: Dictionary }[] = [];
  /** Where each rendering intent is used last, by name. */
  readonly intents = new Map<string, string>();
  readonly marked = new ByContent<MarkedContent>();
  /** The first thing drawn outside all marks, per page. */
  readonly unmarked: Finding[] = [];
  readonly artifactsInContent: Finding[] = [];
  readonly contentInArtifacts: Finding[] = [];
  /** Where text has no language of its own first, by the marked content that it is in. */
  readonly textInMarks = new Map<MarkedContent | undefined, string>();
  /** Replacement texts with characters for private use (Unicode 16, 23.5). */
  readonly privateTexts: Finding[] = [];
  /** The marked content that each form is part of; of several, the first ones. */
  readonly forms = new Map<
    string,
    { readonly form: Reference; readonly parents: Set<MarkedContent | string> }
  >();
  readonly #pdf: CheckedPdf;
  /** Resources that forms, fonts and pages have from what uses them. */
  readonly #borrowed = new WeakSet<Dictionary>();
  /** Patterns and masks, which are run once. */
  readonly #once = new Set<string>();
  #bytesLeft = MAX_RUN_BYTES;
  #depth = 0;

  /** @throws Error if a content stream cannot be read; TooMuch. */
  constructor(pdf: CheckedPdf) {
    this.#pdf = pdf;
    for (const { reference, dictionary, where } of pdf.pages) {
      const streams = pdf.list(dictionary['/Contents']).map((stream) => pdf.streamData(stream));
      const resources = pdf.dictionary(dictionary['/Resources']);
      const isOwn = '/Resources' in pdf.dictionary(reference);
      const run = new Run(this, pdf, where, reference);
      run.stream(
        Buffer.concat(streams.flatMap((data) => [data, Buffer.from('\n')])),
        isOwn ? resources : this.borrowed(resources),
      );
      for (const annotation of pdf.array(dictionary['/Annots'])) this.#appearances(annotation, where);
    }
  }

  /** Runs a stream. @throws Error if it cannot be read; TooMuch. */
  run(data: Buffer, run: (operation: Operation) => void): void {
    this.#bytesLeft -= data.length;
    if (this.#bytesLeft < 0) throw new TooMuch('the pages draw too much');
    if (this.#depth === MAX_DEPTH) throw new TooMuch('content streams are nested too deeply');
    this.#depth += 1;
    try {
      const reader = new OperationReader(data);
      for (let operation = reader.next(); operation; operation = reader.next()) {
        this.#pdf.patience.step();
        run(operation);
      }
    } finally {
      this.#depth -= 1;
    }
  }

  /** Marked content that is here. */
  markedContent(where: string, owner: Reference, number: number): MarkedContent {
    const known = this.marked.get({ owner, number });
    if (known) {
      known.where = where;
      return known;
    }
    const found = new MarkedContent(where, owner, number);
    this.marked.set(found, found);
    return found;
  }

  /** Resources that are not those of the stream which uses them. */
  borrowed(resources: Dictionary): Dictionary {
    const copy = { ...resources };
    this.#borrowed.add(copy);
    return copy;
  }

  isBorrowed(resources: Dictionary): boolean {
    return this.#borrowed.has(resources);
  }

  /** Counts an operand for the limits. */
  measure(operand: Value, place: { readonly where: string }): void {
    this.largest.measure(operand, place);
    if (isArray(operand)) for (const item of operand) this.measure(item, place);
  }

  /** Whether a pattern or mask has not been run. */
  isNew(stream: Reference): boolean {
    if (this.#once.has(String(stream))) return false;
    this.#once.add(String(stream));
    return true;
  }

  #appearances(annotation: Value, page: string): void {
    const pdf = this.#pdf;
    const appearance = pdf.dictionary(pdf.dictionary(annotation)['/AP'])['/N'];
    const streams = pdf.isStream(appearance) ? [appearance] : Object.values(pdf.dictionary(appearance));
    for (const stream of streams) {
      if (!pdf.isStream(stream)) continue;
      const run = new Run(this, pdf, `${page}, appearance ${stream}`, stream, true);
      run.stream(pdf.streamData(stream), pdf.dictionary(pdf.dictionary(stream)['/Resources']));
    }
  }
}

/** One page, appearance, pattern or glyph. */
class Run {
  readonly #facts: Content;
  readonly #pdf: CheckedPdf;
  readonly #where: string;
  readonly #place: { readonly where: string };
  /** Appearances belong to their annotations, patterns and glyphs to what uses them. */
  readonly #isMarked: boolean;
  readonly #marks: Mark[] = [];
  #owner: Reference;
  #state: State = { font: undefined, renderMode: 0, fill: DEVICES.grey.colour, stroke: DEVICES.grey.colour };
  #saved: State[] = [];
  readonly #running = new Set<number>();
  #hasUnmarked = false;

  constructor(facts: Content, pdf: CheckedPdf, where: string, owner: Reference, isMarked = false) {
    this.#facts = facts;
    this.#pdf = pdf;
    this.#where = where;
    this.#place = { where };
    this.#owner = owner;
    this.#isMarked = isMarked;
  }

  stream(data: Buffer, resources: Dictionary): void {
    this.#facts.run(data, (operation) => this.#run(operation, resources));
  }

  #run(operation: Operation, resources: Dictionary): void {
    const { operator, operands, shown } = operation;
    const state = this.#state;
    const last = operands.at(-1);
    if (shown) this.#facts.largest.measureText(shown, this.#place);
    for (const operand of operands) this.#facts.measure(operand, this.#place);
    const effects = OPERATORS.get(operator);
    if (effects === undefined) this.#find(this.#facts.unknownOperators, operator);
    else if (effects.shows) this.#show(operation);
    if (effects?.fills) this.#paint(state.fill);
    if (effects?.strokes) this.#paint(state.stroke);
    switch (operator) {
      case 'q':
        if (this.#saved.length === MAX_OPEN) throw new TooMuch('too many graphics states are open');
        this.#saved.push({ ...state });
        if (this.#saved.length === 29) this.#find(this.#facts.deepNesting, 'q is nested 29 times');
        break;
      case 'Q':
        this.#state = this.#saved.pop() ?? state;
        break;
      case 'Tf':
        this.#setFont(this.#resource(resources, '/Font', operands[0]), String(operands[0]), resources);
        break;
      case 'Tr':
        state.renderMode = Number(last);
        break;
      case 'g':
        state.fill = this.#device('grey', resources);
        break;
      case 'G':
        state.stroke = this.#device('grey', resources);
        break;
      case 'rg':
        state.fill = this.#device('rgb', resources);
        break;
      case 'RG':
        state.stroke = this.#device('rgb', resources);
        break;
      case 'k':
        state.fill = this.#device('cmyk', resources);
        break;
      case 'K':
        state.stroke = this.#device('cmyk', resources);
        break;
      case 'cs':
        state.fill = this.#named(last, resources);
        break;
      case 'CS':
        state.stroke = this.#named(last, resources);
        break;
      case 'scn':
      case 'SCN':
        if (typeof last === 'string') this.#pattern(this.#resource(resources, '/Pattern', last));
        break;
      case 'sh': {
        const shading = this.#pdf.dictionary(this.#resource(resources, '/Shading', last));
        this.#paint(this.#space(shading['/ColorSpace'], resources));
        break;
      }
      case 'gs':
        this.#setGraphicsState(this.#pdf.dictionary(this.#resource(resources, '/ExtGState', last)));
        break;
      case 'ri':
        this.#facts.intents.set(String(last), this.#where);
        break;
      case 'BI':
        this.#inlineImage(last as Dictionary, resources);
        break;
      case 'Do':
        this.#external(this.#resource(resources, '/XObject', last), String(last), resources);
        break;
      case 'BMC':
        this.#begin(String(last), {});
        break;
      case 'BDC':
        this.#begin(String(operands[0]), this.#properties(last, resources));
        break;
      case 'EMC':
        this.#marks.pop();
    }
  }

  #setFont(font: Value | undefined, name: string, around: Dictionary): void {
    const dictionary = this.#pdf.dictionary(font);
    const key = font instanceof Reference ? String(font) : `${this.#where} ${name}`;
    this.#state.font = this.#facts.fonts.get(key);
    if (this.#state.font || Object.keys(dictionary).length === 0) return;
    this.#state.font = new FontUse(`font ${name} (${key})`, dictionary);
    this.#facts.fonts.set(key, this.#state.font);
    if (this.#pdf.name(dictionary['/Subtype']) !== '/Type3') return;
    const resources = this.#own(dictionary, around);
    for (const glyph of Object.values(this.#pdf.dictionary(dictionary['/CharProcs']))) {
      if (!this.#pdf.isStream(glyph)) continue;
      const run = new Run(this.#facts, this.#pdf, `${this.#where}, font ${name}`, glyph, true);
      run.stream(this.#pdf.streamData(glyph), resources);
    }
  }

  #show({ operands, shown }: Operation): void {
    const { font, renderMode, fill, stroke } = this.#state;
    const isVisible = renderMode !== INVISIBLE;
    const isAny = shown ? showText(shown, font, isVisible) : showStrings(operands, font, isVisible);
    if (!isAny) return;
    if (isVisible && renderMode % 4 !== 1) this.#useColour(fill);
    if (isVisible && renderMode % 4 !== 0) this.#useColour(stroke);
    const mark = this.#marks.at(-1);
    if (!mark?.hasLanguage && !mark?.isArtifact && !this.#isMarked) {
      const texts = this.#facts.textInMarks;
      if (!texts.has(mark?.content)) texts.set(mark?.content, this.#where);
    }
    this.#draw('text');
  }

  #paint(colour: Colour): void {
    this.#useColour(colour);
    this.#draw('a shape');
  }

  #useColour({ families }: Colour): void {
    for (const family of families) {
      if (!this.#facts.deviceColours.has(family)) this.#facts.deviceColours.set(family, this.#where);
    }
  }

  #draw(what: string): void {
    if (this.#isMarked || this.#hasUnmarked) return;
    const mark = this.#marks.at(-1);
    if (mark?.isArtifact || mark?.content !== undefined) return;
    this.#hasUnmarked = true;
    this.#find(this.#facts.unmarked, what);
  }

  #device(device: keyof typeof DEVICES, resources: Dictionary): Colour {
    const { colour, calibrated } = DEVICES[device];
    return calibrated in this.#pdf.dictionary(resources['/ColorSpace']) ? CALIBRATED : colour;
  }

  /** The colour space of an operator. */
  #named(name: Value | undefined, resources: Dictionary): Colour {
    const isFamily = /^\/(Device(Gray|RGB|CMYK)|Pattern)$/.test(String(name));
    return this.#space(isFamily ? name : this.#resource(resources, '/ColorSpace', name), resources);
  }

  #space(value: Value | undefined, resources: Dictionary): Colour {
    const spaces = this.#pdf.dictionary(resources['/ColorSpace']);
    const named = typeof value === 'string' && value in spaces ? spaces[value] : value;
    const [kind, base, alternate] = this.#pdf.list(named);
    const family = this.#pdf.name(kind) ?? '';
    if (/^\/(DeviceGray|G)$/.test(family)) return this.#device('grey', resources);
    if (/^\/(DeviceRGB|RGB)$/.test(family)) return this.#device('rgb', resources);
    if (/^\/(DeviceCMYK|CMYK)$/.test(family)) return this.#device('cmyk', resources);
    if (/^\/(Indexed|I|Pattern)$/.test(family)) return this.#space(base, resources);
    if (/^\/(Separation|DeviceN)$/.test(family)) return this.#space(alternate, resources);
    return CALIBRATED;
  }

  #pattern(pattern: Value | undefined): void {
    const dictionary = this.#pdf.dictionary(pattern);
    const resources = this.#pdf.dictionary(dictionary['/Resources']);
    if (dictionary['/Shading'] !== undefined) {
      const shading = this.#pdf.dictionary(dictionary['/Shading']);
      this.#useColour(this.#space(shading['/ColorSpace'], resources));
    } else if (this.#pdf.isStream(pattern) && this.#facts.isNew(pattern)) {
      const run = new Run(this.#facts, this.#pdf, `${this.#where}, pattern ${pattern}`, pattern, true);
      run.stream(this.#pdf.streamData(pattern), resources);
    }
  }

  #setGraphicsState(dictionary: Dictionary): void {
    const [font] = this.#pdf.array(dictionary['/Font']);
    if (font !== undefined) this.#setFont(font, 'of a graphics state', {});
    const group = this.#pdf.dictionary(dictionary['/SMask'])['/G'];
    if (this.#pdf.isStream(group) && this.#facts.isNew(group))
      this.#form(group, new Run(this.#facts, this.#pdf, this.#where, group, true), {});
  }

  #inlineImage(image: Dictionary, resources: Dictionary): void {
    if (this.#facts.inlineImages.length < MAX_FINDINGS)
      this.#facts.inlineImages.push({ where: this.#where, image });
    const isMask = (image['/ImageMask'] ?? image['/IM']) === true;
    this.#paint(isMask ? this.#state.fill : this.#space(image['/ColorSpace'] ?? image['/CS'], resources));
  }

  #external(object: Value | undefined, name: string, resources: Dictionary): void {
    const dictionary = this.#pdf.dictionary(object);
    if (!this.#pdf.isStream(object)) return;
    if (this.#pdf.name(dictionary['/Subtype']) === '/Image') {
      const isMask = dictionary['/ImageMask'] === true;
      this.#paint(isMask ? this.#state.fill : this.#space(dictionary['/ColorSpace'], resources));
    }
    if (this.#pdf.name(dictionary['/Subtype']) !== '/Form' || this.#running.has(object.number)) return;
    const mark = this.#marks.at(-1);
    const known = this.#facts.forms.get(String(object)) ?? { form: object, parents: new Set() };
    if (known.parents.size < 3)
      known.parents.add(mark ? (mark.content ?? mark.tag) : `${this.#where} ${name}`);
    this.#facts.forms.set(String(object), known);
    this.#form(object, this, resources);
  }

  #form(form: Reference, run: Run, around: Dictionary): void {
    const dictionary = this.#pdf.dictionary(form);
    const [owner, state, saved] = [run.#owner, run.#state, run.#saved];
    if (dictionary['/StructParents'] !== undefined) run.#owner = form;
    run.#state = { ...state };
    run.#saved = [];
    run.#running.add(form.number);
    run.stream(this.#pdf.streamData(form), this.#own(dictionary, around));
    run.#running.delete(form.number);
    run.#owner = owner;
    run.#state = state;
    run.#saved = saved;
  }

  #begin(tag: string, properties: Dictionary): void {
    const number = properties['/MCID'];
    const around = this.#marks.at(-1);
    let content = around?.content;
    if (typeof number === 'number') {
      content = this.#facts.markedContent(this.#where, this.#owner, number);
      if (around?.isArtifact) this.#find(this.#facts.contentInArtifacts, `content ${number}`);
    }
    if (tag === '/Artifact' && around?.content !== undefined) {
      this.#find(this.#facts.artifactsInContent, 'an artifact');
    }
    if (PRIVATE.test(this.#pdf.text(properties['/ActualText']) ?? ''))
      this.#find(this.#facts.privateTexts, 'a text of marked content');
    if (this.#marks.length === MAX_OPEN) throw new TooMuch('too much marked content is open');
    this.#marks.push({
      tag,
      content,
      isArtifact: tag === '/Artifact' || around?.isArtifact === true,
      hasLanguage: properties['/Lang'] !== undefined || around?.hasLanguage === true,
    });
  }

  #properties(operand: Value | undefined, resources: Dictionary): Dictionary {
    if (typeof operand !== 'string') return isDictionary(operand) ? operand : {};
    return this.#pdf.dictionary(this.#resource(resources, '/Properties', operand));
  }

  #resource(resources: Dictionary, kind: string, name: Value | undefined): Value | undefined {
    const value = this.#pdf.dictionary(resources[kind])[String(name)];
    if (value === undefined) this.#find(this.#facts.missingResources, `${kind} ${name}`);
    else if (this.#facts.isBorrowed(resources)) {
      this.#find(this.#facts.inheritedResources, `${kind} ${name} is not among its own`);
    }
    return value;
  }

  /** The resources of a form or font; without any, it has those of what uses it (ISO 32000-1, 7.8.3). */
  #own(dictionary: Dictionary, around: Dictionary): Dictionary {
    if ('/Resources' in dictionary) return this.#pdf.dictionary(dictionary['/Resources']);
    return this.#facts.borrowed(around);
  }

  #find(list: Finding[], what: string): void {
    if (list.length < MAX_FINDINGS) list.push({ where: this.#where, what });
  }
}

/** Shows what an array of strings and numbers does, and says whether there is something in it. */
function showText({ codes, codeCount }: ShownText, font: FontUse | undefined, isVisible: boolean): boolean {
  for (let index = 0; index < codeCount; index += 1) font?.show(codes[index] as number, isVisible);
  return codeCount > 0;
}

/** Shows the strings among operands, and says whether there is something in them. */
function showStrings(operands: readonly Value[], font: FontUse | undefined, isVisible: boolean): boolean {
  let isAny = false;
  for (const operand of operands) {
    if (operand instanceof PdfString) {
      const { bytes } = operand;
      for (let index = 0; index < bytes.length; index += 1) font?.show(bytes.charCodeAt(index), isVisible);
      isAny ||= bytes !== '';
    } else if (isArray(operand)) isAny = showStrings(operand, font, isVisible) || isAny;
  }
  return isAny;
}
