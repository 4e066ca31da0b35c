/** The core properties that a document gets for its PDF. */
import { readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import { readCoreProperties } from '../../../src/convert/document/core-properties.ts';
import { propertiesIn } from '../../../src/convert/preflight/properties.ts';
import type { ConversionOptions } from '../../../src/shared/options/conversion-options.ts';
import {
  CORE_NAME,
  coreLink,
  coreProperties,
  docxWithCore,
  modified,
  propertiesLink,
} from '../../support/core-properties.ts';
import { docx } from '../../support/documents.ts';
import { XML } from '../../support/office-package.ts';
import { fileOf, openPreflight } from '../support/preflight.ts';
import { contentsOf, partOf, WrittenArchives } from '../support/written-archives.ts';

const preflight = openPreflight();
const changed = new WrittenArchives();

const inner = `<d:title>Old &amp; <![CDATA[<töl>]]></d:title><d:creator>Åke</d:creator>${modified('2021-05-06')}`;
const core = coreProperties(inner);

/** The properties of the document behind the preflight, the text of the part, and the links to such parts. */
async function given(t: Test, document: Buffer, options: ConversionOptions) {
  const path = fileOf(t, document);
  const { time } = await preflight.check(path, { properties: propertiesIn(options) });
  const bytes = readFileSync(path);
  changed.add(bytes);
  const part = async (name: string) => String(await partOf(bytes, name));
  const links = (await part('_rels/.rels')).match(/<[^<]*core-properties[^>]*>/g);
  const text = await part(/Target="([^"]*)"/.exec(links?.[0] ?? '')?.[1] ?? 'none');
  return { time, text, links, properties: Object.fromEntries(readCoreProperties(text)) };
}

t.test('those of the options, and the others of the document', async (t) => {
  const utf16 = coreProperties(inner, XML.replace('UTF-8', 'UTF-16'));
  const latin1 = coreProperties(inner, XML.replace('UTF-8', 'ISO-8859-1'));
  const times = (time: string) => ({ created: time, modified: time });
  const none = times('2000-01-01T00:00:00Z');
  const own = { creator: 'Åke', ...times('2021-05-06T00:00:00Z') };
  for (const [name, document, others] of [
    ['none', docx(), none],
    ['its own', docxWithCore({ [CORE_NAME]: core }), own],
    ['UTF-16', docxWithCore({ [CORE_NAME]: Buffer.from(`\ufeff${utf16}`, 'utf16le') }), own],
    ['Latin-1', docxWithCore({ [CORE_NAME]: Buffer.from(latin1, 'latin1') }), own],
    ['another name', docxWithCore({ 'a/b.psmdcp': core }, [coreLink('/a/b.psmdcp')]), own],
    ['two parts', docxWithCore({ [CORE_NAME]: core, 'a.xml': core }, [coreLink(), coreLink('a.xml')]), own],
    ['an external one', docxWithCore({}, [coreLink('http://a/b.xml', ' TargetMode="External"')]), none],
    ['a missing one', docxWithCore({}), none],
    ['no XML', docxWithCore({ [CORE_NAME]: '\x01\x02' }), none],
    ['broken XML', docxWithCore({ [CORE_NAME]: core.replace('</d:title>', '') }), none],
    [
      'one of our name',
      docxWithCore({ 'Print-View-Core.xml': core }, [coreLink('print-view-core.xml')]),
      own,
    ],
    [
      'a link with an end tag',
      docxWithCore({ [CORE_NAME]: core }, [coreLink().replace('/>', '> </Relationship>')]),
      own,
    ],
  ] as const) {
    const { properties, links } = await given(t, document, { title: 'New' });
    t.strictSame(properties, { title: 'New', ...others }, name);
    t.equal(links?.length, 1, `${name}: one link`);
    t.match(links?.[0], /Target="_?print-view-core.xml"/);
  }
});

t.test('a link to other properties that are not there is gone', async (t) => {
  const app = '<Properties/>';
  for (const [name, parts, links, left] of [
    ['missing', {}, [propertiesLink('extended', 'docProps/app.xml')], 0],
    ['both missing', {}, [propertiesLink('custom', 'a.xml'), propertiesLink('extended', 'b.xml')], 0],
    ['external', {}, [propertiesLink('extended', 'http://a/b.xml', ' TargetMode="External"')], 0],
    ['there', { 'docProps/app.xml': app }, [propertiesLink('extended', 'docProps/app.xml')], 1],
  ] as const) {
    const path = fileOf(t, docxWithCore({ [CORE_NAME]: core, ...parts }, [coreLink(), ...links]));
    await preflight.check(path, {});
    const written = String(await partOf(readFileSync(path), '_rels/.rels'));
    t.equal(written.match(/(?:extended|custom)-properties/g)?.length ?? 0, left, name);
    t.equal(written.match(/core-properties/g)?.length, 1, name);
  }
});

t.test('any text', async (t) => {
  for (const title of [
    '<b> & "c" \'d\' ]]> <!-- --> <![CDATA[ &amp; &#65;',
    'שלום עולם \u202eabc\u202c',
    '🎉👩‍👩‍👧 \u{10ffff}',
    'é'.repeat(500),
    'x',
  ]) {
    const { properties, text } = await given(t, docx(), {
      title,
      author: title,
      subject: title,
      keywords: title,
    });
    t.match(properties, { title, creator: title, subject: title, keywords: title });
    t.match(text, /^[\x20-\x7e]+$/, 'whatever the encoding');
  }
  const { properties } = await given(t, docx(), { title: 'a\ufffe\ud800b\uffff' });
  t.equal(properties.title, 'a\ufffd\ufffdb\ufffd', 'what XML cannot have');
});

t.test('the time is that of the document', async (t) => {
  const document = docxWithCore({ [CORE_NAME]: core });
  t.equal((await given(t, document, { title: 'New' })).time, Date.UTC(2021, 4, 6) / 1_000);
  const path = fileOf(t, document);
  const { time } = await preflight.check(path, { properties: propertiesIn({}) });
  t.equal(time, Date.UTC(2021, 4, 6) / 1_000);
  t.strictSame(
    await contentsOf(readFileSync(path)),
    await contentsOf(document),
    'without such an option no part changes',
  );
});

t.test('a document that is read in another process', async (t) => {
  const body = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${'<w:p/>'.repeat(400_000)}</w:body></w:document>`;
  const document = docxWithCore({ [CORE_NAME]: core, 'word/document.xml': body });
  const { properties, time } = await given(t, document, { author: 'New' });
  t.strictSame(properties, {
    title: 'Old & <töl>',
    creator: 'New',
    created: '2021-05-06T00:00:00Z',
    modified: '2021-05-06T00:00:00Z',
  });
  t.equal(time, Date.UTC(2021, 4, 6) / 1_000);
});

t.test('unzip finds nothing wrong with any of them', (t) => changed.check(t));
