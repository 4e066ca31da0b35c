/** A small PDF that keeps all rules of a profile, in parts that a test can change. */
import { type Profile, profiles } from '../support/conformance.ts';
import { trueTypeFont } from './sample-fonts.ts';

/** An object; `{name}` in it refers to another one. */
interface Part {
  text: string;
  /** Of a stream, whose length is added. */
  data?: Buffer | string;
}

export class Sample {
  readonly profile: Profile;
  readonly parts: Record<string, Part>;
  trailer = '/ID[<00112233445566778899AABBCCDDEEFF><00112233445566778899AABBCCDDEEFF>]';
  header: string;
  end = '\n%%EOF\n';

  constructor(profile: Profile) {
    this.profile = profile;
    this.header = `%PDF-${profile === '4' ? '2.0' : '1.4'}\n%äöüß\n`;
    this.parts = partsOf(profile);
  }

  /** Changes an object; @throws Error if it does not have the text. */
  change(name: string, from: string, to: string): void {
    const part = this.part(name);
    if (!part.text.includes(from)) throw new Error(`${name} has no ${from}`);
    part.text = part.text.replace(from, () => to);
  }

  /** Adds entries to a dictionary. */
  add(name: string, entries: string): void {
    this.change(name, '<<', `<<${entries}`);
  }

  /** Changes the content of a stream; @throws Error if it does not have the text. */
  changeData(name: string, from: string, to: string): void {
    const part = this.part(name);
    const data = String(part.data);
    if (!data.includes(from)) throw new Error(`${name} has no ${from}`);
    part.data = data.replace(from, () => to);
  }

  part(name: string): Part {
    const part = this.parts[name];
    if (!part) throw new Error(`there is no ${name}`);
    return part;
  }

  /** The file. */
  bytes(): Buffer {
    const names = Object.keys(this.parts);
    const referred = (text: string) =>
      text.replace(/\{(\w+)\}/g, (_, name) => {
        if (!names.includes(name)) throw new Error(`there is no ${name}`);
        return ` ${names.indexOf(name) + 1} 0 R `;
      });
    let file = Buffer.from(this.header, 'latin1');
    const append = (...more: (Buffer | string)[]) => {
      file = Buffer.concat([
        file,
        ...more.map((item) => (typeof item === 'string' ? Buffer.from(item) : item)),
      ]);
    };
    const offsets: string[] = [];
    for (const [index, { text, data }] of Object.values(this.parts).entries()) {
      offsets.push(`${String(file.length).padStart(10, '0')} 00000 n \n`);
      append(`${index + 1} 0 obj\n`);
      if (data === undefined) append(referred(text));
      else
        append(
          referred(text).replace('<<', `<</Length ${Buffer.from(data).length}`),
          '\nstream\n',
          data,
          '\nendstream',
        );
      append('\nendobj\n');
    }
    const at = file.length;
    append(`xref\n0 ${names.length + 1}\n0000000000 65535 f \n${offsets.join('')}`);
    const info = this.profile === '4' ? '' : '/Info{info}';
    append(referred(`trailer\n<</Size ${names.length + 1}/Root{catalog}${info}${this.trailer}>>\n`));
    append(`startxref\n${at}${this.end}`);
    return file;
  }
}

/** Property of the metadata. */
const described = (namespace: string, property: string, name: string) => `<rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>A schema</pdfaSchema:schema><pdfaSchema:namespaceURI>${namespace}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>${property}</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category><pdfaProperty:description>A part</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li>`;

function xmp(profile: Profile): string {
  const isArchive = profile !== 'ua';
  const level =
    profile === '4' ? '<pdfaid:rev>2020</pdfaid:rev>' : '<pdfaid:conformance>B</pdfaid:conformance>';
  const archive = `<pdfaid:part>${profile[0]}</pdfaid:part>${level}`;
  return `<?xpacket begin="\ufeff" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
 xmlns:pdf="http://ns.adobe.com/pdf/1.3/" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<dc:title><rdf:Alt><rdf:li xml:lang="x-default">A &amp; B</rdf:li></rdf:Alt></dc:title>
<dc:creator><rdf:Seq><rdf:li>C</rdf:li></rdf:Seq></dc:creator>
<dc:description><rdf:Alt><rdf:li xml:lang="x-default">D</rdf:li></rdf:Alt></dc:description>
<pdf:Keywords>K</pdf:Keywords><pdf:Producer>P</pdf:Producer><xmp:CreatorTool>T</xmp:CreatorTool>
<xmp:CreateDate>2026-01-02T03:04:05+01:00</xmp:CreateDate><xmp:ModifyDate>2026-01-02T02:04:05Z</xmp:ModifyDate>
${isArchive ? archive : ''}<pdfuaid:part>1</pdfuaid:part>
<pdfaExtension:schemas><rdf:Bag>${described('http://www.aiim.org/pdfua/ns/id/', 'pdfuaid', 'part')}</rdf:Bag>
</pdfaExtension:schemas></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
}

/** An ICC profile for RGB on monitors, which is only a header and an empty table. */
export function iccProfile(version = 2, deviceClass = 'mntr', space = 'RGB '): Buffer {
  const profile = Buffer.alloc(132);
  profile.writeUInt32BE(profile.length, 0);
  profile.writeUInt8(version, 8);
  profile.write(deviceClass, 12, 'latin1');
  profile.write(space, 16, 'latin1');
  profile.write('acsp', 36, 'latin1');
  return profile;
}

export const TO_UNICODE = `/CIDInit/ProcSet findresource begin begincmap
1 begincodespacerange <00> <FF> endcodespacerange
1 beginbfrange <01> <02> <0041> endbfrange endcmap end`;

function partsOf(profile: Profile): Record<string, Part> {
  if (!profiles.includes(profile)) throw new Error(profile);
  const element = (type: string, parent: string, kids: string, more = '') => ({
    text: `<</Type/StructElem/S/${type}/P{${parent}}/Pg{page}/K[${kids}]${more}>>`,
  });
  const marked = (tag: string, number: number, code: string) =>
    `/${tag}<</MCID ${number}>>BDC BT /F1 12 Tf 0 0 0 rg 72 700 Td <${code}> Tj ET EMC`;
  return {
    catalog: {
      text: `<</Type/Catalog/Pages{pages}/Metadata{metadata}/OutputIntents[{intent}]/Lang(en-GB)/MarkInfo<</Marked true>>
/StructTreeRoot{structure}/ViewerPreferences<</DisplayDocTitle true>>/AcroForm<</Fields[{field}]>>
/Outlines<</First{outline}/Last{outline}/Count 1>>/OpenAction<</S/GoTo/D[{page}/Fit]>>>>`,
    },
    pages: { text: '<</Type/Pages/Kids[{page}]/Count 1>>' },
    page: {
      text: `<</Type/Page/Parent{pages}/MediaBox[0 0 595 842]/Contents{content}/StructParents 0/Tabs/S/Annots[{link}{field}]
/Resources<</Font<</F1{font}>>/XObject<</Im1{image}/Fm1{form}>>/ExtGState<</G1{state}>>>>>>`,
    },
    content: {
      text: '<<>>',
      data: [
        '/Artifact BMC q 1 0 0 RG 0 0 m 9 9 l S Q EMC',
        marked('H1', 0, '01'),
        marked('Link', 1, '0102'),
        marked('TH', 2, '01'),
        marked('TD', 3, '02'),
        marked('Lbl', 4, '01'),
        marked('LBody', 5, '02'),
        '/Figure<</MCID 6>>BDC q /G1 gs /Im1 Do Q EMC',
        '/Note<</MCID 7>>BDC /Fm1 Do EMC',
      ].join('\n'),
    },
    font: {
      text: `<</Type/Font/Subtype/TrueType/BaseFont/AAAAAA+Test/FirstChar 0/LastChar 2/Widths[0 500 600]
/FontDescriptor{descriptor}/ToUnicode{unicode}>>`,
    },
    descriptor: {
      text: `<</Type/FontDescriptor/FontName/AAAAAA+Test/Flags 4/FontBBox[0 0 9 9]/ItalicAngle 0/Ascent 9/Descent 0/CapHeight 9
/StemV 9/FontFile2{program}>>`,
    },
    program: { text: '<<>>', data: trueTypeFont([500, 600]) },
    unicode: { text: '<<>>', data: TO_UNICODE },
    image: {
      text: '<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace[/ICCBased{icc}]>>',
      data: '123',
    },
    form: { text: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>>>', data: '0 0 m 9 9 l S' },
    state: { text: '<</Type/ExtGState/LW 1>>' },
    intent: {
      text: '<</Type/OutputIntent/S/GTS_PDFA1/OutputConditionIdentifier(sRGB)/DestOutputProfile{icc}>>',
    },
    icc: { text: '<</N 3>>', data: iccProfile() },
    metadata: { text: '<</Type/Metadata/Subtype/XML>>', data: xmp(profile) },
    info: {
      text: `<</Title(A & B)/Author(C)/Subject(D)/Keywords(K)/Creator(T)/Producer(P)/CreationDate(D:20260102030405+01'00')
/ModDate(D:20260102020405Z)>>`,
    },
    outline: { text: '<</Title(A)/Dest[{page}/Fit]>>' },
    link: {
      text: '<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/F 4/Contents(B)/StructParent 1/A<</S/URI/URI(http://a.test)>>>>',
    },
    field: {
      text: `<</Type/Annot/Subtype/Widget/FT/Tx/T(n)/TU(Name)/Rect[0 0 9 9]/F 4/StructParent 2/AP<</N{appearance}>>>>`,
    },
    appearance: { text: '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<<>>>>', data: '0 0 m 9 9 l S' },
    structure: {
      text: `<</Type/StructTreeRoot/K[{document}]/RoleMap<</Standard/P/Note2/Note>>/ParentTree<</Nums[
0[{h1}{linkElement}{th}{td}{label}{body}{figure}{note}]1{linkElement}2{formElement}]>>>>`,
    },
    document: element('Document', 'structure', '{h1}{p}{table}{list}{figure}{formElement}{note}{h2}'),
    h1: element('H1', 'document', '0'),
    h2: element('H2', 'document', ''),
    p: element('Standard', 'document', '{linkElement}'),
    linkElement: element('Link', 'p', '1<</Type/OBJR/Obj{link}>>', '/Lang(de)'),
    table: element('Table', 'document', '{head}{rows}'),
    head: element('THead', 'table', '{row1}'),
    rows: element('TBody', 'table', '{row2}'),
    row1: element('TR', 'head', '{th}'),
    row2: element('TR', 'rows', '{td}'),
    th: element('TH', 'row1', '2', '/A<</O/Table/Scope/Column>>'),
    td: element('TD', 'row2', '3'),
    list: element('L', 'document', '{item}'),
    item: element('LI', 'list', '{label}{body}'),
    label: element('Lbl', 'item', '4'),
    body: element('LBody', 'item', '5'),
    figure: element('Figure', 'document', '6', '/Alt(A dot)'),
    formElement: element('Form', 'document', '<</Type/OBJR/Obj{field}>>'),
    note: element('Note2', 'document', '7', '/ID(n1)'),
  };
}
