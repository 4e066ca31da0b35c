/** Rules for embedded files and optional content. */
import { type Dictionary, isArray, Reference, type Value } from '../objects/values.ts';
import { nameTrees } from './annotation-rules.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { archive, type Rule } from './rule.ts';

const relationships = [
  '/Source',
  '/Data',
  '/Alternative',
  '/Supplement',
  '/EncryptedPayload',
  '/Unspecified',
];
const MIME_TYPE = /^[-\w+.]+\/[-\w+.]+$/;

export const embeddedRules: readonly Rule[] = [
  {
    clauses: archive('6.1.11'),
    demand: 'There are no embedded files.',
    *check({ pdf }) {
      for (const { where } of specifications(pdf)) yield { where, what: '/EF' };
      if ('/EmbeddedFiles' in pdf.dictionary(pdf.catalog['/Names'])) {
        yield { where: 'catalog', what: '/EmbeddedFiles' };
      }
    },
  },
  {
    clauses: { '2b': '6.8', '4': '6.9' },
    demand: 'Embedded files are PDF/A-1, PDF/A-2 or, in part 4, PDF/A-4, as they say.',
    *check({ pdf, profile }) {
      for (const { where, file } of files(pdf)) {
        const data = pdf.streamData(file).toString('latin1');
        const parts = profile === '4' ? /<pdfaid:part>[124]</ : /<pdfaid:part>[12]</;
        const isArchive = data.startsWith('%PDF-') && parts.test(data);
        if (!isArchive) yield { where, what: 'another file' };
      }
    },
  },
  {
    clauses: { '2b': '6.8', '3b': '6.8', '4': '6.9', ua: '7.11' },
    demand: 'Embedded files have names.',
    *check({ pdf }) {
      for (const { where, value } of specifications(pdf)) {
        for (const key of ['/F', '/UF']) if (!pdf.text(value[key])) yield { where, what: `no ${key}` };
      }
    },
  },
  {
    clauses: { '3b': '6.8', '4': '6.9' },
    demand: 'Embedded files have a type.',
    *check({ pdf }) {
      for (const { where, file } of files(pdf)) {
        const type = pdf.name(pdf.dictionary(file)['/Subtype'])?.slice(1) ?? 'none';
        if (!MIME_TYPE.test(type)) yield { where, what: type };
      }
    },
  },
  {
    clauses: { '3b': '6.8' },
    demand: 'Embedded files say when they were changed.',
    *check({ pdf }) {
      for (const { where, file } of files(pdf)) {
        const parameters = pdf.dictionary(pdf.dictionary(file)['/Params']);
        if (!pdf.text(parameters['/ModDate'])) yield { where, what: 'no /Params with /ModDate' };
      }
    },
  },
  {
    clauses: { '3b': '6.8', '4': '6.9' },
    demand: 'Embedded files say how they relate to the document.',
    *check({ pdf }) {
      for (const { where, value } of specifications(pdf)) {
        const relationship = pdf.name(value['/AFRelationship']) ?? 'no /AFRelationship';
        if (!relationships.includes(relationship)) yield { where, what: relationship };
      }
    },
  },
  {
    clauses: { '3b': '6.8' },
    demand: 'Embedded files are associated with the document or a part of it.',
    *check({ pdf }) {
      const associated = new Set<string>();
      for (const { value } of pdf.survey.having('/AF')) {
        for (const item of pdf.list(value['/AF'])) associated.add(String(item));
      }
      for (const { where } of specifications(pdf)) {
        const reference = where.replace(/^object /, '');
        if (!associated.has(reference) && !where.endsWith(' /AF')) yield { where, what: 'not in an /AF' };
      }
      for (const { where, value } of nameTrees(pdf, '/EmbeddedFiles')) {
        if (!('/EF' in pdf.dictionary(value))) yield { where, what: 'no file' };
      }
    },
  },
  {
    clauses: archive('6.1.13'),
    demand: 'There is no optional content.',
    *check({ pdf }) {
      if ('/OCProperties' in pdf.catalog) yield { where: 'catalog', what: '/OCProperties' };
    },
  },
  {
    clauses: { '2b': '6.9', '3b': '6.9', '4': '6.10', ua: '7.10' },
    demand:
      'Configurations of optional content have a name of their own and, but in part 4, switch nothing by themselves.',
    *check({ pdf, profile }) {
      const names = new Set<string>();
      for (const configuration of configurations(pdf)) {
        const name = pdf.text(configuration['/Name']) ?? '';
        if (name === '' || names.has(name)) yield { where: 'optional content', what: `the name "${name}"` };
        names.add(name);
        if ('/AS' in configuration && profile !== '4') yield { where: 'optional content', what: '/AS' };
      }
    },
  },
  {
    clauses: archive(undefined, '6.9', '6.10'),
    demand: 'Orders of optional content name all of it.',
    *check({ pdf }) {
      const groups = pdf.array(pdf.dictionary(pdf.catalog['/OCProperties'])['/OCGs']);
      for (const configuration of configurations(pdf)) {
        if (!('/Order' in configuration)) continue;
        const order = new Set(referencesIn(pdf.get(configuration['/Order'])));
        for (const group of groups) {
          if (!order.has(String(group)))
            yield { where: 'optional content', what: `${group} is not in the order` };
        }
      }
    },
  },
];

function* referencesIn(value: Value): Generator<string> {
  if (value instanceof Reference) yield String(value);
  else if (isArray(value)) for (const item of value) yield* referencesIn(item);
}

function* specifications(pdf: CheckedPdf) {
  yield* pdf.survey.having('/EF');
}

function* files(pdf: CheckedPdf) {
  for (const { where, value } of specifications(pdf)) {
    const embedded = pdf.dictionary(value['/EF']);
    yield { where, file: embedded['/F'] ?? embedded['/UF'] };
  }
}

function configurations(pdf: CheckedPdf): Dictionary[] {
  const properties = pdf.dictionary(pdf.catalog['/OCProperties']);
  const all = [properties['/D'], ...pdf.array(properties['/Configs'])];
  return all.filter((item) => item !== undefined).map((item) => pdf.dictionary(item));
}
