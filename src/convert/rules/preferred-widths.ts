/**
 * The columns that Word makes of what a table asks for: the widths that its cells prefer (`w:tcW`, ISO/IEC 29500-1, 17.4.71), and
 * in a table that fits its content (17.18.87) the lines of their text. The stored columns (`w:tblGrid`, 17.4.48) are no more than
 * what the last program found. Programs other than Word often store a placeholder: npm `docx` columns of 100 twips, pandoc none.
 */

/** In twips, or in fiftieths of a per cent of the room. */
export interface Length {
  readonly type: 'dxa' | 'pct';
  readonly value: number;
}

/** Lengths in twips, with the margins of cells. */
interface WishedColumn {
  /** As stored; 0 where nothing is. */
  readonly stored: number;
  /** What its cells prefer; undefined where they say nothing, or different things. */
  readonly preferred: Length | undefined;
  /** Of its longest word and of its longest line, as far as they are known. */
  readonly need: number;
  readonly line: number;
}

interface WishedTable {
  readonly columns: readonly WishedColumn[];
  readonly isFixed: boolean;
  /** Whether all text in it has a known width. */
  readonly isKnown: boolean;
  /** Of the table; undefined where its columns decide. */
  readonly width: number | undefined;
  /** As wide as it may be; undefined where that is not known. */
  readonly room: number | undefined;
}

/** Shares of the room, in fiftieths of a per cent. */
export const HUNDRED_PER_CENT = 5000;
/** Too narrow for a letter and the usual margins, in twips. */
const NO_ROOM = 316;
/** Differences that programs make by rounding: in twips, and relative. */
const ROUNDING = 30;
const SHARE = 0.05;

/** The widths of the columns in Word, in twips; undefined where the stored ones stay. */
export function wishedWidths(table: WishedTable): number[] | undefined {
  const { columns, isFixed, width, room } = table;
  const isPlaceholder = storesPlaceholder(table);
  const base = width ?? room ?? sum(columns.map(({ stored }) => stored));
  const preferred = columns.map((column) => inTwips(column.preferred, base));
  const all = preferred.filter((each) => each !== undefined);
  if (all.length === columns.length) {
    const wished = isFixed ? scaled(all, width ?? sum(all)) : kept(table, all);
    const isSame = wished.every((each, index) => isNear(each, columns[index]?.stored ?? 0));
    return isPlaceholder || (!isSame && (isFixed || isCertain(table, all))) ? wished : undefined;
  }
  if (!isPlaceholder) return undefined;
  if (!isFixed) return fitted(table, preferred);
  if (all.length === 0 || width === undefined || sum(all) >= width) return undefined;
  const rest = Math.round((width - sum(all)) / (columns.length - all.length));
  return preferred.map((each) => each ?? rest);
}

/** No program has found these widths: there is no room in them, or they are alike and do not make the table. */
function storesPlaceholder({ columns, width }: WishedTable): boolean {
  const stored = columns.map((column) => column.stored);
  if (stored.some((each) => each <= 0)) return true;
  if (stored.some((each) => each !== stored[0])) return false;
  const hasNoRoom = columns.some(({ stored: own, need }) => own < Math.min(need, NO_ROOM));
  return hasNoRoom || (width !== undefined && !isNear(sum(stored), width));
}

/**
 * Word has room for what all cells prefer. Where it has not, its columns depend on all that is in them, and the stored ones may be
 * Word's own.
 */
function isCertain({ columns, isKnown, width, room }: WishedTable, preferred: readonly number[]): boolean {
  const wide = preferred.map((each, index) => Math.max(each, columns[index]?.need ?? 0));
  const most = room === undefined ? sum(columns.map(({ stored }) => stored)) : (width ?? room);
  return isKnown && sum(wide) <= most + ROUNDING;
}

/** As wide as all cells prefer and their words need, and the table as wide as it is to be, or as there is room. */
function kept({ columns, width, room }: WishedTable, preferred: readonly number[]): number[] {
  const least = columns.map(({ need }) => need);
  const wide = preferred.map((each, index) => Math.max(each, least[index] ?? 0));
  const most = width ?? Math.min(sum(wide), room ?? sum(wide));
  if (sum(least) >= most) return scaled(preferred, most);
  return sum(wide) > most ? between(least, wide, most) : scaled(wide, most);
}

/** As wide as the content, and not wider than there is room. */
function fitted(
  { columns, width, room }: WishedTable,
  preferred: readonly (number | undefined)[],
): number[] | undefined {
  const most = width ?? room;
  if (most === undefined) return undefined;
  const least = columns.map(({ need }) => need);
  // What cells prefer stays, and other columns share the rest by their content.
  const kept = columns.map(({ need }, index) => Math.max(need, preferred[index] ?? 0));
  const wanted = columns.map(({ line }, index) =>
    Math.max(kept[index] ?? 0, preferred[index] === undefined ? line : 0),
  );
  const all = sum(wanted);
  if (all <= most) {
    const open = sum(wanted.filter((_, index) => preferred[index] === undefined));
    const more = width === undefined ? 0 : (most - all) / open;
    return wanted.map((each, index) => Math.round(preferred[index] === undefined ? each * (1 + more) : each));
  }
  return sum(kept) <= most ? between(kept, wanted, most) : between(least, kept, most);
}

/** Widths in the same proportions with this sum. */
function scaled(widths: readonly number[], total: number): number[] {
  const scale = total / sum(widths);
  return widths.map((each) => Math.round(each * scale));
}

/** Widths with this sum between others, each as near to the larger one. */
function between(smaller: readonly number[], larger: readonly number[], total: number): number[] {
  const [few, all] = [sum(smaller), sum(larger)];
  const share = few < total && few < all ? (total - few) / (all - few) : 0;
  return smaller.map((each, index) => Math.round(each + ((larger[index] ?? 0) - each) * share));
}

function inTwips(length: Length | undefined, base: number): number | undefined {
  if (length === undefined || !(length.value > 0)) return undefined;
  return length.type === 'dxa' ? length.value : (base * length.value) / HUNDRED_PER_CENT;
}

function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(ROUNDING, other * SHARE);
}

export const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);
