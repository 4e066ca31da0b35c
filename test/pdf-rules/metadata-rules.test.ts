/** Rules for metadata. */
import { deflateSync } from 'node:zlib';
import { metadataRules } from '../../src/convert/pdf/conformance/metadata-rules.ts';
import { proves } from './proof.ts';
import type { Sample } from './sample.ts';

const UNREADABLE = 'The document has metadata';
const PART_A = 'The metadata name the part of PDF/A';
const PART_UA = 'The metadata name the part of PDF/UA';
const TITLE = 'The metadata have a title';
const AGREEMENT = 'The information dictionary says';
const VALUES = 'Properties have values';
const SCHEMAS = 'Descriptions of schemas';

const edit = (from: string, to: string) => (sample: Sample) => sample.changeData('metadata', from, to);

proves(metadataRules, [
  {
    demand: UNREADABLE,
    name: 'none',
    change: (sample) => sample.change('catalog', '/Metadata{metadata}', ''),
    also: [PART_A, PART_UA, TITLE, AGREEMENT],
  },
  {
    demand: AGREEMENT,
    name: 'an author beside two',
    change: edit('<rdf:li>C</rdf:li>', '<rdf:li>C</rdf:li><rdf:li>E</rdf:li>'),
  },
  {
    demand: PART_A,
    name: 'a level in part 4',
    profiles: ['4'],
    change: edit('<pdfaid:part>', '<pdfaid:conformance></pdfaid:conformance><pdfaid:part>'),
  },
  {
    demand: UNREADABLE,
    name: 'of another type',
    change: (sample) => sample.change('metadata', '/XML', '/Text'),
  },
  {
    demand: UNREADABLE,
    name: 'no XML',
    change: edit('<dc:title>', '<dc:title'),
    also: [PART_A, PART_UA, TITLE, AGREEMENT],
  },
  {
    demand: UNREADABLE,
    name: 'not in UTF-8',
    change: (sample) => {
      sample.part('metadata').data = Buffer.from(String(sample.part('metadata').data), 'utf16le');
    },
    also: [PART_A, PART_UA, TITLE, AGREEMENT],
  },
  {
    demand: 'The metadata are not packed',
    name: 'packed',
    change: (sample) => {
      sample.part('metadata').data = deflateSync(String(sample.part('metadata').data));
      sample.add('metadata', '/Filter/FlateDecode');
    },
  },
  { demand: 'The packet of metadata', name: 'a length', change: edit('?>', ' bytes="9"?>') },
  { demand: 'The packet of metadata', name: 'an encoding', change: edit('?>', ' encoding="UTF-8"?>') },
  {
    demand: 'Properties are of schemas',
    name: 'a schema that nobody describes',
    change: edit('<pdf:Keywords>', '<a:b xmlns:a="http://a.test/">1</a:b><pdf:Keywords>'),
  },
  {
    demand: 'Properties are of schemas',
    name: 'a property that its schema does not have',
    change: edit('<pdf:Keywords>', '<pdf:Other>1</pdf:Other><pdf:Keywords>'),
  },
  {
    demand: 'Properties are of schemas',
    name: 'an attribute that its schema does not have',
    change: edit('rdf:about=""', 'rdf:about="" pdf:Other="1"'),
  },
  {
    demand: VALUES,
    name: 'a list in another order',
    change: edit('<rdf:Seq><rdf:li>C</rdf:li></rdf:Seq>', '<rdf:Bag><rdf:li>C</rdf:li></rdf:Bag>'),
  },
  {
    demand: VALUES,
    name: 'no list',
    change: edit('<rdf:Seq><rdf:li>C</rdf:li></rdf:Seq>', 'C'),
    also: [AGREEMENT],
  },
  { demand: VALUES, name: 'a text without language', change: edit(' xml:lang="x-default">D', '>D') },
  { demand: VALUES, name: 'no date', change: edit('2026-01-02T02', '2026-00-00T02'), also: [AGREEMENT] },
  {
    demand: SCHEMAS,
    name: 'no prefix',
    change: edit('<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>', ''),
  },
  {
    demand: SCHEMAS,
    name: 'no type of a property',
    change: edit('<pdfaProperty:valueType>Integer</pdfaProperty:valueType>', ''),
  },
  {
    demand: SCHEMAS,
    name: 'another prefix',
    change: (sample) => {
      sample.part('metadata').data = String(sample.part('metadata').data).replaceAll('pdfaSchema', 'aSchema');
    },
  },
  {
    demand: SCHEMAS,
    name: 'a type of values without description',
    change: edit(
      '<pdfaSchema:property>',
      `<pdfaSchema:valueType xmlns:pdfaType="http://www.aiim.org/pdfa/ns/type#"><rdf:Seq><rdf:li
rdf:parseType="Resource"><pdfaType:type>T</pdfaType:type><pdfaType:namespaceURI>http://a.test/</pdfaType:namespaceURI>
<pdfaType:prefix>t</pdfaType:prefix></rdf:li></rdf:Seq></pdfaSchema:valueType><pdfaSchema:property>`,
    ),
  },
  { demand: SCHEMAS, name: 'another category', change: edit('>internal<', '>other<') },
  { demand: AGREEMENT, name: 'another title', change: edit('A &amp; B', 'A &amp;amp; B') },
  {
    demand: AGREEMENT,
    name: 'a title that is no text',
    change: (sample) => sample.change('info', '/Title(A & B)', '/Title 1'),
  },
  { demand: AGREEMENT, name: 'another program', change: edit('<xmp:CreatorTool>T', '<xmp:CreatorTool>U') },
  { demand: AGREEMENT, name: 'another day', change: edit('T03:04:05+01:00', 'T03:04:05Z') },
  { demand: AGREEMENT, name: 'a second author', change: edit('C</rdf:li>', 'C</rdf:li><rdf:li>C</rdf:li>') },
  { demand: PART_A, name: 'another part', change: edit('<pdfaid:part>', '<pdfaid:part>5') },
  {
    demand: PART_A,
    name: 'no level',
    profiles: ['1b', '2b', '3b'],
    change: edit('<pdfaid:conformance>B</pdfaid:conformance>', ''),
  },
  {
    demand: PART_A,
    name: 'a level that the part has not',
    profiles: ['4'],
    change: edit('</pdfaid:part>', '</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance>'),
  },
  { demand: PART_A, name: 'no year', profiles: ['4'], change: edit('<pdfaid:rev>2020</pdfaid:rev>', '') },
  {
    demand: PART_A,
    name: 'another prefix',
    change: (sample) => {
      sample.part('metadata').data = String(sample.part('metadata').data).replaceAll('pdfaid', 'aid');
    },
  },
  {
    demand: 'The metadata name the part of PDF/UA',
    name: 'none',
    change: edit('<pdfuaid:part>1</pdfuaid:part>', ''),
  },
  {
    demand: 'The metadata name the part of PDF/UA',
    name: 'another prefix',
    change: (sample) => {
      const data = String(sample.part('metadata').data);
      sample.part('metadata').data = data.replaceAll(/pdfuaid(?!\/pdfaSchema)/g, 'ua');
    },
  },
  { demand: TITLE, name: 'none', change: edit('A &amp; B', ' ') },
]);
