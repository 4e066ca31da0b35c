/** Rules for what readers say aloud. */
import { languageRules } from '../../src/convert/pdf/conformance/language-rules.ts';
import { proves } from './proof.ts';
import type { Sample } from './sample.ts';

const TEXTS = 'Every text has a language';
const OTHERS = 'Titles of the outline';

/** Every element but the first has a language. */
function withoutLanguage(sample: Sample): void {
  sample.change('catalog', '/Lang(en-GB)', '');
  for (const name of ['p', 'table', 'list', 'figure', 'formElement', 'note', 'h2'])
    sample.add(name, '/Lang(en)');
}

/** Nothing but a kind of text lacks a language. */
function onlyTexts(sample: Sample): void {
  withoutLanguage(sample);
  sample.change('catalog', '/Outlines<</First{outline}/Last{outline}/Count 1>>', '');
  sample.change('link', '/Contents(B)', '');
  sample.change('field', '/TU(Name)', '');
  for (const property of ['A &amp; B', 'D'])
    sample.changeData('metadata', `"x-default">${property}`, `"en">${property}`);
}

proves(languageRules, [
  {
    demand: 'Replacement texts',
    name: 'of an element',
    change: (sample) => sample.add('figure', '/ActualText<FEFFE000>'),
  },
  {
    demand: 'Replacement texts',
    name: 'of a part of the page',
    change: (sample) => sample.changeData('content', '/Figure<<', '/Figure<</ActualText<FEFFE000>'),
  },
  { demand: TEXTS, name: 'a heading', change: onlyTexts, also: ['Links say', 'Form fields have a name'] },
  {
    demand: TEXTS,
    name: 'an alternative text',
    change: (sample) => {
      onlyTexts(sample);
      sample.add('h1', '/Lang(en)');
      sample.change('figure', '/Lang(en)', '');
    },
    also: ['Links say', 'Form fields have a name'],
  },
  {
    demand: TEXTS,
    name: 'the long form of an abbreviation',
    change: (sample) => {
      onlyTexts(sample);
      sample.add('h1', '/Lang(en)');
      sample.change('note', '/Lang(en)', '/E(Abbreviation)');
    },
    also: ['Links say', 'Form fields have a name'],
  },
  {
    demand: OTHERS,
    name: 'all of them',
    change: (sample) => {
      withoutLanguage(sample);
      sample.add('h1', '/Lang(en)');
    },
  },
  {
    demand: 'Languages are',
    name: 'another form',
    change: (sample) => sample.change('catalog', 'en-GB', 'en_GB'),
  },
  { demand: 'Figures have', name: 'none', change: (sample) => sample.change('figure', '/Alt(A dot)', '') },
  { demand: 'Figures have', name: 'an empty one', change: (sample) => sample.change('figure', 'A dot', '') },
  {
    demand: 'Formulas have',
    name: 'none',
    change: (sample) => {
      sample.change('figure', '/Figure', '/Formula');
      sample.change('figure', '/Alt(A dot)', '');
    },
  },
]);
