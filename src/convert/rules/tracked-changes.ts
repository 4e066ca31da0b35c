/** Has a document with tracked changes show them as made, without marks, as Word prints a document. */

/** An insertion, a deletion, a move or a change of formatting (ISO/IEC 29500-1, 17.13.5); each names its author. */
const CHANGE =
  /<(?:[\w.-]+:)?(?:ins|del|moveFrom|moveTo|cellIns|cellDel|cellMerge|numberingChange|(?:r|p|tbl|tblGrid|tblPrEx|tr|tc|sect)PrChange|tblGridChange)\s[^<>]*author\s*=/;
const ROOT = /<((?:([\w.-]+):)?settings)((?:\s(?:[^<>]*[^<>/])?)?)(\/?)>/;
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const VIEW = /<(?:[\w.-]+:)?revisionView(?:\s[^<>]*)?\/>/g;

/** Whether an XML part, or a piece of one, has a tracked change. */
export function hasTrackedChange(bytes: Buffer): boolean {
  return bytes.includes('author') && CHANGE.test(bytes.toString('latin1'));
}

/**
 * The settings of a document, changed so that no mark of a change is shown (17.15.1.69).
 *
 * @param settings the part, in an encoding in which ASCII is ASCII.
 * @returns undefined where they are none.
 */
export function withoutMarks(settings: Buffer): Buffer | undefined {
  const text = settings.toString('latin1').replace(VIEW, '');
  const root = ROOT.exec(text);
  if (!root) return undefined;
  const [tag, name = '', prefix, attributes = '', slash] = root;
  const own = prefix === undefined ? '' : `${prefix}:`;
  const view = `<${name}${attributes}><${own}revisionView ${own}markup="0"/>${slash === '' ? '' : `</${name}>`}`;
  return Buffer.from(text.slice(0, root.index) + view + text.slice(root.index + tag.length), 'latin1');
}

/** The settings of a document that shows no mark of a change, for one that has none. */
export function settingsWithoutMarks(): Buffer {
  return Buffer.from(`<w:settings xmlns:w="${WORD}"><w:revisionView w:markup="0"/></w:settings>`);
}
