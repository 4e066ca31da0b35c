/** Rules for annotations, form fields and actions. */
import { type Dictionary, Reference, type Value } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { outputSpace } from './colour-rules.ts';
import { archive, type Rule, type Subject } from './rule.ts';
import type { Element } from './structure.ts';

const types14 =
  `/Text /Link /FreeText /Line /Square /Circle /Highlight /Underline /Squiggly /StrikeOut /Stamp /Ink /Popup
/Widget /PrinterMark /TrapNet`.split(/\s/);
const types17 = [...types14, '/Polygon', '/PolyLine', '/Caret', '/FileAttachment', '/Watermark', '/Redact'];
const types20 = [...types17.filter((type) => type !== '/FileAttachment'), '/Projection'];
const actions14 = ['/GoTo', '/GoToR', '/Thread', '/URI', '/Named', '/SubmitForm'];
const namedActions = ['/NextPage', '/PrevPage', '/FirstPage', '/LastPage'];

const INVISIBLE = 1;
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;
const TOGGLE_NO_VIEW = 256;

export const annotationRules: readonly Rule[] = [
  {
    clauses: archive('6.5.2', '6.3.1', '6.3.1'),
    demand: 'Annotations are of a permitted type.',
    *check({ pdf, profile }) {
      const permitted = { '1b': types14, '4': types20 }[profile as string] ?? types17;
      for (const { where, subtype } of annotations(pdf))
        if (!permitted.includes(subtype)) yield { where, what: subtype };
    },
  },
  {
    clauses: archive('6.5.3', '6.3.2', '6.3.2'),
    demand: 'Annotations are visible and printed.',
    *check({ pdf, profile }) {
      const forbidden = INVISIBLE | HIDDEN | NO_VIEW | (profile === '1b' ? 0 : TOGGLE_NO_VIEW);
      for (const { where, subtype, annotation } of annotations(pdf)) {
        const flags = pdf.number(annotation['/F']);
        if (flags === undefined && profile !== '1b' && subtype === '/Popup') continue;
        const isRight = flags !== undefined && (flags & PRINT) !== 0 && (flags & forbidden) === 0;
        if (!isRight) yield { where, what: flags === undefined ? `${subtype} without /F` : `/F ${flags}` };
      }
    },
  },
  {
    clauses: archive('6.5.3'),
    demand: 'Annotations are opaque.',
    *check({ pdf }) {
      for (const { where, annotation } of annotations(pdf)) {
        if ((pdf.number(annotation['/CA']) ?? 1) !== 1) yield { where, what: `/CA ${annotation['/CA']}` };
      }
    },
  },
  {
    clauses: archive('6.5.3'),
    demand: 'Annotations have colours only if the output intent is RGB.',
    *check({ pdf }) {
      if (outputSpace(pdf) === 'RGB ') return;
      for (const { where, annotation } of annotations(pdf)) {
        for (const key of ['/C', '/IC']) if (key in annotation) yield { where, what: key };
      }
    },
  },
  {
    clauses: archive(undefined, '6.3.3', '6.3.3'),
    demand: 'Annotations but links and pop-ups have an appearance.',
    *check({ pdf }) {
      for (const { where, subtype, annotation } of annotations(pdf)) {
        const [left, bottom, right, top] = pdf.array(annotation['/Rect']);
        const isEmpty = left === right && bottom === top;
        const needsNone = ['/Popup', '/Link', '/Projection'].includes(subtype);
        if (isEmpty || needsNone || '/AP' in annotation) continue;
        yield { where, what: `${subtype} without /AP` };
      }
    },
  },
  {
    clauses: archive('6.5.3', '6.3.3', '6.3.3'),
    demand: 'Appearances are normal ones, and streams except for buttons.',
    *check({ pdf }) {
      for (const { where, subtype, annotation } of annotations(pdf)) {
        if (!('/AP' in annotation)) continue;
        const appearance = pdf.dictionary(annotation['/AP']);
        const others = Object.keys(appearance).filter((key) => key !== '/N');
        if (others.length > 0) yield { where, what: `/AP with ${others}` };
        const isButton = subtype === '/Widget' && inherited(pdf, annotation, '/FT') === '/Btn';
        if (pdf.isStream(appearance['/N']) === isButton) {
          yield { where, what: isButton ? 'a button without states' : 'an appearance that is no stream' };
        }
      }
    },
  },
  {
    clauses: archive('6.9', '6.4.1', '6.4.1'),
    demand: 'The appearance of form fields is in the file.',
    *check({ pdf, profile }) {
      const form = pdf.dictionary(pdf.catalog['/AcroForm']);
      if (form['/NeedAppearances'] === true) yield { where: 'form', what: '/NeedAppearances' };
      if (profile !== '1b') return;
      for (const { where, subtype, annotation } of annotations(pdf)) {
        if (subtype === '/Widget' && !('/AP' in annotation)) yield { where, what: 'a field without /AP' };
      }
    },
  },
  {
    clauses: { '2b': '6.4.2', '3b': '6.4.2', '4': '6.4.2', ua: '7.15' },
    demand: 'Forms are not in XFA.',
    *check({ pdf }) {
      if ('/XFA' in pdf.dictionary(pdf.catalog['/AcroForm'])) yield { where: 'form', what: '/XFA' };
      if (pdf.catalog['/NeedsRendering'] === true) yield { where: 'catalog', what: '/NeedsRendering' };
    },
  },
  {
    clauses: archive('6.6.1', '6.5.1', '6.6.1'),
    demand: 'Actions are permitted ones: they lead somewhere, and start nothing.',
    *check({ pdf, profile }) {
      const permitted = profile === '1b' ? actions14 : [...actions14, '/GoToE'];
      for (const { where, action } of actions(pdf)) {
        const type = pdf.name(action['/S']) ?? 'without type';
        if (!permitted.includes(type)) yield { where, what: type };
        const name = pdf.name(action['/N']) ?? '';
        if (type === '/Named' && !namedActions.includes(name)) yield { where, what: name };
      }
    },
  },
  {
    clauses: archive('6.6.2', '6.5.2', '6.6.3'),
    demand: 'The document and its pages have no actions that events trigger.',
    *check({ pdf, profile }) {
      if ('/AA' in pdf.catalog) yield { where: 'catalog', what: '/AA' };
      if (profile === '1b') return;
      for (const { dictionary, where } of pdf.pages) if ('/AA' in dictionary) yield { where, what: '/AA' };
    },
  },
  {
    clauses: archive('6.6.2', '6.4.1', '6.4.1'),
    demand: 'Form fields have no actions; in part 4, none but those that events trigger.',
    *check({ pdf, profile }) {
      for (const { where, value } of pdf.survey.having('/A', '/AA')) {
        const isWidget = pdf.name(value['/Subtype']) === '/Widget';
        if (!isWidget && !('/FT' in value)) continue;
        if ('/AA' in value && profile !== '4') yield { where, what: '/AA' };
        if (isWidget && '/A' in value) yield { where, what: '/A' };
      }
    },
  },
  {
    clauses: { ua: '7.18.1' },
    demand: 'Annotations but links and fields are in an Annot element.',
    *check(subject) {
      for (const { where, subtype, annotation, reference } of visible(subject)) {
        if (['/Widget', '/PrinterMark', '/Link', '/Popup'].includes(subtype)) continue;
        const type = elementOf(subject, annotation, reference)?.standardType;
        if (type !== '/Annot') yield { where, what: `${subtype} in ${type ?? 'no element'}` };
      }
    },
  },
  {
    clauses: { ua: '7.18.1' },
    demand: 'Annotations but links and fields say what they are.',
    *check(subject) {
      const { pdf } = subject;
      for (const { where, subtype, annotation, reference } of visible(subject)) {
        if (['/Widget', '/Link', '/Popup'].includes(subtype)) continue;
        const alternative = elementOf(subject, annotation, reference)?.dictionary['/Alt'];
        if (!pdf.text(annotation['/Contents']) && !pdf.text(alternative)) yield { where, what: subtype };
      }
    },
  },
  {
    clauses: { ua: '7.18.1' },
    demand: 'Form fields have a name for readers.',
    *check(subject) {
      const { pdf } = subject;
      for (const { where, subtype, annotation, reference } of visible(subject)) {
        if (subtype !== '/Widget') continue;
        const alternative = elementOf(subject, annotation, reference)?.dictionary['/Alt'];
        if (!pdf.text(fieldOf(pdf, annotation)['/TU']) && !pdf.text(alternative))
          yield { where, what: 'no /TU' };
      }
    },
  },
  {
    clauses: { ua: '7.18.3' },
    demand: 'The tab order of pages with annotations is that of the structure.',
    *check({ pdf }) {
      for (const { dictionary, where } of pdf.pages) {
        if (pdf.array(dictionary['/Annots']).length === 0) continue;
        if (pdf.get(dictionary['/Tabs']) !== '/S') yield { where, what: `/Tabs is ${dictionary['/Tabs']}` };
      }
    },
  },
  {
    clauses: { ua: '7.18.4' },
    demand: 'Form fields are in a Form element, which has nothing else.',
    *check(subject) {
      for (const { where, subtype, annotation, reference } of visible(subject)) {
        if (subtype !== '/Widget') continue;
        const element = elementOf(subject, annotation, reference);
        if (element?.standardType !== '/Form') {
          yield { where, what: `a field in ${element?.standardType ?? 'no element'}` };
        } else if (element.objects !== 1 || element.content + element.children.length > 0) {
          yield { where, what: 'a Form element with other content' };
        }
      }
    },
  },
  {
    clauses: { ua: '7.18.5' },
    demand: 'Links are in a Link element.',
    *check(subject) {
      for (const { where, subtype, annotation, reference } of visible(subject)) {
        if (subtype !== '/Link') continue;
        const type = elementOf(subject, annotation, reference)?.standardType;
        if (type !== '/Link') yield { where, what: `a link in ${type ?? 'no element'}` };
      }
    },
  },
  {
    clauses: { ua: '7.18.5' },
    demand: 'Links say where they lead.',
    *check(subject) {
      const { pdf } = subject;
      for (const { where, subtype, annotation } of visible(subject)) {
        if (subtype === '/Link' && !pdf.text(annotation['/Contents'])) yield { where, what: 'no /Contents' };
      }
    },
  },
  {
    clauses: { ua: '7.18.8' },
    demand: 'There are no marks for printers.',
    *check({ pdf }) {
      for (const { where, subtype } of annotations(pdf)) {
        if (['/PrinterMark', '/TrapNet'].includes(subtype)) yield { where, what: subtype };
      }
    },
  },
];

interface Annotation {
  readonly where: string;
  readonly page: Dictionary;
  readonly reference: Value;
  readonly annotation: Dictionary;
  readonly subtype: string;
}

function* annotations(pdf: CheckedPdf): Iterable<Annotation> {
  for (const page of pdf.pages) {
    for (const reference of pdf.array(page.dictionary['/Annots'])) {
      const annotation = pdf.dictionary(reference);
      const subtype = pdf.name(annotation['/Subtype']) ?? 'no subtype';
      const where = `${page.where}, annotation ${reference}`;
      yield { where, page: page.dictionary, reference, annotation, subtype };
    }
  }
}

/** Neither hidden nor outside of what the page shows. */
function* visible({ pdf }: Subject): Iterable<Annotation> {
  for (const found of annotations(pdf)) {
    const isHidden = ((pdf.number(found.annotation['/F']) ?? 0) & HIDDEN) !== 0;
    const [left, bottom, right, top] = corners(pdf, found.annotation['/Rect']);
    const box = corners(pdf, found.page['/CropBox'] ?? found.page['/MediaBox']);
    const isOutside = right < box[0] || left > box[2] || top < box[1] || bottom > box[3];
    if (!isHidden && !isOutside) yield found;
  }
}

/** Of a rectangle, the smaller ones first (ISO 32000-1, 7.9.5). */
function corners(pdf: CheckedPdf, rectangle: Value | undefined): [number, number, number, number] {
  const [x = 0, y = 0, x2 = 0, y2 = 0] = pdf.array(rectangle).map((item) => pdf.number(item) ?? 0);
  return [Math.min(x, x2), Math.min(y, y2), Math.max(x, x2), Math.max(y, y2)];
}

/** The element of an annotation, where the parent tree and the element itself agree. */
function elementOf(
  { pdf, structure }: Subject,
  annotation: Dictionary,
  reference: Value,
): Element | undefined {
  const element = structure.parentOfObject(pdf.number(annotation['/StructParent']));
  return element && structure.has(element, reference) ? element : undefined;
}

/** The form field that a widget shows: itself, or what it is one of several widgets of (ISO 32000-1, 12.7.3). */
function fieldOf(pdf: CheckedPdf, widget: Dictionary): Dictionary {
  let node = widget;
  for (let depth = 0; !('/T' in node) && '/Parent' in node && depth < 32; depth += 1) {
    node = pdf.dictionary(node['/Parent']);
  }
  return node;
}

/** An attribute of a form field (ISO 32000-1, 12.7.3.1). */
function inherited(pdf: CheckedPdf, field: Dictionary, key: string): Value | undefined {
  let node: Dictionary | undefined = field;
  for (let depth = 0; node && depth < 32; depth += 1) {
    if (key in node) return node[key];
    node = '/Parent' in node ? pdf.dictionary(node['/Parent']) : undefined;
  }
  return undefined;
}

/** Actions of annotations, outlines and the document, and those that follow them. */
function* actions(pdf: CheckedPdf): Iterable<{ where: string; action: Dictionary }> {
  const isAction = (value: Value | undefined) => '/S' in pdf.dictionary(value);
  for (const { where, value } of pdf.survey.having('/A', '/AA', '/OpenAction', '/Next')) {
    const follows = isAction(value as Value) ? pdf.list(value['/Next']) : [];
    for (const item of [value['/A'], value['/OpenAction'], ...follows]) {
      if (isAction(item)) yield { where, action: pdf.dictionary(item) };
    }
    for (const action of Object.values(pdf.dictionary(value['/AA'])))
      yield { where, action: pdf.dictionary(action) };
  }
  for (const { where, value } of nameTrees(pdf, '/JavaScript'))
    yield { where, action: pdf.dictionary(value) };
}

/** The values of a tree of names of the document (ISO 32000-1, 7.7.4). */
export function* nameTrees(pdf: CheckedPdf, kind: string): Iterable<{ where: string; value: Value }> {
  const names = pdf.dictionary(pdf.catalog['/Names']);
  const nodes: Value[] = names[kind] === undefined ? [] : [names[kind]];
  const seen = new Set<string>();
  for (const node of nodes) {
    if (node instanceof Reference && seen.has(String(node))) throw new Error(`the tree ${kind} has a loop`);
    seen.add(String(node));
    const dictionary = pdf.dictionary(node);
    const entries = pdf.array(dictionary['/Names']);
    for (let index = 1; index < entries.length; index += 2) {
      yield { where: `${kind} ${(index + 1) / 2}`, value: entries[index] ?? null };
    }
    for (const kid of pdf.array(dictionary['/Kids'])) nodes.push(kid);
  }
}
