/** Which styles have a property. */
import t from 'tap';
import { stylesWith } from '../../../src/convert/document/styles-with.ts';
import { wordPart } from '../../support/report-documents.ts';

const shading = (fill: string) => `<w:shd w:val="clear" w:fill="${fill}"/>`;

t.test('styles that have a property', async (t) => {
  const style = (id: string, inner: string) => `<w:style w:type="table" w:styleId="${id}">${inner}</w:style>`;
  const based = (on: string) => `<w:basedOn w:val="${on}"/>`;
  const styles =
    style('A', based('B')) +
    style('B', based('C')) +
    style('C', `<w:tblStylePr><w:tcPr>${shading('FFFFFF')}</w:tcPr></w:tblStylePr>`) +
    style('D', based('E')) +
    style('E', based('D'));
  t.strictSame([...stylesWith(wordPart('styles', styles), 'shd')].toSorted(), ['A', 'B', 'C']);
  const colour = (value: string) => `<w:rPr><w:color w:val="${value}"/></w:rPr>`;
  const defaults = `<w:docDefaults><w:rPrDefault>${colour('FF0000')}</w:rPrDefault></w:docDefaults>`;
  const coloured = defaults + style('A', colour('auto')) + style('B', colour('FF0000'));
  const found = stylesWith(wordPart('styles', coloured), 'color', (value) => value !== 'auto');
  t.strictSame([...found], ['', 'B'], 'of some values');
});
