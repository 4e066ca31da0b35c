/** Sizes of values, for which the standards have limits (ISO 32000-1, annex C). */
import { isName, PdfString, type Value } from '../objects/values.ts';

export type Kind = 'integer' | 'real' | 'string' | 'name';

/** Of a number its amount, of a string or name its bytes; undefined for other values. */
export function sizeOf(value: Value): { readonly kind: Kind; readonly size: number } | undefined {
  if (typeof value === 'number') {
    return { kind: Number.isInteger(value) ? 'integer' : 'real', size: Math.abs(value) };
  }
  if (isName(value)) return { kind: 'name', size: value.length - 1 };
  return value instanceof PdfString ? { kind: 'string', size: value.bytes.length } : undefined;
}
