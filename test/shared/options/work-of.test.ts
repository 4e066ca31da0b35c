/** What of the options may decide whether a document can be converted. */
import t from 'tap';
import { workOf } from '../../../src/shared/options/conversion-options.ts';

t.test('a document that failed is known by its layout, whatever is shown of it', async (t) => {
  t.equal(workOf({}), '');
  t.equal(workOf({ pages: '2-3', watermark: 'Draft', title: 'T', failOn: 'loss' }), '');
  t.equal(workOf({ format: 'png', page: 3, width: 100, background: 'transparent' }), 'format=png');
  t.equal(workOf({ layout: 'engine', fields: 'updated' }), 'fields=updated,layout=engine');
});
