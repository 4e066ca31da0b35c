/** What the search of the guide finds. */
import t from 'tap';
import { guideIndex } from '../../scripts/pages/texts.mjs';
import { sectionsWith } from '../../src/pages/guide-sections.ts';

const html =
  '<h1 id="keys">Keys</h1>\n<p>Send a key.</p>\n<h2 id="rotation">Rotation</h2>\n<p>With <code>overlapSeconds</code> &amp; more.</p>' +
  '<h3 id="theft-a--b">Theft &lt;a&gt;</h3>\n<p>Rotation ends it.</p>';
const sections = guideIndex([{ name: 'keys', title: 'Keys', html, markdown: '', headings: [] }]);

t.test('sections, without their markup', async (t) => {
  t.strictSame(sections, [
    { page: 'Keys', title: 'Keys', url: '/v1/docs/guide/keys', text: 'Keys Send a key.' },
    {
      ...{ page: 'Keys', title: 'Rotation', url: '/v1/docs/guide/keys#rotation' },
      text: 'Rotation With overlapSeconds & more.',
    },
    {
      ...{ page: 'Keys', title: 'Theft <a>', url: '/v1/docs/guide/keys#theft-a--b' },
      text: 'Theft <a> Rotation ends it.',
    },
  ]);
});

t.test('those with every word, titles first', async (t) => {
  const titles = (text: string) => sectionsWith(sections, text).map(({ title }) => title);
  t.strictSame(titles('ROTATION'), ['Rotation', 'Theft <a>']);
  t.strictSame(titles('overlapseconds  more'), ['Rotation']);
  t.strictSame(titles('rotation send'), []);
  t.strictSame(titles('  '), []);
});
