/** What the pages draw: their content streams and those that these use, as a viewer runs them. */
import { type Dictionary, isDictionary, type PdfFile, type Value } from './pdf-file.ts';
import { type Operand, type Operation, operations } from './tokens.ts';

/** A place in the file, and what is wrong or noteworthy there. */
export interface Finding {
  readonly where: string;
  readonly what: string;
}

export interface FontUse {
  readonly where: string;
  readonly font: Dictionary;
  /** Strings that are shown, and whether they are visible. */
  readonly shown: { readonly bytes: Buffer; readonly isVisible: boolean }[];
}

/** A sequence of marked content. */
interface Mark {
  readonly tag: string;
  /** The page or form whose number it is, and the number; undefined if it has none. */
  readonly content: string | undefined;
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

const BLACK: Colour = { families: ['/DeviceGray'] };
const INVISIBLE = 3;

const SHOWING = ['Tj', 'TJ', "'", '"'];
const FILLING = ['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'];
const STROKING = ['S', 's', 'B', 'B*', 'b', 'b*'];
/** The operators of ISO 32000-1, annex A. */
const OPERATORS = new Set(
  `b B b* B* BDC BI BMC BT BX c cm CS cs d d0 d1 Do DP EI EMC ET EX f F f* G g gs h i ID j J K k l m M MP n q Q re RG rg
ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "`.split(/\s/),
);

export class Content {
  readonly unknownOperators: Finding[] = [];
  readonly deepNesting: Finding[] = [];
  readonly missingResources: Finding[] = [];
  readonly inheritedResources: Finding[] = [];
  /** By reference. */
  readonly fonts = new Map<string, FontUse>();
  /** Where each family of uncalibrated colours is used first. */
  readonly deviceColours = new Map<string, string>();
  readonly inlineImages: { readonly where: string; readonly image: Dictionary }[] = [];
  /** Names of rendering intents. */
  readonly intents: { readonly where: string; readonly name: string }[] = [];
  /** Marked content by {@link markedContent}, and where it is. */
  readonly marked = new Map<string, string>();
  /** The first thing drawn outside all marks, per page. */
  readonly unmarked: Finding[] = [];
  readonly artifactsInContent: Finding[] = [];
  readonly contentInArtifacts: Finding[] = [];
  /** Text outside elements and without a language of its own. */
  readonly textInMarks: { readonly content: string | undefined; readonly where: string }[] = [];
  /** The marked content that each form is part of. */
  readonly forms = new Map<string, Set<string>>();
  readonly #pdf: PdfFile;

  /** @throws Error if a content stream cannot be read. */
  constructor(pdf: PdfFile) {
    this.#pdf = pdf;
    for (const { reference, dictionary, where } of pdf.pages) {
      const streams = pdf.list(dictionary['/Contents']).map((stream) => pdf.streamData(stream));
      const own = pdf.dictionary(pdf.get(reference))['/Resources'];
      const resources = pdf.dictionary(dictionary['/Resources']);
      const run = new Run(this, pdf, where, reference);
      if (own === undefined && Object.keys(resources).length > 0) {
        this.inheritedResources.push({ where, what: 'its resources are those of the page tree' });
      }
      run.stream(Buffer.concat(streams.flatMap((data) => [data, Buffer.from('\n')])), resources);
      for (const annotation of pdf.array(dictionary['/Annots'])) this.#appearances(annotation, where);
    }
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

/** Names a sequence of marked content by its number and the page or form that has it. */
export function markedContent(owner: string, number: number): string {
  return `${owner} ${number}`;
}

/** One page, appearance, pattern or glyph. */
class Run {
  readonly #facts: Content;
  readonly #pdf: PdfFile;
  readonly #where: string;
  /** Appearances belong to their annotations, patterns and glyphs to what uses them. */
  readonly #isMarked: boolean;
  readonly #marks: Mark[] = [];
  #owner: string;
  #state: State = { font: undefined, renderMode: 0, fill: BLACK, stroke: BLACK };
  readonly #saved: State[] = [];
  readonly #running = new Set<string>();
  #hasUnmarked = false;

  constructor(facts: Content, pdf: PdfFile, where: string, owner: string, isMarked = false) {
    this.#facts = facts;
    this.#pdf = pdf;
    this.#where = where;
    this.#owner = owner;
    this.#isMarked = isMarked;
  }

  stream(data: Buffer, resources: Dictionary): void {
    for (const operation of operations(data)) this.#run(operation, resources);
  }

  #run({ operator, operands }: Operation, resources: Dictionary): void {
    const state = this.#state;
    const last = operands.at(-1);
    if (!OPERATORS.has(operator)) this.#facts.unknownOperators.push(this.#finding(operator));
    if (SHOWING.includes(operator)) this.#show(operands);
    if (FILLING.includes(operator)) this.#paint(state.fill);
    if (STROKING.includes(operator)) this.#paint(state.stroke);
    switch (operator) {
      case 'q':
        this.#saved.push({ ...state });
        if (this.#saved.length === 29) this.#facts.deepNesting.push(this.#finding('q is nested 29 times'));
        break;
      case 'Q':
        this.#state = this.#saved.pop() ?? state;
        break;
      case 'Tf':
        this.#setFont(this.#resource(resources, '/Font', operands[0]), String(operands[0]));
        break;
      case 'Tr':
        state.renderMode = Number(last);
        break;
      case 'g':
        state.fill = this.#device('/DeviceGray', resources);
        break;
      case 'G':
        state.stroke = this.#device('/DeviceGray', resources);
        break;
      case 'rg':
        state.fill = this.#device('/DeviceRGB', resources);
        break;
      case 'RG':
        state.stroke = this.#device('/DeviceRGB', resources);
        break;
      case 'k':
        state.fill = this.#device('/DeviceCMYK', resources);
        break;
      case 'K':
        state.stroke = this.#device('/DeviceCMYK', resources);
        break;
      case 'cs':
        state.fill = this.#space(String(last), resources);
        break;
      case 'CS':
        state.stroke = this.#space(String(last), resources);
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
        this.#facts.intents.push({ where: this.#where, name: String(last) });
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

  #setFont(font: Value | undefined, name: string): void {
    const dictionary = this.#pdf.dictionary(font);
    const key = typeof font === 'string' ? font : `${this.#where} ${name}`;
    this.#state.font = this.#facts.fonts.get(key);
    if (this.#state.font || Object.keys(dictionary).length === 0) return;
    this.#state.font = { where: `font ${name} (${key})`, font: dictionary, shown: [] };
    this.#facts.fonts.set(key, this.#state.font);
    if (this.#pdf.name(dictionary['/Subtype']) !== '/Type3') return;
    const resources = this.#pdf.dictionary(dictionary['/Resources']);
    for (const glyph of Object.values(this.#pdf.dictionary(dictionary['/CharProcs']))) {
      const run = new Run(this.#facts, this.#pdf, `${this.#where}, font ${name}`, String(glyph), true);
      run.stream(this.#pdf.streamData(glyph), resources);
    }
  }

  #show(operands: readonly Operand[]): void {
    const { font, renderMode, fill, stroke } = this.#state;
    const isVisible = renderMode !== INVISIBLE;
    const strings = operands.flat().filter((item): item is Buffer => Buffer.isBuffer(item));
    for (const bytes of strings) font?.shown.push({ bytes, isVisible });
    if (strings.every(({ length }) => length === 0)) return;
    if (isVisible && renderMode % 4 !== 1) this.#useColour(fill);
    if (isVisible && renderMode % 4 !== 0) this.#useColour(stroke);
    if (!this.#marks.some(({ hasLanguage }) => hasLanguage) && !this.#isArtifact && !this.#isMarked) {
      const content = this.#marks.findLast((mark) => mark.content !== undefined)?.content;
      this.#facts.textInMarks.push({ content, where: this.#where });
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
    if (this.#isArtifact || this.#marks.some(({ content }) => content !== undefined)) return;
    this.#hasUnmarked = true;
    this.#facts.unmarked.push(this.#finding(what));
  }

  get #isArtifact(): boolean {
    return this.#marks.some(({ tag }) => tag === '/Artifact');
  }

  #device(family: string, resources: Dictionary): Colour {
    const spaces = this.#pdf.dictionary(resources['/ColorSpace']);
    return { families: spaces[family.replace('Device', 'Default')] === undefined ? [family] : [] };
  }

  #space(value: Value | undefined, resources: Dictionary): Colour {
    const spaces = this.#pdf.dictionary(resources['/ColorSpace']);
    const named = typeof value === 'string' && value in spaces ? spaces[value] : value;
    const [kind, base, alternate] = this.#pdf.list(named);
    const family = this.#pdf.name(kind) ?? '';
    if (/^\/(DeviceGray|G)$/.test(family)) return this.#device('/DeviceGray', resources);
    if (/^\/(DeviceRGB|RGB)$/.test(family)) return this.#device('/DeviceRGB', resources);
    if (/^\/(DeviceCMYK|CMYK)$/.test(family)) return this.#device('/DeviceCMYK', resources);
    if (/^\/(Indexed|I|Pattern)$/.test(family)) return this.#space(base, resources);
    if (/^\/(Separation|DeviceN)$/.test(family)) return this.#space(alternate, resources);
    return { families: [] };
  }

  #pattern(pattern: Value | undefined): void {
    const dictionary = this.#pdf.dictionary(pattern);
    const resources = this.#pdf.dictionary(dictionary['/Resources']);
    if (dictionary['/Shading'] !== undefined) {
      const shading = this.#pdf.dictionary(dictionary['/Shading']);
      this.#useColour(this.#space(shading['/ColorSpace'], resources));
    } else if (this.#pdf.isStream(pattern)) {
      const run = new Run(this.#facts, this.#pdf, `${this.#where}, pattern ${pattern}`, pattern, true);
      run.stream(this.#pdf.streamData(pattern), resources);
    }
  }

  #setGraphicsState(dictionary: Dictionary): void {
    const [font] = this.#pdf.array(dictionary['/Font']);
    if (font !== undefined) this.#setFont(font, 'of a graphics state');
    const group = this.#pdf.dictionary(dictionary['/SMask'])['/G'];
    if (this.#pdf.isStream(group))
      this.#form(group, new Run(this.#facts, this.#pdf, this.#where, group, true));
  }

  #inlineImage(image: Dictionary, resources: Dictionary): void {
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
    if (this.#pdf.name(dictionary['/Subtype']) !== '/Form' || this.#running.has(object)) return;
    const parents = this.#facts.forms.get(object) ?? new Set();
    parents.add(this.#marks.map(({ tag, content }) => content ?? tag).join(' ') || `${this.#where} ${name}`);
    this.#facts.forms.set(object, parents);
    this.#form(object, this);
  }

  #form(form: string, run: Run): void {
    const dictionary = this.#pdf.dictionary(form);
    const [owner, state] = [run.#owner, run.#state];
    if (dictionary['/StructParents'] !== undefined) run.#owner = form;
    run.#state = { ...state };
    run.#running.add(form);
    if (dictionary['/Resources'] === undefined) {
      const what = `form ${form} has no resources of its own`;
      this.#facts.inheritedResources.push(this.#finding(what));
    }
    run.stream(this.#pdf.streamData(form), this.#pdf.dictionary(dictionary['/Resources']));
    run.#running.delete(form);
    run.#owner = owner;
    run.#state = state;
  }

  #begin(tag: string, properties: Dictionary): void {
    const number = properties['/MCID'];
    const content = typeof number === 'number' ? markedContent(this.#owner, number) : undefined;
    if (content !== undefined) this.#facts.marked.set(content, this.#where);
    if (tag === '/Artifact' && this.#marks.some((mark) => mark.content !== undefined)) {
      this.#facts.artifactsInContent.push(this.#finding('an artifact'));
    }
    if (content !== undefined && this.#isArtifact) {
      this.#facts.contentInArtifacts.push(this.#finding(`content ${number}`));
    }
    this.#marks.push({ tag, content, hasLanguage: properties['/Lang'] !== undefined });
  }

  #properties(operand: Operand | undefined, resources: Dictionary): Dictionary {
    if (typeof operand !== 'string') return isDictionary(operand as Value) ? (operand as Dictionary) : {};
    return this.#pdf.dictionary(this.#resource(resources, '/Properties', operand));
  }

  #resource(resources: Dictionary, kind: string, name: Operand | undefined): Value | undefined {
    const value = this.#pdf.dictionary(resources[kind])[String(name)];
    if (value === undefined) this.#facts.missingResources.push(this.#finding(`${kind} ${name}`));
    return value;
  }

  #finding(what: string): Finding {
    return { where: this.#where, what };
  }
}
