/** Styles that rules add. */
import t from 'tap';
import { sizedStyle, unsizedStyle, withSizedStyles } from '../../../src/convert/document/sized-styles.ts';
import { fromBytes, toBytes } from '../../../src/convert/text/bytes.ts';

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';

t.test('a style is found by the one that is like it', async (t) => {
  for (const style of ['', 'Normal', 'Überschrift "1" & <2>', 'סגנון', 'platen-20-61']) {
    const id = String(sizedStyle(style, 22));
    t.match(id, /^[\w-]+$/);
    t.equal(unsizedStyle(id), style);
  }
  t.equal(sizedStyle('ä'.repeat(101), 22), undefined);
  for (const id of ['Normal', 'platen', 'platen-20', 'platen-20-x', 'platen-x-61'])
    t.equal(unsizedStyle(id), id);
});

t.test('they are behind the styles of the document', async (t) => {
  const part = (more = '') => `<w:styles ${W}><w:style w:styleId="Größe &amp; 1"/>${more}</w:styles>`;
  const style = (id: string, base: string, size: number) =>
    `<w:style w:type="paragraph" w:customStyle="1" w:styleId="${id}"><w:name w:val="${id}"/><w:basedOn w:val="${base}"/>` +
    `<w:rPr><w:sz w:val="${size}"/><w:szCs w:val="${size}"/></w:rPr></w:style>`;
  const [plain, other] = [String(sizedStyle('Normal', 20)), String(sizedStyle('Größe & 1', 7))];
  t.equal(
    fromBytes(withSizedStyles(toBytes(part()), new Set([plain, other]))),
    part(style(plain, 'Normal', 20) + style(other, 'Größe &#38; 1', 7)),
  );
  const bare = String(sizedStyle('', 20));
  t.equal(
    fromBytes(withSizedStyles(toBytes(part()), new Set([bare]))),
    part(style(bare, '', 20).replace('<w:basedOn w:val=""/>', '')),
  );
  t.equal(withSizedStyles(toBytes(part()), new Set()), toBytes(part()));
  t.equal(withSizedStyles('<w:styles/>', new Set([plain])), '<w:styles/>');
});
