/** The changes in LibreOffice's loaded code after which lines are Word's (src/kit/server.h). */
const mends = [
  { name: 'script-gap', bit: 1 },
  { name: 'justified-lines', bit: 2 },
  { name: 'punctuation', bit: 8 },
] as const;

/** What a child has to set back between two documents was found in its memory (src/kit/font-ids.h). */
const FONT_IDS = 4;

export type Mend = (typeof mends)[number]['name'];

/** @param set bit set of those that this build of LibreOffice took, as the kit reports it. */
export function mendsOf(set: number): readonly Mend[] {
  return mends.filter(({ bit }) => (set & bit) !== 0).map(({ name }) => name);
}

/** @param set as for mendsOf. @returns whether a child can convert several documents, with the same results as one for each. */
export function canStay(set: number): boolean {
  return (set & FONT_IDS) !== 0;
}
