/** Notes in the order of the references to them. */
import t from 'tap';
import { noteOrder, withNotesInOrder } from '../../../src/convert/rules/note-order.ts';
import { rewritten } from '../support/rewritten.ts';

const reference = (id: number, kind = 'footnote', more = '') =>
  `<w:r><w:${kind}Reference${more} w:id="${id}"/></w:r>`;
const main = (...ids: readonly number[]) => `<w:p>${ids.map((id) => reference(id)).join('')}</w:p>`;
const note = (id: number, text = `note ${id}`, kind = 'footnote') =>
  `<w:${kind} w:id="${id}"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:${kind}>`;
const separator = '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>';
const part = (...notes: readonly string[]) => `<w:footnotes>${separator}${notes.join('')}</w:footnotes>`;
const empty = (id: number) => `<w:footnote w:id="${id}"><w:p/></w:footnote>`;

/** The main part and the notes as they become. */
function ordered(text: string, notes: string) {
  const orderOf = () => noteOrder(text, notes, 'footnote');
  return [
    rewritten((xml) => withNotesInOrder(xml, true, orderOf), text) ?? text,
    rewritten((xml) => withNotesInOrder(xml, false, orderOf), notes) ?? notes,
  ];
}

t.test('what LibreOffice shows below its number stays', async (t) => {
  for (const [ids, notes] of [
    [[1, 2], part(note(1), note(2))],
    [[3, 7], part(note(3), note(7))],
    [[1, 2], part(note(2), note(1))],
    [[], part(note(1))],
    [[1], ''],
  ] as const)
    t.strictSame(ordered(main(...ids), notes), [main(...ids), notes]);
});

t.test('others', async (t) => {
  const cases: Readonly<
    Record<string, readonly [from: number[], notes: string, to: number[], expected: string]>
  > = {
    'a note without a reference': [
      [2, 3],
      part(note(1), note(2), note(3)),
      [1, 2],
      part(note(1, 'note 2'), note(2, 'note 3')),
    ],
    'another order': [[5, 4], part(note(4), note(5)), [1, 2], part(note(1, 'note 5'), note(2, 'note 4'))],
    'a note that is missing': [
      [1, 9, 2],
      part(note(1), note(2)),
      [1, 2, 3],
      part(note(1), empty(2), note(3, 'note 2')),
    ],
    'a note with two references': [
      [1, 1, 2],
      part(note(1), note(2)),
      [1, 2, 3],
      part(note(1), empty(2), note(3, 'note 2')),
    ],
    'ids beside those of separators': [
      [2],
      part('<w:footnote w:type="continuationSeparator" w:id="4"/>', note(1), note(2)),
      [5],
      part('<w:footnote w:type="continuationSeparator" w:id="4"/>', note(5, 'note 2')),
    ],
  };
  for (const [what, [from, notes, to, expected]] of Object.entries(cases))
    t.strictSame(ordered(main(...from), notes), [main(...to), expected], what);
});

t.test('endnotes, by themselves, and attributes as they are', async (t) => {
  const text = `<w:p>${reference(2, 'endnote', ' w:customMarkFollows="1"')}${reference(1)}</w:p>`;
  const notes = `<w:endnotes>${note(1, 'a', 'endnote')}${note(2, 'b', 'endnote')}</w:endnotes>`;
  const orderOf = (kind: 'footnote' | 'endnote') =>
    kind === 'endnote' ? noteOrder(text, notes, kind) : undefined;
  t.equal(
    withNotesInOrder(text, true, orderOf),
    `<w:p>${reference(1, 'endnote', ' w:customMarkFollows="1"')}${reference(1)}</w:p>`,
  );
  t.equal(withNotesInOrder(notes, false, orderOf), `<w:endnotes>${note(1, 'b', 'endnote')}</w:endnotes>`);
});

t.test('an alternative that LibreOffice does not choose', async (t) => {
  const text = `<mc:AlternateContent><mc:Choice>${main(1)}</mc:Choice><mc:Fallback>${main(1)}</mc:Fallback></mc:AlternateContent>`;
  t.strictSame(ordered(text, part(note(1))), [text, part(note(1))]);
});
