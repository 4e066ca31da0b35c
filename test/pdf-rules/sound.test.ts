/** Sound PDFs that look like broken ones. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { type Profile, profiles, violations } from '../support/conformance.ts';
import { iccProfile, Sample } from './sample.ts';
import { trueTypeFont, type1Font } from './sample-fonts.ts';

/** Adds an annotation in an element of its own. */
function annotate(sample: Sample, entries: string): void {
  sample.parts.extra = { text: `<</Type/Annot/Rect[0 0 9 9]/StructParent 3/Contents(C)${entries}>>` };
  sample.parts.annot = {
    text: '<</Type/StructElem/S/Annot/P{document}/Pg{page}/K[<</Type/OBJR/Obj{extra}>>]>>',
  };
  sample.change('page', '{field}]', '{field}{extra}]');
  sample.change('document', '{note}', '{note}{annot}');
  sample.change('structure', '2{formElement}', '2{formElement}3{annot}');
}

const sound: readonly {
  readonly name: string;
  readonly profiles?: readonly Profile[];
  change(sample: Sample): void;
}[] = [
  {
    name: 'a form without resources that needs none',
    change: (sample) => sample.change('form', '/Resources<<>>', ''),
  },
  {
    name: 'in part 1, a form with the resources of its page',
    profiles: ['1b'],
    change: (sample) => {
      sample.change('form', '/Resources<<>>', '');
      sample.changeData('form', '0 0 m', '/G1 gs 0 0 m');
    },
  },
  {
    name: 'graphics states that are nested in each of two streams',
    change: (sample) => {
      sample.changeData('content', '/Fm1 Do', `${'q '.repeat(20)} /Fm1 Do ${'Q '.repeat(20)}`);
      sample.changeData('form', '0 0 m', `${'q '.repeat(20)} ${'Q '.repeat(20)} 0 0 m`);
    },
  },
  {
    name: 'a keyword with a blank at its end',
    change: (sample) => {
      sample.change('info', '(K)', '(K )');
      sample.changeData('metadata', '<pdf:Keywords>K', '<pdf:Keywords>K ');
    },
  },
  {
    name: 'a profile that is shorter than it says',
    change: (sample) => {
      const profile = Buffer.from(sample.part('icc').data ?? '');
      profile.writeUInt32BE(profile.length + 4, 0);
      sample.part('icc').data = profile;
    },
  },
  {
    name: 'marks that are an object of their own',
    change: (sample) => {
      sample.parts.marks = { text: '<</Marked{true}>>' };
      sample.parts.true = { text: 'true' };
      sample.change('catalog', '/MarkInfo<</Marked true>>', '/MarkInfo{marks}');
    },
  },
  {
    name: 'a link outside of the page that says nothing',
    change: (sample) => {
      sample.change('link', '/Rect[0 0 9 9]', '/Rect[0 900 9 909]');
      sample.change('link', '/Contents(B)', '');
    },
  },
  {
    name: 'several fields with one name for readers',
    change: (sample) => {
      sample.parts.group = { text: '<</FT/Tx/T(n)/TU(Name)/Kids[{field}]>>' };
      sample.change('field', '/FT/Tx/T(n)/TU(Name)', '/Parent{group}');
      sample.change('catalog', '/Fields[{field}]', '/Fields[{group}]');
    },
  },
  {
    name: 'texts with languages of their own',
    change: (sample) => {
      sample.change('catalog', '/Lang(en-GB)', '');
      sample.change('catalog', '/Outlines<</First{outline}/Last{outline}/Count 1>>', '');
      sample.add('document', '/Lang(en)');
      for (const text of ['A &amp; B', 'D']) {
        const item = `<rdf:li xml:lang="x-default">${text}</rdf:li>`;
        sample.changeData('metadata', item, item + item.replace('x-default', 'en'));
      }
    },
  },
  {
    name: 'codes of Windows without a map to Unicode',
    change: (sample) => {
      sample.change('font', '/ToUnicode{unicode}', '/Encoding/WinAnsiEncoding');
      sample.change('descriptor', '/Flags 4', '/Flags 32');
    },
  },
  {
    name: 'a pop-up without flags and appearance',
    profiles: ['2b', '3b', '4', 'ua'],
    change: (sample) => annotate(sample, '/Subtype/Popup'),
  },
  {
    name: 'a projection without appearance',
    profiles: ['4'],
    change: (sample) => annotate(sample, '/Subtype/Projection/F 4'),
  },
  {
    name: 'a colour of a link, beside an output intent of RGB',
    change: (sample) => sample.add('link', '/C[1 0 0]'),
  },
  {
    name: 'a field without size and appearance',
    profiles: ['2b', '3b', '4', 'ua'],
    change: (sample) => {
      sample.change('field', '/Rect[0 0 9 9]', '/Rect[5 5 5 5]');
      sample.change('field', '/AP<</N{appearance}>>', '');
    },
  },
  {
    name: 'a hidden link that says nothing',
    profiles: ['ua'],
    change: (sample) => sample.change('link', '/F 4/Contents(B)', '/F 2'),
  },
  {
    name: 'in part 4, actions of fields that events trigger',
    profiles: ['4'],
    change: (sample) => sample.add('field', '/AA<</Fo<</S/URI/URI()>>>>'),
  },
  {
    name: 'an image of 16 bits',
    profiles: ['2b', '3b', '4', 'ua'],
    change: (sample) => sample.change('image', 'Component 8', 'Component 16'),
  },
  {
    name: 'graphics states that change nothing',
    change: (sample) => sample.add('state', '/TR2/Default/BM/Compatible/SMask/None/CA 1'),
  },
  {
    name: 'a layer with an intent',
    profiles: ['2b', '3b', '4', 'ua'],
    change: (sample) => {
      sample.parts.layer = { text: '<</Type/OCG/Name(L)/Intent/View>>' };
      sample.add('catalog', '/OCProperties<</OCGs[{layer}]/D<</Name(C)/Order[{layer}]>>>>');
    },
  },
  {
    name: 'in part 4, a layer that switches by itself',
    profiles: ['4'],
    change: (sample) => {
      sample.parts.layer = { text: '<</Type/OCG/Name(L)>>' };
      sample.add('catalog', '/OCProperties<</OCGs[{layer}]/D<</Name(C)/Order[{layer}]/AS[]>>>>');
    },
  },
  {
    name: 'CMYK that has a profile of its own',
    change: (sample) => {
      sample.parts.inks = { text: '<</N 4>>', data: iccProfile(2, 'prtr', 'CMYK') };
      sample.change('page', '/Font', '/ColorSpace<</DefaultCMYK[/ICCBased{inks}]>>/Font');
      sample.changeData('content', '1 0 0 RG', '0 0 0 1 K');
    },
  },
  {
    name: 'colours in CMYK that are never used',
    change: (sample) => {
      sample.changeData('content', 'q 1 0 0 RG', 'q 0 0 0 1 k Q 0 0 9 9 re f q 1 0 0 RG');
      sample.changeData(
        'content',
        'BT',
        'q 0 0 0 1 K BT /F1 12 Tf <01> Tj ET Q q 1 Tr 0 0 0 1 k BT /F1 12 Tf <01> Tj ET Q BT',
      );
      sample.changeData('form', '0 0 m', '0 0 0 1 k 0 0 m');
      sample.part('content').data += '\n/Artifact BMC 0 0 9 9 re f EMC';
    },
  },
  {
    name: 'invisible text in a font that is not embedded',
    change: (sample) => {
      sample.change('descriptor', '/FontFile2{program}', '');
      sample.changeData('content', '/Artifact BMC', '3 Tr /Artifact BMC');
    },
  },
  {
    name: 'a part of an artifact with a tag of its own',
    change: (sample) => sample.changeData('content', 'q 1 0 0 RG', '/Span BMC 0 0 9 9 re f EMC q 1 0 0 RG'),
  },
  {
    name: 'a form with marked content of its own',
    change: (sample) => {
      sample.add('form', '/StructParents 3');
      sample.changeData('form', '0 0 m 9 9 l S', '/P<</MCID 8>>BDC 0 0 m 9 9 l S EMC');
      sample.changeData('content', '/Note<</MCID 7>>BDC /Fm1 Do EMC', '/Fm1 Do');
      sample.parts.inForm = {
        text: '<</Type/StructElem/S/P/P{document}/Pg{page}/K[<</Type/MCR/Stm{form}/MCID 8>>]>>',
      };
      sample.change('note', '[7]', '[]');
      sample.change('document', '{note}', '{note}{inForm}');
      sample.change('structure', '2{formElement}', `2{formElement}3[${'null '.repeat(8)}{inForm}]`);
    },
  },
  {
    name: 'elements on the page of those around them, attributes of classes, and branches of the tree of parents',
    change: (sample) => {
      sample.change('th', '/Pg{page}', '');
      sample.change('th', '/A<</O/Table/Scope/Column>>', '/C/Head');
      sample.add('structure', '/ClassMap<</Head<</O/Table/Scope/Column>>>>');
      sample.change('structure', '<</Nums[', '<</Kids[<</Nums[');
      sample.change('structure', '2{formElement}]>>', '2{formElement}]>>]>>');
    },
  },
  {
    name: 'a header cell of two rows',
    change: (sample) => {
      sample.change('th', '/Scope/Column', '/Scope/Column/RowSpan 2');
      sample.parts.th2 = { text: '<</Type/StructElem/S/TH/P{row1}/A<</O/Table/Scope/Column>>>>' };
      sample.change('row1', '{th}', '{th}{th2}');
    },
  },
  {
    name: 'cells that name their headers',
    change: (sample) => {
      sample.change('th', '/A<</O/Table/Scope/Column>>', '/ID(h)');
      sample.change('td', '/K', '/A<</O/Table/Headers[(h)]>>/K');
    },
  },
  {
    name: 'a caption at the end of a table',
    change: (sample) => {
      sample.parts.caption = { text: '<</Type/StructElem/S/Caption/P{table}>>' };
      sample.change('table', '{rows}', '{rows}{caption}');
    },
  },
  {
    name: 'a picture with a text in its place',
    change: (sample) => sample.change('figure', '/Alt(A dot)', '/ActualText(.)'),
  },
  {
    name: 'languages of texts and links themselves',
    profiles: ['ua'],
    change: (sample) => {
      sample.change('catalog', '/Lang(en-GB)', '');
      sample.change('catalog', '/Outlines<</First{outline}/Last{outline}/Count 1>>', '');
      sample.change('linkElement', '/Lang(de)', '');
      for (const name of ['table', 'list', 'figure', 'formElement', 'note']) sample.add(name, '/Lang(en)');
      for (const number of [0, 1]) {
        sample.changeData('content', `<</MCID ${number}>>`, `<</MCID ${number}/Lang(en)>>`);
      }
      sample.add('link', '/Lang(en)');
      for (const text of ['A &amp; B', 'D'])
        sample.changeData('metadata', `"x-default">${text}`, `"en">${text}`);
    },
  },
  {
    name: 'the width of glyphs that have none of their own',
    change: (sample) => {
      sample.change('font', '/LastChar 2/Widths[0 500 600]', '/LastChar 1/Widths[0 500]');
      sample.add('descriptor', '/MissingWidth 600');
    },
  },
  {
    name: 'a font of symbols whose codes start where those of Microsoft do',
    change: (sample) => {
      sample.part('program').data = trueTypeFont([500, 600], [[3, 0]], { startsAtSymbols: true });
    },
  },
  {
    name: 'from part 2 on, tables of codes with one for symbols among them',
    profiles: ['2b', '3b', '4', 'ua'],
    change: (sample) => {
      sample.part('program').data = trueTypeFont(
        [500, 600],
        [
          [1, 0],
          [3, 0],
        ],
      );
    },
  },
  {
    name: 'in part 4, tables of codes with one of the Macintosh among them',
    profiles: ['4'],
    change: (sample) => {
      sample.part('program').data = trueTypeFont(
        [500, 600],
        [
          [1, 0],
          [3, 1],
        ],
      );
    },
  },
  {
    name: 'from part 2 on, a subset of a Type 1 font without a list of its glyphs',
    profiles: ['2b', '3b', '4', 'ua'],
    change: (sample) => {
      sample.change('font', '/TrueType', '/Type1');
      sample.change('descriptor', '/FontFile2', '/FontFile');
      sample.part('program').data = type1Font({ A: 500, B: 600 });
    },
  },
  {
    name: 'an information dictionary that says less than the metadata',
    change: (sample) => sample.change('info', '/Keywords(K)', ''),
  },
  {
    name: 'numbers, strings, names and graphics states at their limits',
    profiles: ['1b', '2b', '3b', 'ua'],
    change: (sample) => {
      const values = `2147483647 -2147483647 32767.0(${'x'.repeat(32_767)})/${'n'.repeat(127)}`;
      sample.add('info', `/Large[${values}]`);
      sample.changeData('content', 'q /G1', `${'q '.repeat(27)}q /G1`);
    },
  },
  {
    name: 'a file that is only associated',
    profiles: ['3b'],
    change: (sample) => {
      const inner = new Sample('2b').bytes();
      sample.parts.file = {
        text: `<</Type/EmbeddedFile/Subtype/application#2Fpdf/Params<</ModDate(D:20260102030405Z)>>>>`,
        data: inner,
      };
      sample.add('catalog', '/AF<</Type/Filespec/F(a.pdf)/UF(a.pdf)/AFRelationship/Data/EF<</F{file}>>>>');
    },
  },
];

for (const { name, change, profiles: some = profiles } of sound) {
  t.test(name, async (t) => {
    const path = join(t.testdir(), 'sample.pdf');
    for (const profile of some) {
      const sample = new Sample(profile);
      change(sample);
      await writeFile(path, sample.bytes());
      t.strictSame(await violations(path, profile), [], profile);
    }
  });
}
