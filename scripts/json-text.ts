/** JSON for people: what fits into a line is on one. */

const WIDTH = 120;

/**
 * The text of a value, with two spaces a level and a line break at the end.
 *
 * @param value as JSON.stringify takes it.
 */
export function jsonText(value: unknown): string {
  return `${textOf(JSON.parse(JSON.stringify(value)), '', 0)}\n`;
}

/** @param taken what stands before the value in its line, and behind it. */
function textOf(value: unknown, indent: string, taken: number): string {
  const short = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || indent.length + taken + short.length <= WIDTH)
    return short;
  const inner = `${indent}  `;
  const lines = Object.entries(value).map(([key, each]) => {
    const name = Array.isArray(value) ? '' : `${JSON.stringify(key)}: `;
    return `${inner}${name}${textOf(each, inner, name.length + 1)}`;
  });
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
