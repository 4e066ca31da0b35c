/** Rules for tagging and for the elements of the structure. */
import { nestingRules } from '../../src/convert/pdf/conformance/nesting-rules.ts';
import { taggingRules } from '../../src/convert/pdf/conformance/tagging-rules.ts';
import { proves } from './proof.ts';
import type { Sample } from './sample.ts';

const UNTAGGED = 'All that pages draw';
const PARENTS = 'The parent tree names';
const MISPLACED = 'Tables, lists and tables of contents';
const ROWS = 'Rows of a table';
const NOTES = 'Notes have';

const edit = (part: string, from: string, to: string) => (sample: Sample) => sample.change(part, from, to);
const draw = (from: string, to: string) => (sample: Sample) => sample.changeData('content', from, to);

proves(
  [...taggingRules, ...nestingRules],
  [
    {
      demand: 'The document says',
      name: 'nothing',
      change: edit('catalog', '/MarkInfo<</Marked true>>', ''),
    },
    {
      demand: 'No tags are suspect',
      name: 'all',
      change: edit('catalog', '/Marked', '/Suspects true/Marked'),
    },
    {
      demand: 'The document has a structure',
      name: 'none',
      change: edit('catalog', '/StructTreeRoot{structure}', ''),
      also: [UNTAGGED, 'Links are in', 'Form fields are in'],
    },
    {
      demand: 'The document has a structure',
      name: 'without a parent',
      change: edit('p', '/P{document}', ''),
    },
    {
      demand: 'The document has a structure',
      name: 'another parent',
      change: edit('p', '{document}', '{h1}'),
    },
    {
      demand: 'Viewers show',
      name: 'the name of the file',
      change: edit('catalog', 'Title true', 'Title false'),
    },
    { demand: UNTAGGED, name: 'a line', change: draw('/Artifact BMC q 1', 'q 1') },
    {
      demand: UNTAGGED,
      name: 'marks without a number',
      change: draw('/Figure<</MCID 6>>BDC', '/Figure BMC'),
    },
    {
      demand: UNTAGGED,
      name: 'a number that no element has',
      change: edit('figure', '[6]', '[]'),
      also: [PARENTS],
    },
    {
      demand: UNTAGGED,
      name: 'a form that is tagged elsewhere',
      change: draw('/Artifact BMC', '/Fm1 Do /Artifact BMC'),
    },
    { demand: PARENTS, name: 'another element', change: edit('structure', '{figure}', '{note}') },
    { demand: PARENTS, name: 'nothing', change: edit('page', '/StructParents 0', '') },
    {
      demand: 'No artifact is inside',
      name: 'one',
      change: draw('q /G1', '/Artifact BMC 0 0 9 9 re f EMC q /G1'),
    },
    {
      demand: 'No tagged content is inside',
      name: 'a picture',
      change: draw('/Figure<</MCID 6>>BDC', 'EMC /Artifact BMC /Figure<</MCID 6>>BDC'),
    },
    { demand: 'Types of elements', name: 'one without a role', change: edit('structure', '/Standard/P', '') },
    {
      demand: 'Types of elements',
      name: 'a role that is none',
      change: edit('structure', '/Standard/P', '/Standard/Q'),
    },
    {
      demand: 'The role map has no circles',
      name: 'one',
      change: edit('structure', '/Standard/P', '/Standard/P/X/Y/Y/X'),
    },
    {
      demand: 'Standard types',
      name: 'another one',
      change: edit('structure', '/Standard/P', '/Standard/P/H6/H'),
    },
    {
      demand: 'A form with marked content',
      name: 'twice',
      change: (sample) => {
        sample.add('form', '/StructParents 3');
        sample.changeData('content', '/Note<<', '/Artifact BMC /Fm1 Do EMC /Note<<');
      },
    },

    {
      demand: MISPLACED,
      name: 'a paragraph in a table',
      change: edit('row1', '/TR', '/P'),
      also: ['Tables have header cells'],
    },
    { demand: MISPLACED, name: 'a list item without list', change: edit('list', '/S/L', '/S/Sect') },
    { demand: MISPLACED, name: 'a paragraph in a list item', change: edit('body', '/LBody', '/P') },
    { demand: 'Tables have at most one', name: 'two heads', change: edit('rows', '/TBody', '/THead') },
    {
      demand: 'Tables have at most one',
      name: 'no body',
      change: (sample) => {
        sample.change('table', '{rows}', '{row2}');
        sample.change('row2', '{rows}', '{table}');
      },
    },
    {
      demand: 'Tables have at most one',
      name: 'a caption between',
      change: (sample) => {
        sample.parts.caption = { text: '<</Type/StructElem/S/Caption/P{table}>>' };
        sample.change('table', '{head}', '{head}{caption}');
      },
    },
    {
      demand: 'Tables have at most one',
      name: 'a caption at the end of a list',
      change: (sample) => {
        sample.parts.caption = { text: '<</Type/StructElem/S/Caption/P{list}>>' };
        sample.change('list', '{item}', '{item}{caption}');
      },
    },
    {
      demand: ROWS,
      name: 'two cells at one place',
      change: (sample) => {
        const attributes = '/A<</O/Table/Scope/Column/RowSpan 2>>';
        sample.parts.th2 = { text: `<</Type/StructElem/S/TH/P{row1}${attributes}>>` };
        sample.change('row1', '{th}', '{th}{th2}');
        sample.change('td', '/K', '/A<</O/Table/ColSpan 2>>/K');
      },
    },
    {
      demand: ROWS,
      name: 'a cell more',
      change: (sample) => {
        sample.parts.td2 = { text: '<</Type/StructElem/S/TD/P{row2}>>' };
        sample.change('row2', '{td}', '{td}{td2}');
      },
    },
    {
      demand: ROWS,
      name: 'a cell that is wider',
      change: edit('td', '/K', '/A<</O/Table/ColSpan 2>>/K'),
    },
    { demand: ROWS, name: 'a cell that is too high', change: edit('td', '/K', '/A<</O/Table/RowSpan 2>>/K') },
    { demand: 'Headings start', name: 'at the second level', change: edit('h1', '/H1', '/H2') },
    { demand: 'Headings start', name: 'a level left out', change: edit('h2', '/H2', '/H3') },
    {
      demand: 'Headings start',
      name: 'a level left out after a higher one',
      change: (sample) => {
        sample.parts.h1again = { text: '<</Type/StructElem/S/H1/P{document}>>' };
        sample.parts.h3 = { text: '<</Type/StructElem/S/H3/P{document}>>' };
        sample.change('document', '{h2}', '{h2}{h1again}{h3}');
      },
    },
    { demand: 'Headings have levels', name: 'here, but not there', change: edit('h2', '/H2', '/H') },
    {
      demand: 'Headings have levels',
      name: 'two without levels',
      change: (sample) => {
        sample.change('h1', '/H1', '/H');
        sample.change('h2', '/H2', '/H');
      },
    },
    { demand: 'Tables have header cells', name: 'none', change: edit('th', '/TH', '/TD') },
    { demand: 'Tables have header cells', name: 'for nothing', change: edit('th', '/Scope/Column', '') },
    {
      demand: 'Tables have header cells',
      name: 'a name that no header cell has',
      change: edit('td', '/K', '/A<</O/Table/Headers[(x)]>>/K'),
    },
    { demand: NOTES, name: 'none', change: edit('note', '/ID(n1)', '') },
    {
      demand: NOTES,
      name: 'one for two',
      change: (sample) => {
        sample.parts.note2 = { text: '<</Type/StructElem/S/Note/P{document}/ID(n1)>>' };
        sample.change('document', '{note}', '{note}{note2}');
      },
    },
  ],
);
