/** The elements of tracked changes (ISO/IEC 29500-1, 17.13.5), by their local names. */

/** Content that is inserted, deleted or moved; and the mark of a paragraph, a row or an item of a list that is. */
export const contentChanges: readonly string[] = ['ins', 'del', 'moveFrom', 'moveTo'];

/** Those of them that are laid out only where changes are shown. */
export const deletions: readonly string[] = ['del', 'moveFrom'];

/** Marks of cells. */
export const cellChanges: readonly string[] = ['cellIns', 'cellDel', 'cellMerge'];

/** Former properties. */
export const propertyChanges: readonly string[] = [
  ...['rPrChange', 'pPrChange', 'sectPrChange', 'numberingChange'],
  ...['tblPrChange', 'tblPrExChange', 'tblGridChange', 'trPrChange', 'tcPrChange'],
];

export const changeElements: readonly string[] = [...contentChanges, ...cellChanges, ...propertyChanges];
