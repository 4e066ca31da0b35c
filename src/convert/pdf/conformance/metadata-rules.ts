/** Rules for metadata: what the file says of itself, in XMP and in its information dictionary. */
import { PdfString, type Value } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { archive, type Finding, type Rule, type Subject } from './rule.ts';
import { fieldsOf, itemsOf, listKind, textOf, type XmpNode } from './xmp.ts';

const DC = 'http://purl.org/dc/elements/1.1/';
const XMP = 'http://ns.adobe.com/xap/1.0/';
const MM = 'http://ns.adobe.com/xap/1.0/mm/';
const PDF = 'http://ns.adobe.com/pdf/1.3/';
const PDFA = 'http://www.aiim.org/pdfa/ns/id/';
const PDFUA = 'http://www.aiim.org/pdfua/ns/id/';
const EXTENSION = 'http://www.aiim.org/pdfa/ns/extension/';
const SCHEMA = 'http://www.aiim.org/pdfa/ns/schema#';
const PROPERTY = 'http://www.aiim.org/pdfa/ns/property#';
const TYPE = 'http://www.aiim.org/pdfa/ns/type#';
const FIELD = 'http://www.aiim.org/pdfa/ns/field#';

/** Prefixes that the standards demand. */
const prefixes: Readonly<Record<string, string>> = {
  [PDFA]: 'pdfaid',
  [PDFUA]: 'pdfuaid',
  [EXTENSION]: 'pdfaExtension',
  [SCHEMA]: 'pdfaSchema',
  [PROPERTY]: 'pdfaProperty',
  [TYPE]: 'pdfaType',
  [FIELD]: 'pdfaField',
};
/** What each part of a description must say. */
const descriptions = {
  [SCHEMA]: ['schema', 'namespaceURI', 'prefix'],
  [PROPERTY]: ['name', 'valueType', 'category', 'description'],
  [TYPE]: ['type', 'namespaceURI', 'prefix', 'description', 'field'],
  [FIELD]: ['name', 'valueType', 'description'],
};

/** Properties that files may have without describing them, as far as LibreOffice or we write some. */
const predefined: Readonly<Record<string, string>> = {
  [DC]: `contributor coverage creator date description format identifier language publisher relation rights source subject
title type`,
  [XMP]: 'CreateDate CreatorTool MetadataDate ModifyDate',
  [PDF]: 'Keywords PDFVersion Producer',
  [PDFA]: 'part conformance rev',
  [EXTENSION]: 'schemas',
  [MM]: 'DocumentID InstanceID',
};
/** Values that are lists; others are none. */
const lists: Readonly<Record<string, string>> = {
  title: 'Alt',
  description: 'Alt',
  rights: 'Alt',
  creator: 'Seq',
  date: 'Seq',
  contributor: 'Bag',
  language: 'Bag',
  publisher: 'Bag',
  relation: 'Bag',
  subject: 'Bag',
  type: 'Bag',
};
const DATE =
  /^\d{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01])(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?)?)?$/;

/** Keys of the information dictionary, and the properties that say the same. */
const pairs = [
  ['/Title', DC, 'title'],
  ['/Author', DC, 'creator'],
  ['/Subject', DC, 'description'],
  ['/Keywords', PDF, 'Keywords'],
  ['/Creator', XMP, 'CreatorTool'],
  ['/Producer', PDF, 'Producer'],
] as const;

export const metadataRules: readonly Rule[] = [
  {
    clauses: archive('6.7.2', '6.6.2.1', '6.7.2.1', '7.1'),
    demand: 'The document has metadata in XMP, which can be read.',
    *check(subject) {
      const { pdf } = subject;
      const { '/Type': type, '/Subtype': subtype } = pdf.dictionary(pdf.catalog['/Metadata']);
      if (type !== '/Metadata' || subtype !== '/XML') yield { where: 'metadata', what: `${type} ${subtype}` };
      try {
        subject.readMetadata();
      } catch (error) {
        yield { where: 'metadata', what: (error as Error).message };
      }
    },
  },
  {
    clauses: archive('6.7.2'),
    demand: 'The metadata are not packed.',
    *check({ pdf }) {
      const filter = pdf.dictionary(pdf.catalog['/Metadata'])['/Filter'];
      if (filter !== undefined) yield { where: 'metadata', what: String(filter) };
    },
  },
  {
    clauses: archive('6.7.5', '6.6.2.1', '6.7.2.1'),
    demand: 'The packet of metadata does not say how long or in what encoding it is.',
    *check({ xmp }) {
      const [attribute] = /\b(bytes|encoding)\s*=/.exec(xmp.header) ?? [];
      if (attribute !== undefined) yield { where: 'metadata', what: xmp.header };
    },
  },
  {
    clauses: archive('6.7.9', '6.6.2.3.1'),
    demand: 'Properties are of schemas that the standard or the metadata themselves describe.',
    check: undescribed,
  },
  {
    clauses: archive('6.7.9', '6.6.2.3.1'),
    demand: 'Properties have values of their type: lists, and dates.',
    *check({ xmp }) {
      for (const node of xmp.properties) {
        const kind = listKind(node);
        const wanted = node.namespace === DC ? lists[node.name] : undefined;
        const isKnown = [DC, XMP, MM, PDF, PDFA].includes(node.namespace);
        const where = `metadata, ${node.prefix}:${node.name}`;
        if (isKnown && kind !== wanted)
          yield { where, what: `${kind ?? 'no list'}, not ${wanted ?? 'a value'}` };
        if (
          wanted === 'Alt' &&
          (itemsOf(node) ?? []).some((item) => ![...item.attributes.keys()].some(isLanguage))
        ) {
          yield { where, what: 'a text without language' };
        }
        if (!/Date$|^date$/.test(node.name) || !isKnown) continue;
        const dates = itemsOf(node)?.map(({ text }) => text) ?? [node.text.trim()];
        for (const date of dates) if (!DATE.test(date)) yield { where, what: `${date} is no date` };
      }
    },
  },
  {
    clauses: archive('6.7.8', '6.6.2.3.3'),
    demand: 'Descriptions of schemas are complete.',
    check: incompleteSchemas,
  },
  {
    clauses: archive('6.7.3'),
    demand: 'The information dictionary says what the metadata say.',
    check: disagreements,
  },
  {
    clauses: archive('6.7.11', '6.6.4', '6.7.3'),
    demand:
      'The metadata name the part of PDF/A and the level of conformance, which part 4 has not, but a year.',
    *check(subject) {
      const part = subject.property(PDFA, 'part');
      const conformance = subject.property(PDFA, 'conformance');
      const level = textOf(conformance) ?? '';
      const levels = { '1b': ['A', 'B'], '4': [''] }[subject.profile as string] ?? ['A', 'B', 'U'];
      const where = 'metadata';
      if (conformance && subject.profile === '4') yield { where, what: 'a level' };
      if (textOf(part) !== subject.profile[0]) yield { where, what: `part ${textOf(part)}` };
      if (!levels.includes(level)) yield { where, what: `level ${level}` };
      const revision = subject.property(PDFA, 'rev');
      if (subject.profile === '4' && !/^\d{4}$/.test(textOf(revision) ?? '')) {
        yield { where, what: `revision ${textOf(revision)}` };
      }
      yield* wrongPrefixes(subject, PDFA);
    },
  },
  {
    clauses: { ua: '5' },
    demand: 'The metadata name the part of PDF/UA.',
    *check(subject) {
      const part = textOf(subject.property(PDFUA, 'part'));
      if (part !== '1') yield { where: 'metadata', what: `part ${part}` };
      yield* wrongPrefixes(subject, PDFUA);
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'The metadata have a title.',
    *check(subject) {
      if (!textOf(subject.property(DC, 'title'))?.trim()) yield { where: 'metadata', what: 'no dc:title' };
    },
  },
];

function isLanguage(attribute: string): boolean {
  return attribute.endsWith(' lang');
}

function schemas({ xmp }: Subject): readonly XmpNode[] {
  const node = xmp.properties.find(({ namespace, name }) => namespace === EXTENSION && name === 'schemas');
  return itemsOf(node) ?? [];
}

function field(node: XmpNode, namespace: string, name: string): XmpNode | undefined {
  return fieldsOf(node).find((candidate) => candidate.namespace === namespace && candidate.name === name);
}

function* undescribed(subject: Subject): Iterable<Finding> {
  const described = new Set(
    schemas(subject).flatMap((schema) =>
      (itemsOf(field(schema, SCHEMA, 'property')) ?? []).map(
        (property) =>
          `${textOf(field(schema, SCHEMA, 'namespaceURI'))} ${textOf(field(property, PROPERTY, 'name'))}`,
      ),
    ),
  );
  for (const { namespace, prefix, name } of subject.xmp.properties) {
    const isPredefined = predefined[namespace]?.split(/\s/).includes(name) === true;
    if (isPredefined || described.has(`${namespace} ${name}`)) continue;
    yield { where: 'metadata', what: `${prefix}:${name} is not described` };
  }
}

function* incompleteSchemas({ xmp }: Subject): Iterable<Finding> {
  for (const node of xmp.properties.flatMap((property) => [...within(property)])) {
    const where = `metadata, ${node.prefix}:${node.name}`;
    const isOwn = [EXTENSION, SCHEMA, PROPERTY, TYPE, FIELD].includes(node.namespace);
    if (isOwn) yield* wrongPrefix(node);
    if (node.name !== 'li') continue;
    for (const [namespace, names] of Object.entries(descriptions)) {
      if (!fieldsOf(node).some((item) => item.namespace === namespace)) continue;
      for (const name of names) {
        const found = field(node, namespace, name);
        const isEmpty = !found || (found.children.length === 0 && found.text.trim() === '');
        if (isEmpty) yield { where, what: `no ${prefixes[namespace]}:${name}` };
      }
    }
    const category = textOf(field(node, PROPERTY, 'category')) ?? '';
    if (!['internal', 'external', ''].includes(category)) yield { where, what: `the category ${category}` };
  }
}

function* within(node: XmpNode): Iterable<XmpNode> {
  yield node;
  for (const inner of fieldsOf(node)) yield* within(inner);
}

function* wrongPrefixes({ xmp }: Subject, namespace: string): Iterable<Finding> {
  for (const node of xmp.properties) if (node.namespace === namespace) yield* wrongPrefix(node);
}

function* wrongPrefix({ namespace, prefix, name }: XmpNode): Iterable<Finding> {
  const isRight = prefix === prefixes[namespace];
  if (!isRight) yield { where: 'metadata', what: `the prefix ${prefix} of ${name}` };
}

function* disagreements(subject: Subject): Iterable<Finding> {
  const { pdf } = subject;
  const info = pdf.dictionary(pdf.trailer['/Info']);
  for (const [key, namespace, name] of pairs) {
    const value = pdf.get(info[key]);
    const text = value instanceof PdfString ? value.text : String(value);
    const same = textOf(subject.property(namespace, name));
    if (value !== null && text !== same) yield { where: key, what: `${text}, not ${same}` };
  }
  if ('/Author' in info && itemsOf(subject.property(DC, 'creator'))?.length !== 1) {
    yield { where: '/Author', what: 'dc:creator has not one entry' };
  }
  for (const [key, name] of [
    ['/CreationDate', 'CreateDate'],
    ['/ModDate', 'ModifyDate'],
  ] as const) {
    const date = pdfDate(pdf, info[key]);
    const same = Date.parse(textOf(subject.property(XMP, name)) ?? '');
    if (date !== undefined && date !== same)
      yield { where: key, what: `${pdf.text(info[key])}, not ${same}` };
  }
}

/** Milliseconds since 1970; NaN for what is no date (ISO 32000-1, 7.9.4). */
function pdfDate(pdf: CheckedPdf, value: Value | undefined): number | undefined {
  const text = pdf.text(value);
  if (text === undefined) return undefined;
  const form = /^D:(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:Z.*|([+-]\d\d)'(\d\d)'?)?$/;
  const [, year, month, day, hour, minute, second, zoneHour, zoneMinute] = form.exec(text) ?? [];
  const zone = zoneHour === undefined ? 'Z' : `${zoneHour}:${zoneMinute}`;
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
}
