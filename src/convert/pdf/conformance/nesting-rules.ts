/** Rules for the elements of the structure: which are inside which, and what tables and headings look like. */
import type { CheckedPdf } from './checked-pdf.ts';
import { TooMuch } from './patience.ts';
import type { Finding, Rule, Subject } from './rule.ts';
import type { Element, Structure } from './structure.ts';

/** Cells of a table, counted in each row and column. */
const MAX_CELLS = 1_000_000;
/** The elements that each element may have inside; text between them is not looked at. */
const inside: Readonly<Record<string, readonly string[]>> = {
  '/Table': ['/TR', '/THead', '/TBody', '/TFoot', '/Caption'],
  '/THead': ['/TR'],
  '/TBody': ['/TR'],
  '/TFoot': ['/TR'],
  '/TR': ['/TH', '/TD'],
  '/L': ['/L', '/LI', '/Caption'],
  '/LI': ['/Lbl', '/LBody'],
  '/TOC': ['/TOC', '/TOCI', '/Caption'],
};
/** The elements that each element must be inside of. */
const outside: Readonly<Record<string, readonly string[]>> = {
  '/TR': ['/Table', '/THead', '/TBody', '/TFoot'],
  '/THead': ['/Table'],
  '/TBody': ['/Table'],
  '/TFoot': ['/Table'],
  '/TH': ['/TR'],
  '/TD': ['/TR'],
  '/LI': ['/L'],
  '/LBody': ['/LI'],
  '/TOCI': ['/TOC'],
};

export const nestingRules: readonly Rule[] = [
  {
    clauses: { ua: '7.2' },
    demand:
      'Tables, lists and tables of contents have the elements that belong there, and these are nowhere else.',
    check: misplaced,
  },
  {
    clauses: { ua: '7.2' },
    demand:
      'Tables have at most one head, foot and caption, beside which there is a body; captions are at an end.',
    check: oddTables,
  },
  {
    clauses: { ua: '7.2' },
    demand: 'Rows of a table have the same number of columns, and cells do not overlap.',
    *check({ pdf, structure }) {
      for (const table of ofType(structure, '/Table')) yield* unevenRows(pdf, structure, table);
    },
  },
  {
    clauses: { ua: '7.4.2' },
    demand: 'Headings start at the first level and skip none.',
    *check({ structure }) {
      let level = 0;
      for (const element of structure.elements) {
        const next = Number(/^\/H([1-6])$/.exec(element.standardType ?? '')?.[1] ?? 0);
        if (next > level + 1) yield { where: element.where, what: `level ${next} after ${level}` };
        if (next > 0) level = next;
      }
    },
  },
  {
    clauses: { ua: '7.4.4' },
    demand: 'Headings have levels everywhere or nowhere, and without levels one element has one heading.',
    *check({ structure }) {
      const plain = ofType(structure, '/H');
      const [levelled] = structure.elements.filter(({ standardType }) =>
        /^\/H[1-6]$/.test(standardType ?? ''),
      );
      if (plain[0] && levelled) yield { where: plain[0].where, what: `H beside ${levelled.type}` };
      for (const element of structure.elements) {
        if (element.children.filter(({ standardType }) => standardType === '/H').length > 1)
          yield { where: element.where, what: 'two H' };
      }
    },
  },
  {
    clauses: { ua: '7.5' },
    demand: 'Tables have header cells that say for what they are, or cells name their headers.',
    check: missingHeaders,
  },
  {
    clauses: { ua: '7.9' },
    demand: 'Notes have an identifier of their own.',
    *check({ pdf, structure }) {
      const known = new Set<string>();
      for (const { where, dictionary } of ofType(structure, '/Note')) {
        const id = pdf.text(dictionary['/ID']);
        if (!id || known.has(id)) yield { where, what: id ? `the identifier ${id} again` : 'no /ID' };
        if (id) known.add(id);
      }
    },
  },
];

function ofType({ elements }: Structure, type: string): Element[] {
  return elements.filter(({ standardType }) => standardType === type);
}

function* misplaced({ structure }: Subject): Iterable<Finding> {
  for (const element of structure.elements) {
    const { standardType = '', parent, children } = element;
    const permitted = inside[standardType];
    for (const child of children) {
      const type = child.standardType ?? child.type;
      if (permitted && !permitted.includes(type)) yield { where: element.where, what: `${type} in it` };
    }
    const required = outside[standardType];
    const found = parent?.standardType ?? 'nothing';
    if (required && !required.includes(found)) yield { where: element.where, what: `it is in ${found}` };
  }
}

function* oddTables({ structure }: Subject): Iterable<Finding> {
  for (const element of structure.elements) {
    const { standardType, children } = element;
    if (!['/Table', '/L', '/TOC'].includes(standardType ?? '')) continue;
    const { where } = element;
    const kinds = children.map((child) => child.standardType);
    const count = (kind: string) => kinds.filter((item) => item === kind).length;
    for (const kind of ['/THead', '/TFoot', '/Caption'])
      if (count(kind) > 1) yield { where, what: `two ${kind}` };
    const hasParts = count('/THead') + count('/TFoot') > 0;
    if (hasParts && count('/TBody') === 0) yield { where, what: 'no /TBody' };
    const at = kinds.indexOf('/Caption');
    const isLast = standardType === '/Table' && at === kinds.length - 1;
    if (at > 0 && !isLast) yield { where, what: 'a caption between other elements' };
  }
}

function rowsOf(table: Element): Element[] {
  return table.children.flatMap((child) => (child.standardType === '/TR' ? [child] : rowsOf(child)));
}

/** The cells of each row, with those of former rows that reach into it. */
function* unevenRows(pdf: CheckedPdf, structure: Structure, table: Element): Iterable<Finding> {
  const span = (cell: Element, key: string) => pdf.number(structure.attribute(cell, '/Table', key)) ?? 1;
  const rows = rowsOf(table);
  const taken = rows.map(() => new Set<number>());
  let cellsLeft = MAX_CELLS;
  for (const [index, row] of rows.entries()) {
    let column = 0;
    for (const cell of row.children) {
      while (taken[index]?.has(column)) column += 1;
      const [columns, height] = [span(cell, '/ColSpan'), span(cell, '/RowSpan')];
      if (index + height > rows.length) yield { where: cell.where, what: 'it reaches below its table' };
      for (let y = index; y < Math.min(index + height, rows.length); y += 1) {
        cellsLeft -= columns;
        if (cellsLeft < 0) throw new TooMuch('a table has too many cells');
        for (let x = column; x < column + columns; x += 1) {
          if (taken[y]?.has(x)) yield { where: cell.where, what: 'it overlaps another cell' };
          taken[y]?.add(x);
        }
      }
      column += columns;
    }
  }
  const widths = new Set(taken.map((columns) => columns.size));
  if (widths.size > 1) yield { where: table.where, what: `rows of ${[...widths].join(', ')} columns` };
}

/** Cells without headers: a table needs a header cell with a scope, or its cells name header cells. */
function* missingHeaders({ pdf, structure }: Subject): Iterable<Finding> {
  const ids = new Set(ofType(structure, '/TH').map(({ dictionary }) => pdf.text(dictionary['/ID'])));
  for (const table of ofType(structure, '/Table')) {
    const cells = rowsOf(table).flatMap((row) => row.children);
    const headers = cells.filter(({ standardType }) => standardType === '/TH');
    const named = (cell: Element) => pdf.array(structure.attribute(cell, '/Table', '/Headers'));
    const data = cells.filter(({ standardType }) => standardType === '/TD');
    const unknown = data.flatMap(named).find((id) => !ids.has(pdf.text(id)));
    if (unknown !== undefined) yield { where: table.where, what: `no header cell is ${pdf.text(unknown)}` };
    if (data.every((cell) => named(cell).length > 0)) continue;
    const scopes = headers.map((cell) => pdf.name(structure.attribute(cell, '/Table', '/Scope')));
    if (headers.length === 0) yield { where: table.where, what: 'no header cells' };
    else if (scopes.includes(undefined)) yield { where: table.where, what: 'a header cell without /Scope' };
  }
}
