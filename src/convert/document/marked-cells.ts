/**
 * Cells with diagonal lines (ISO/IEC 29500-1, 17.4.73 and .80), which LibreOffice does not draw. The print view gives them a shading
 * of a colour that nothing else has; where the PDF has that colour, the lines are drawn in its place.
 */

/** A line from corner to corner. */
export interface CellLine {
  /** Six hexadecimal digits in capital letters. */
  readonly colour: string;
  /** In points. */
  readonly width: number;
}

/** What all cells of a colour have. */
export interface MarkedCells {
  /** Six hexadecimal digits in capital letters. */
  readonly mark: string;
  /** The colour of their own shading; undefined where they have none. */
  readonly fill: string | undefined;
  /** From the upper left corner, and from the lower left one. */
  readonly falling: CellLine | undefined;
  readonly rising: CellLine | undefined;
  /** How many cells there are. */
  count: number;
}

/** How many lines a cell has. */
export function linesIn({ falling, rising }: Pick<MarkedCells, 'falling' | 'rising'>): number {
  return (falling ? 1 : 0) + (rising ? 1 : 0);
}
