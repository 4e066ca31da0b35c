/** Rules for annotations, form fields and actions. */
import { annotationRules } from '../../src/convert/pdf/conformance/annotation-rules.ts';
import { proves } from './proof.ts';
import type { Sample } from './sample.ts';

const OUTSIDE = 'Annotations but links and fields are in';
const SILENT = 'Annotations but links and fields say';
const NO_APPEARANCE = 'Annotations but links and pop-ups';

/** Adds an annotation that is in an Annot element and has an appearance. */
function addNote(sample: Sample, more = '/Contents(C)', type = 'Text', element = 'Annot'): void {
  sample.parts.extra = {
    text: `<</Type/Annot/Subtype/${type}/Rect[0 0 9 9]/F 4/AP<</N{appearance}>>/StructParent 3${more}>>`,
  };
  sample.parts.annot = {
    text: `<</Type/StructElem/S/${element}/P{document}/Pg{page}/K[<</Type/OBJR/Obj{extra}>>]>>`,
  };
  sample.change('page', '{field}]', '{field}{extra}]');
  sample.change('document', '{note}', '{note}{annot}');
  sample.change('structure', '2{formElement}', '2{formElement}3{annot}');
}

const LINK_ACTION = '/S/URI/URI(http://a.test)';

proves(annotationRules, [
  {
    demand: 'Annotations are of a permitted',
    name: 'a film',
    change: (sample) => addNote(sample, '/Contents(C)', 'Movie'),
  },
  {
    demand: 'Annotations are of a permitted',
    name: 'a file',
    profiles: ['1b'],
    change: (sample) => addNote(sample, '/Contents(C)', 'FileAttachment'),
  },
  {
    demand: 'Annotations are of a permitted',
    name: 'a file in part 4',
    profiles: ['4'],
    change: (sample) => addNote(sample, '/Contents(C)', 'FileAttachment'),
  },
  ...[
    { name: 'not known to viewers', flags: 5 },
    { name: 'not on screens', flags: 36 },
  ].map(({ name, flags }) => ({
    demand: 'Annotations are visible',
    name,
    change: (sample: Sample) => sample.change('link', '/F 4', `/F ${flags}`),
  })),
  {
    demand: 'Annotations are visible',
    name: 'at times not on screens',
    profiles: ['2b', '3b', '4'],
    change: (sample) => sample.change('link', '/F 4', '/F 260'),
  },
  {
    demand: 'Annotations are visible',
    name: 'without flags',
    change: (sample) => sample.change('link', '/F 4', ''),
  },
  {
    demand: 'Annotations are visible',
    name: 'hidden',
    change: (sample) => sample.change('field', '/F 4', '/F 6'),
  },
  {
    demand: 'Annotations are visible',
    name: 'not printed',
    change: (sample) => sample.change('link', '/F 4', '/F 0'),
  },
  { demand: 'Annotations are opaque', name: 'one is not', change: (sample) => sample.add('link', '/CA 0.5') },
  {
    demand: 'Annotations have colours',
    name: 'no output intent',
    change: (sample) => {
      sample.change('catalog', '/OutputIntents[{intent}]', '');
      sample.add('link', '/C[1 0 0]');
    },
    also: ['Colours are calibrated'],
  },
  {
    demand: 'Annotations have colours',
    name: 'inside, and no output intent',
    change: (sample) => {
      sample.change('catalog', '/OutputIntents[{intent}]', '');
      sample.add('link', '/IC[1 0 0]');
    },
    also: ['Colours are calibrated'],
  },
  {
    demand: NO_APPEARANCE,
    name: 'a field',
    change: (sample) => sample.change('field', '/AP<</N{appearance}>>', ''),
  },
  {
    demand: 'Appearances are normal',
    name: 'another',
    change: (sample) => sample.change('field', '<</N', '<</D{form}/N'),
  },
  {
    demand: 'Appearances are normal',
    name: 'of a button, without states',
    change: (sample) => sample.change('field', '/Tx', '/Btn'),
  },
  {
    demand: 'Appearances are normal',
    name: 'of a text, with states',
    change: (sample) => sample.change('field', '{appearance}', '<</On{appearance}>>'),
  },
  {
    demand: 'The appearance of form fields',
    name: 'left to the viewer',
    change: (sample) => sample.change('catalog', '/Fields', '/NeedAppearances true/Fields'),
  },
  {
    demand: 'The appearance of form fields',
    name: 'a field without',
    profiles: ['1b'],
    change: (sample) => sample.change('field', '/AP<</N{appearance}>>', ''),
  },
  {
    demand: 'Forms are not in XFA',
    name: 'one',
    change: (sample) => sample.change('catalog', '/Fields', '/XFA()/Fields'),
  },
  {
    demand: 'Forms are not in XFA',
    name: 'drawn by the viewer',
    change: (sample) => sample.add('catalog', '/NeedsRendering true'),
  },
  {
    demand: 'Actions are permitted',
    name: 'to an attachment, in part 1',
    profiles: ['1b'],
    change: (sample) => sample.change('link', LINK_ACTION, '/S/GoToE/D[0/Fit]'),
  },
  {
    demand: 'Actions are permitted',
    name: 'a program',
    change: (sample) => sample.change('link', LINK_ACTION, '/S/Launch/F(a.exe)'),
  },
  {
    demand: 'Actions are permitted',
    name: 'a script after another action',
    change: (sample) => sample.change('link', LINK_ACTION, `${LINK_ACTION}/Next<</S/JavaScript/JS(1)>>`),
  },
  {
    demand: 'Actions are permitted',
    name: 'a script of the document',
    change: (sample) =>
      sample.add('catalog', '/Names<</JavaScript<</Kids[<</Names[(a)<</S/JavaScript/JS(1)>>]>>]>>>>'),
  },
  {
    demand: 'Actions are permitted',
    name: 'a script when the document is opened',
    change: (sample) => sample.change('catalog', '/S/GoTo/D[{page}/Fit]', '/S/JavaScript/JS(1)'),
  },
  {
    demand: 'Actions are permitted',
    name: 'printing',
    change: (sample) => sample.change('link', LINK_ACTION, '/S/Named/N/Print'),
  },
  {
    demand: 'The document and its pages have no actions',
    name: 'the document',
    change: (sample) => sample.add('catalog', '/AA<</WC<</S/GoTo/D[{page}/Fit]>>>>'),
  },
  {
    demand: 'The document and its pages have no actions',
    name: 'a page',
    profiles: ['2b', '3b'],
    change: (sample) => sample.add('page', '/AA<</O<</S/GoTo/D[{page}/Fit]>>>>'),
  },
  {
    demand: 'Form fields have no actions',
    name: 'one',
    change: (sample) => sample.add('field', '/A<</S/URI/URI()>>'),
  },
  {
    demand: 'Form fields have no actions',
    name: 'one that an event triggers',
    profiles: ['1b', '2b', '3b'],
    change: (sample) => sample.add('field', '/AA<</Fo<</S/URI/URI()>>>>'),
  },
  {
    demand: OUTSIDE,
    name: 'in a paragraph',
    change: (sample) => addNote(sample, '/Contents(C)', 'Text', 'P'),
  },
  { demand: SILENT, name: 'without text', change: (sample) => addNote(sample, '') },
  {
    demand: 'Form fields have a name',
    name: 'none',
    change: (sample) => sample.change('field', '/TU(Name)', ''),
  },
  { demand: 'The tab order', name: 'none', change: (sample) => sample.change('page', '/Tabs/S', '') },
  {
    demand: 'The tab order',
    name: 'a string',
    change: (sample) => sample.change('page', '/Tabs/S', '/Tabs(S)'),
  },
  {
    demand: 'Form fields are in',
    name: 'a part',
    change: (sample) => sample.change('formElement', '/Form', '/Sect'),
  },
  {
    demand: 'Form fields are in',
    name: 'an element that does not have it',
    change: (sample) => sample.change('formElement', '{field}', '{link}'),
  },
  {
    demand: 'Form fields are in',
    name: 'with text',
    change: (sample) => sample.change('formElement', '/K[', '/K[9'),
  },
  {
    demand: 'Form fields are in',
    name: 'with another annotation',
    change: (sample) => sample.change('formElement', '/K[', '/K[<</Type/OBJR/Obj{link}>>'),
  },
  {
    demand: 'Links are in',
    name: 'a part',
    change: (sample) => sample.change('linkElement', '/Link', '/Span'),
  },
  {
    demand: 'Links are in',
    name: 'no element',
    change: (sample) => sample.change('link', '/StructParent 1', ''),
  },
  {
    demand: 'Links say',
    name: 'nothing',
    change: (sample) => sample.change('link', '/Contents(B)', '/Contents()'),
  },
  {
    demand: 'There are no marks',
    name: 'one',
    change: (sample) => addNote(sample, '/Contents(C)', 'PrinterMark'),
  },
]);
