/** The rules of the print view by themselves. */

/** A part in UTF-8 as a rule has it, which sees each of its bytes as a character; undefined where nothing changes. */
export function rewritten(rule: (xml: string) => string, part: string): string | undefined {
  const xml = Buffer.from(part).toString('latin1');
  const other = rule(xml);
  return other === xml ? undefined : Buffer.from(other, 'latin1').toString();
}
