/**
 * Content controls that are bound to data (`w:dataBinding`, ISO/IEC 29500-1, 17.5.2.6). Word shows the data in the way of the
 * control: the sign of a check box (`w14:checkbox`, [MS-DOCX] 2.6.2), the text of a list's item whose value it is (17.5.2.15
 * and 17.5.2.5), the picture. LibreOffice shows the data as they are: "true", a value, a picture's Base64. So such a control is
 * bound to nothing here, and its content is what is stored, or what the data say if that differs.
 */
import { attributesIn } from '../document/attributes.ts';
import { BodyWalk, type Element } from '../document/body-walk.ts';
import type { Binding } from '../document/bound-data.ts';
import type { Edit } from '../document/edits.ts';
import { isOn, withoutReferences } from '../document/markup.ts';
import { localName, renaming } from '../document/tags.ts';
import { type Bytes, fromBytes } from '../text/bytes.ts';
import { writtenText } from '../text/xml-text.ts';

const elements = [
  ...['sdt', 'sdtPr', 'sdtContent', 'dataBinding', 'dropDownList', 'comboBox', 'listItem', 'picture'],
  ...['r', 'rPr', 'rFonts', 't'],
];
/** Of check boxes, whatever their prefix. */
const inCheckBoxes: ReadonlySet<string> = new Set(['checkbox', 'checked', 'checkedState', 'uncheckedState']);
const ON = /^(?:1|true)$/i;
const OFF = /^(?:0|false)$/i;
/** Word's, where a check box has none of its own. */
const SIGNS = { checkedState: '2612', uncheckedState: '2610' };
/** Its code, in hexadecimal digits. */
const SIGN = /^[\dA-F]{4}$/i;
const SIGN_FONT = 'MS Gothic';

/** A sign of a check box. */
interface State {
  readonly sign: string;
  readonly font: string;
}

interface Control {
  binding: Binding | undefined;
  /** Renames its binding. */
  readonly unbinding: Edit[];
  /** How it shows its data; undefined: as text. */
  kind: 'check box' | 'list' | 'picture' | undefined;
  isChecked: boolean;
  readonly states: Partial<Record<string, State>>;
  /** Texts of a list, by their values. */
  readonly items: Map<string, string>;
  /** What is open of it. */
  part: 'properties' | 'content' | undefined;
  /** Its first run. */
  run: Run | undefined;
  /** The texts behind that. */
  readonly texts: Edit[];
}

interface Run {
  /** Where its properties begin, or would. */
  readonly start: number;
  /** Where they end in front of their end tag; undefined where it has none. */
  properties: number | undefined;
  fonts: { readonly start: number; readonly end: number } | undefined;
  /** Its content behind the properties. */
  content: { start: number; end: number };
}

/**
 * The part with the content of such controls, in linear time.
 *
 * @param dataOf the data of a binding; undefined where there is none.
 */
export function withBoundControls(xml: Bytes, dataOf: (binding: Binding) => string | undefined): Bytes {
  return new ControlReader(xml, dataOf).walk().edited();
}

class ControlReader extends BodyWalk {
  readonly #dataOf: (binding: Binding) => string | undefined;
  /** The open controls, the innermost last. */
  readonly #controls: Control[] = [];

  constructor(xml: Bytes, dataOf: (binding: Binding) => string | undefined) {
    super(xml, { elements, texts: ['t'], readsAll: true });
    this.#dataOf = dataOf;
  }

  override open(tag: Element): void {
    const { name, local, isEmpty, end } = tag;
    if (local === 'sdt' && !isEmpty) this.#controls.push(newControl());
    const control = this.#controls.at(-1);
    if (!control || local === 'sdt') return;
    if (local === 'sdtPr' && !isEmpty) control.part = 'properties';
    else if (local === 'sdtContent' && !isEmpty) control.part = 'content';
    else if (control.part === 'properties') this.#readProperty(control, tag, local ?? localName(name));
    else if (control.part !== 'content') return;
    else if (local === 'r' && !isEmpty)
      control.run ??= {
        start: end,
        properties: undefined,
        fonts: undefined,
        content: { start: end, end: 0 },
      };
    else if (local !== 't' && control.run && control.run.content.end === 0) readRun(control.run, tag);
  }

  override close(local: string | undefined, start: number, end: number, name: string): void {
    const control = this.#controls.at(-1);
    if (!control) return;
    const { run } = control;
    if (local === 'sdt') this.#closeControl(control);
    else if (local === 'sdtPr' || local === 'sdtContent') control.part = undefined;
    else if (local === 'dataBinding') control.unbinding.push(renaming(name, start + '</'.length));
    else if (!run || run.content.end > 0 || control.part !== 'content') return;
    else if (local === 'r') run.content.end = start;
    else if (local === 'rPr') {
      run.properties = start;
      run.content.start = end;
    }
  }

  override text(start: number, end: number): void {
    const control = this.#controls.at(-1);
    if (control?.run && control.run.content.end > 0) control.texts.push({ start, end, text: '' });
  }

  #readProperty(control: Control, { name, attributes, start }: Element, local: string): void {
    const value = (key: string) => textOf(attributes, this.w + key) ?? '';
    const own = () => name.slice(0, name.length - local.length);
    if (local === 'dataBinding') {
      const [store, path, prefixes] = [value('storeItemID'), value('xpath'), value('prefixMappings')];
      control.binding = { store, path, prefixes };
      control.unbinding.push(renaming(name, start + '<'.length));
    } else if (local === 'picture') control.kind = 'picture';
    else if (local === 'dropDownList' || local === 'comboBox') control.kind = 'list';
    else if (local === 'listItem') {
      const item = value('value');
      if (!control.items.has(item)) control.items.set(item, value('displayText') || item);
    } else if (local === 'checkbox') control.kind = 'check box';
    else if (local === 'checked') control.isChecked = isOn(attributes, `${own()}val`);
    else if (inCheckBoxes.has(local)) {
      const sign = textOf(attributes, `${own()}val`);
      const font = textOf(attributes, `${own()}font`);
      if (sign !== undefined && SIGN.test(sign)) control.states[local] = { sign, font: font ?? SIGN_FONT };
    }
  }

  #closeControl(control: Control): void {
    this.#controls.pop();
    const { kind, binding, run, states } = control;
    if (!binding || !kind) return;
    const value = this.#dataOf(binding);
    if (kind === 'list') {
      const text = value === undefined ? undefined : control.items.get(value);
      // What is no item's value is shown as it is: the binding stays.
      if (value !== undefined && value !== '' && text === undefined) return;
      if (run && text !== undefined) this.#write(control, run, writtenText(text));
    } else if (kind === 'check box' && run && value !== undefined) {
      const isChecked = ON.test(value);
      if (isChecked !== control.isChecked && (isChecked || OFF.test(value))) {
        const name = isChecked ? 'checkedState' : 'uncheckedState';
        const { sign, font } = states[name] ?? { sign: SIGNS[name], font: SIGN_FONT };
        this.#setFont(run, writtenText(font));
        this.#write(control, run, `&#x${sign};`);
      }
    }
    for (const edit of control.unbinding) this.edits.push(edit);
  }

  /** Has the first run show this text, and the others none. */
  #write({ texts }: Control, { content }: Run, text: string): void {
    const t = `${this.w}t`;
    this.edits.push({ ...content, text: `<${t} xml:space="preserve">${text}</${t}>` });
    for (const edit of texts) this.edits.push(edit);
  }

  #setFont({ start, properties, fonts }: Run, font: string): void {
    const w = this.w;
    const slots = ['ascii', 'hAnsi', 'eastAsia', 'cs'].map((slot) => ` ${w}${slot}="${font}"`).join('');
    const text = `<${w}rFonts${slots}/>`;
    if (fonts) this.edits.push({ ...fonts, text });
    else if (properties !== undefined) this.edits.push({ start: properties, end: properties, text });
    else this.edits.push({ start, end: start, text: `<${w}rPr>${text}</${w}rPr>` });
  }
}

function newControl(): Control {
  return {
    binding: undefined,
    unbinding: [],
    kind: undefined,
    isChecked: false,
    states: {},
    items: new Map(),
    part: undefined,
    run: undefined,
    texts: [],
  };
}

/** Reads what is in the first run of a control. */
function readRun(run: Run, { local, isEmpty, start, end }: Element): void {
  if (local === 'rPr' && isEmpty) run.content.start = end;
  else if (local === 'rFonts' && isEmpty) run.fonts ??= { start, end };
}

/** An attribute as text. */
function textOf(attributes: string, name: string): string | undefined {
  const found = attributesIn(attributes).find((each) => each.name === name);
  return found && withoutReferences(fromBytes(found.value));
}
