/** The changes in LibreOffice's loaded code after which lines are Word's (src/kit/server.h). */
const mends = [
  { name: 'script-gap', bit: 1 },
  { name: 'justified-lines', bit: 2 },
] as const;

export type Mend = (typeof mends)[number]['name'];

/** @param set bit set of those that this build of LibreOffice took, as the kit reports it. */
export function mendsOf(set: number): readonly Mend[] {
  return mends.filter(({ bit }) => (set & bit) !== 0).map(({ name }) => name);
}
