/**
 * Lengths of WordprocessingML: twentieths of a point, or with a unit in strict documents (ISO/IEC 29500-1,
 * 22.9.2.15).
 */

const TWIPS = 20;
const LENGTH = /^(-?\d{1,9}(?:\.\d{1,20})?)(mm|cm|in|pt|pc|pi)?$/;
/** In points. `pc` and `pi` are the same unit. */
const units: Readonly<Record<string, number>> = {
  mm: 72 / 25.4,
  cm: 720 / 25.4,
  in: 72,
  pt: 1,
  pc: 12,
  pi: 12,
};

/** A length in points; undefined if the value is not a length. */
export function readPoints(value: string | undefined): number | undefined {
  const [, number, unit] = LENGTH.exec(value ?? '') ?? [];
  if (number === undefined) return undefined;
  return unit === undefined ? Number(number) / TWIPS : Number(number) * (units[unit] ?? 0);
}
