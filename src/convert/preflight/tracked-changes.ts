/** Has a document with tracked changes show them as made, without marks, as Word prints a document. */

/** An insertion, a deletion, a move or a change of formatting (ISO/IEC 29500-1, 17.13.5); each names its author. */
const CHANGE =
  /<(?:[\w.-]+:)?(?:ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|numberingChange|(?:r|p|tbl|tblGrid|tblPrEx|tr|tc|sect)PrChange|tblGridChange)\s[^<>]*author\s*=/;
const ROOT = /<(?:([\w.-]+):)?settings(?:\s[^<>]*[^<>/])?>/;
const VIEW = /<(?:[\w.-]+:)?revisionView(?:\s[^<>]*)?\/>/g;

/** Whether an XML part, or a piece of one, has a tracked change. */
export function hasTrackedChange(bytes: Buffer): boolean {
  return bytes.includes('author') && CHANGE.test(bytes.toString('latin1'));
}

/**
 * The settings of a document, changed so that no mark of a change is shown (17.15.1.69).
 *
 * @param settings the part, in an encoding in which ASCII is ASCII.
 * @returns undefined where it has no content to change.
 */
export function withoutMarks(settings: Buffer): Buffer | undefined {
  const text = settings.toString('latin1').replace(VIEW, '');
  const root = ROOT.exec(text);
  if (!root) return undefined;
  const prefix = root[1] === undefined ? '' : `${root[1]}:`;
  const end = root.index + root[0].length;
  const view = `<${prefix}revisionView ${prefix}markup="0"/>`;
  return Buffer.from(text.slice(0, end) + view + text.slice(end), 'latin1');
}
