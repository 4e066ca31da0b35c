/** Rules for tagging: all content is in the structure or an artifact, and the structure is one of PDF. */
import { Reference, type Value } from '../objects/values.ts';
import type { Rule } from './rule.ts';
import { Structure } from './structure.ts';

export const taggingRules: readonly Rule[] = [
  {
    clauses: { ua: '6.2' },
    demand: 'The document says that it is tagged.',
    *check({ pdf }) {
      const marked = pdf.get(pdf.dictionary(pdf.catalog['/MarkInfo'])['/Marked']);
      if (marked !== true) yield { where: 'catalog', what: `/Marked is ${marked}` };
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'No tags are suspect.',
    *check({ pdf }) {
      if (pdf.get(pdf.dictionary(pdf.catalog['/MarkInfo'])['/Suspects']) === true)
        yield { where: 'catalog', what: '/Suspects' };
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'The document has a structure, whose elements know their parents.',
    *check({ pdf, structure }) {
      if (structure.elements.length === 0)
        yield { where: 'catalog', what: 'no /StructTreeRoot with elements' };
      for (const element of structure.elements) {
        const { dictionary, parent } = element;
        const above = parent ? parent.reference : pdf.catalog['/StructTreeRoot'];
        if (!isSame(dictionary['/P'], above))
          yield { where: element.where, what: `/P is ${dictionary['/P']}` };
      }
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'Viewers show the title of the document.',
    *check({ pdf }) {
      const shows = pdf.get(pdf.dictionary(pdf.catalog['/ViewerPreferences'])['/DisplayDocTitle']);
      if (shows !== true) yield { where: 'catalog', what: `/DisplayDocTitle is ${shows}` };
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'All that pages draw is in an element or an artifact.',
    *check({ content, structure }) {
      yield* content.unmarked;
      for (const marked of content.marked.values()) {
        if (!structure.byContent.get(marked))
          yield { where: marked.where, what: `marked content ${marked} is in no element` };
      }
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'The parent tree names the element that has each marked content.',
    *check({ pdf, content, structure }) {
      for (const marked of content.marked.values()) {
        const parents = pdf.number(pdf.dictionary(marked.owner)['/StructParents']);
        const named = structure.parentOfContent(parents, marked.number);
        if (named === structure.byContent.get(marked)) continue;
        const what = `marked content ${marked} is in ${named?.where ?? 'nothing'} by the parent tree`;
        yield { where: marked.where, what };
      }
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'No artifact is inside tagged content.',
    check: ({ content }) => content.artifactsInContent,
  },
  {
    clauses: { ua: '7.1' },
    demand: 'No tagged content is inside an artifact.',
    check: ({ content }) => content.contentInArtifacts,
  },
  {
    clauses: { ua: '7.1' },
    demand: 'Types of elements are standard ones, or mapped to these.',
    *check({ structure }) {
      const types = new Map(structure.elements.map((element) => [element.type, element]));
      for (const [type, { standardType }] of types) {
        if (standardType === undefined) yield { where: 'role map', what: `${type} is mapped to nothing` };
      }
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'The role map has no circles.',
    *check({ structure }) {
      for (const type of Object.keys(structure.roles)) {
        if (structure.isCircular(type)) yield { where: 'role map', what: type };
      }
    },
  },
  {
    clauses: { ua: '7.1' },
    demand: 'Standard types have no other role.',
    *check({ structure }) {
      for (const type of Object.keys(structure.roles)) {
        if (Structure.isStandard(type))
          yield { where: 'role map', what: `${type} is ${structure.roles[type]}` };
      }
    },
  },
  {
    clauses: { ua: '7.20' },
    demand: 'A form with marked content is drawn once.',
    *check({ pdf, content }) {
      for (const { form, parents } of content.forms.values()) {
        const hasContent = '/StructParents' in pdf.dictionary(form);
        if (hasContent && parents.size > 1)
          yield { where: `form ${form}`, what: `drawn in ${[...parents].join(', ')}` };
      }
    },
  },
];

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return one instanceof Reference && other instanceof Reference && one.number === other.number;
}
