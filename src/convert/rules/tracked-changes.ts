/** How a document with tracked changes shows them: as made, without marks, as Word prints a document; or with marks. */
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, prefixOf, qualified, visitMarkup, WORD_NAMESPACE } from '../document/markup.ts';
import { tagsIn } from '../document/tags.ts';

/** An insertion, a deletion, a move or a change of formatting (ISO/IEC 29500-1, 17.13.5); each names its author. */
const changes = [
  ...['ins', 'del', 'moveFrom', 'moveTo', 'cellIns', 'cellDel', 'cellMerge', 'numberingChange'],
  ...['rPrChange', 'pPrChange', 'tblPrChange', 'tblGridChange', 'tblPrExChange', 'trPrChange', 'tcPrChange'],
  'sectPrChange',
];
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';

/** Whether a piece of an XML part may have a tracked change. */
export function mayHaveTrackedChange(piece: Buffer): boolean {
  return piece.includes('author') && /author\s*=/.test(piece.toString('latin1'));
}

/** @param xml a part, in an encoding in which ASCII is ASCII. */
export function hasTrackedChange(xml: string): boolean {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(prefix, changes);
  const found = tagsIn(xml, (name) => names.has(name));
  return found.some(({ attributes }) => attributeOf(attributes, `${prefix}author`) !== undefined);
}

/**
 * The settings of a document, changed so that no mark of a change is shown (17.15.1.69), or all; the same where they are none.
 *
 * @param xml the part, in an encoding in which ASCII is ASCII.
 */
export function withMarks(xml: string, areShown: boolean): string {
  const prefix = prefixOf(xml, WORD_NAMESPACE) ?? 'w:';
  const names = qualified(prefix, ['settings', 'revisionView']);
  const edits: Edit[] = [];
  let view: { readonly start: number; end: number; readonly text: string } | undefined;
  visitMarkup(xml, {
    open(name, _attributes, isEmpty, start, end) {
      const local = names.get(name);
      if (local === 'settings' && edits.length === 0) {
        if (areShown) return;
        const own = `<${prefix}revisionView ${prefix}markup="0"/>`;
        edits.push(
          isEmpty
            ? { start: end - '/>'.length, end, text: `>${own}</${name}>` }
            : { start: end, end, text: own },
        );
      } else if (local === 'revisionView') {
        view = { start, end, text: '' };
        edits.push(view);
      }
    },
    close(name, _start, end) {
      if (view && names.get(name) === 'revisionView') view.end = end;
    },
  });
  return withEdits(xml, edits);
}

/** The settings of a document that shows no mark of a change, for one that has none. */
export function settingsWithoutMarks(): Buffer {
  return Buffer.from(`<w:settings xmlns:w="${WORD}"><w:revisionView w:markup="0"/></w:settings>`);
}
