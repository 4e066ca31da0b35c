/** Rules for what readers say aloud: alternative texts, and the language of every text. */
import type { Value } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { PRIVATE } from './content.ts';
import type { Finding, Rule, Subject } from './rule.ts';
import type { Element } from './structure.ts';
import { itemsOf } from './xmp.ts';

const TAG = /^[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*$/;

export const languageRules: readonly Rule[] = [
  {
    clauses: { '4': '6.2.10.8' },
    demand: 'Replacement texts have no characters for private use.',
    *check({ pdf, content }) {
      yield* content.privateTexts;
      for (const place of pdf.survey.having('/ActualText')) {
        if (PRIVATE.test(pdf.text(place.value['/ActualText']) ?? ''))
          yield { where: place.where, what: '/ActualText' };
      }
    },
  },
  {
    clauses: { ua: '7.2' },
    demand: 'Every text has a language: of its own, of its element, or of the document.',
    check: unknownLanguage,
  },
  {
    clauses: { ua: '7.2' },
    demand: 'Titles of the outline, notes, names of fields and metadata have a language.',
    check: unknownLanguageElsewhere,
  },
  {
    clauses: { ua: '7.2' },
    demand: 'Languages are language tags.',
    *check({ pdf }) {
      for (const place of pdf.survey.having('/Lang')) {
        const language = pdf.text(place.value['/Lang']) ?? '';
        if (!TAG.test(language)) yield { where: place.where, what: `"${language}"` };
      }
    },
  },
  {
    clauses: { ua: '7.3' },
    demand: 'Figures have an alternative text.',
    *check(subject) {
      yield* withoutAlternative(subject, '/Figure');
    },
  },
  {
    clauses: { ua: '7.7' },
    demand: 'Formulas have an alternative text.',
    *check(subject) {
      yield* withoutAlternative(subject, '/Formula');
    },
  },
];

function* withoutAlternative({ pdf, structure }: Subject, type: string): Iterable<Finding> {
  for (const element of structure.elements) {
    const { dictionary } = element;
    if (element.standardType !== type) continue;
    const hasText = pdf.text(dictionary['/Alt']) || pdf.text(dictionary['/ActualText']) !== undefined;
    if (!hasText) yield { where: element.where, what: 'neither /Alt nor /ActualText' };
  }
}

function hasLanguage(pdf: CheckedPdf, element: Element | undefined): boolean {
  for (let node = element; node; node = node.parent) if ('/Lang' in node.dictionary) return true;
  return '/Lang' in pdf.catalog;
}

function* unknownLanguage({ pdf, content, structure }: Subject): Iterable<Finding> {
  const seen = new Set<Element | undefined>();
  for (const [mark, where] of content.textInMarks) {
    const element = mark && structure.byContent.get(mark);
    if (seen.has(element)) continue;
    seen.add(element);
    if (!hasLanguage(pdf, element)) yield { where, what: `the text of ${element?.where ?? 'no element'}` };
  }
  for (const element of structure.elements) {
    for (const key of ['/Alt', '/ActualText', '/E']) {
      const isUnknown = key in element.dictionary && !hasLanguage(pdf, element);
      if (isUnknown) yield { where: element.where, what: key };
    }
  }
}

function* unknownLanguageElsewhere({ pdf, xmp, structure }: Subject): Iterable<Finding> {
  if ('/Lang' in pdf.catalog) return;
  if ('/First' in pdf.dictionary(pdf.catalog['/Outlines'])) yield { where: 'outline', what: 'its titles' };
  for (const { dictionary, where } of pdf.pages) {
    for (const item of pdf.array(dictionary['/Annots'])) {
      const annotation = pdf.dictionary(item);
      const element = structure.parentOfObject(pdf.number(annotation['/StructParent']));
      if ('/Lang' in annotation || hasLanguage(pdf, element)) continue;
      for (const key of ['/Contents', '/TU']) if (isText(pdf, annotation[key])) yield { where, what: key };
    }
  }
  for (const node of xmp.properties) {
    const languages = (itemsOf(node) ?? []).flatMap((item) => [...item.attributes.values()]);
    if (languages.length > 0 && languages.every((language) => language === 'x-default'))
      yield { where: 'metadata', what: `${node.prefix}:${node.name}` };
  }
}

function isText(pdf: CheckedPdf, value: Value | undefined): boolean {
  return Boolean(pdf.text(value));
}
