/** Rules for embedded files and optional content. */
import { embeddedRules } from '../../src/convert/pdf/conformance/embedded-rules.ts';
import { proves } from './proof.ts';
import { Sample } from './sample.ts';

/** Embeds a PDF/A-2 so that part 3 has nothing to object to. */
function embed(sample: Sample): void {
  const inner = new Sample('2b').bytes();
  sample.parts.specification = {
    text: '<</Type/Filespec/F(a.pdf)/UF(a.pdf)/AFRelationship/Data/EF<</F{file}>>>>',
  };
  sample.parts.file = {
    text: `<</Type/EmbeddedFile/Subtype/application#2Fpdf/Params<</Size ${inner.length}/ModDate(D:20260102030405Z)>>>>`,
    data: inner,
  };
  sample.add('catalog', '/Names<</EmbeddedFiles<</Names[(a.pdf){specification}]>>>>/AF[{specification}]');
}

/** Embeds a file, with a change. */
const embedded = (part: string, from: string, to: string) => (sample: Sample) => {
  embed(sample);
  sample.change(part, from, to);
};

/** Adds a layer that is right in part 2, with a change. */
const layered = (from: string, to: string) => (sample: Sample) => {
  sample.parts.layer = { text: '<</Type/OCG/Name(L)>>' };
  sample.add('catalog', '/OCProperties<</OCGs[{layer}]/D<</Name(C)/Order[{layer}]>>>>');
  sample.change('catalog', from, to);
};

proves(embeddedRules, [
  { demand: 'There are no embedded files', name: 'one', change: embed },
  {
    demand: 'Embedded files are PDF/A-1',
    name: 'a text',
    change: (sample) => {
      embed(sample);
      sample.part('file').data = 'text';
    },
  },
  {
    demand: 'Embedded files are PDF/A-1',
    name: 'a PDF/A-4 in part 2',
    profiles: ['2b'],
    change: (sample) => {
      embed(sample);
      sample.part('file').data = new Sample('4').bytes();
    },
  },
  {
    demand: 'Embedded files have names',
    name: 'no short one',
    change: embedded('specification', '/F(a.pdf)', ''),
  },
  {
    demand: 'Embedded files have names',
    name: 'an empty one',
    change: embedded('specification', '/UF(a.pdf)', '/UF()'),
  },
  {
    demand: 'Embedded files have a type',
    name: 'none',
    change: embedded('file', '/Subtype/application#2Fpdf', ''),
  },
  {
    demand: 'Embedded files have a type',
    name: 'no MIME type',
    change: embedded('file', 'application#2Fpdf', 'PDF'),
  },
  {
    demand: 'Embedded files say when',
    name: 'nothing',
    change: embedded('file', '/ModDate(D:20260102030405Z)', ''),
  },
  {
    demand: 'Embedded files say how',
    name: 'nothing',
    change: embedded('specification', '/AFRelationship/Data', ''),
  },
  {
    demand: 'Embedded files say how',
    name: 'an unknown way',
    change: embedded('specification', '/Data', '/Other'),
  },
  {
    demand: 'Embedded files are associated',
    name: 'only listed',
    change: embedded('catalog', '/AF[{specification}]', ''),
  },
  { demand: 'There is no optional content', name: 'a layer', change: layered('/Name(C)', '/Name(C)') },
  { demand: 'Configurations of optional', name: 'no name', change: layered('/Name(C)', '') },
  {
    demand: 'Configurations of optional',
    name: 'one that switches',
    profiles: ['2b', '3b', 'ua'],
    change: layered('/Order', '/AS[]/Order'),
  },
  {
    demand: 'Configurations of optional',
    name: 'one name for two',
    change: layered('/D<<', '/Configs[<</Name(C)>>]/D<<'),
  },
  { demand: 'Orders of optional', name: 'nothing', change: layered('/Order[{layer}]', '/Order[]') },
]);
