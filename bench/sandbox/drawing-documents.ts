/** Documents of drawings and pictures. */
import { deflateSync } from 'node:zlib';
import { attackDocx, NAMESPACES, paragraph, pictureDocx, text } from '../../test/attack/support/docx.ts';
import { png, pngChunk } from '../../test/attack/support/images.ts';

/** Formulas, charts, preset shapes and WordArt. */
export function drawings(): Buffer {
  const m = (content: string) => `<m:r><m:t>${content}</m:t></m:r>`;
  const formula = `<m:oMath><m:f><m:num>${m('dy')}</m:num><m:den>${m('dx')}</m:den></m:f><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${m('i=0')}</m:sub><m:sup>${m('∞')}</m:sup><m:e>${m('αβ√')}</m:e></m:nary></m:oMath>`;
  const presets = [
    'ellipse',
    'star5',
    'cloud',
    'heart',
    'gear6',
    'wedgeRoundRectCallout',
    'flowChartDocument',
    'actionButtonHelp',
    'ribbon2',
    'funnel',
    'mathPlus',
    'curvedRightArrow',
  ];
  const size = 'cx="1400000" cy="700000"';
  const shape = (preset: string, i: number) =>
    `<w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="${i + 1}" name="${preset}"/><a:graphic><a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr/><wps:spPr><a:xfrm><a:off x="0" y="0"/><a:ext ${size}/></a:xfrm><a:prstGeom prst="${preset}"><a:avLst/></a:prstGeom><a:pattFill prst="diagBrick"><a:fgClr><a:srgbClr val="AA3311"/></a:fgClr><a:bgClr><a:srgbClr val="EEEECC"/></a:bgClr></a:pattFill><a:ln w="12700"><a:solidFill><a:srgbClr val="112233"/></a:solidFill><a:prstDash val="dashDot"/><a:headEnd type="stealth"/></a:ln></wps:spPr><wps:txbx><w:txbxContent>${paragraph(text(preset))}</w:txbxContent></wps:txbx><wps:bodyPr><a:prstTxWarp prst="textWave1"><a:avLst/></a:prstTxWarp></wps:bodyPr></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  const series = `<c:ser><c:idx val="0"/><c:order val="0"/><c:cat><c:strLit><c:ptCount val="3"/>${['Jän', 'Feb', 'März'].map((name, i) => `<c:pt idx="${i}"><c:v>${name}</c:v></c:pt>`).join('')}</c:strLit></c:cat><c:val><c:numLit><c:formatCode>#,##0.00</c:formatCode><c:ptCount val="3"/>${[1234.5, 2345.6, 3456.7].map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join('')}</c:numLit></c:val></c:ser>`;
  const charts = ['bar', 'line', 'pie'].map((kind) => {
    const axes = kind === 'pie' ? '' : '<c:axId val="1"/><c:axId val="2"/>';
    const direction = kind === 'bar' ? '<c:barDir val="col"/>' : '';
    const axis =
      kind === 'pie'
        ? ''
        : '<c:catAx><c:axId val="1"/><c:scaling/><c:delete val="0"/><c:axPos val="b"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:scaling/><c:delete val="0"/><c:axPos val="l"/><c:numFmt formatCode="[$-407]#,##0.00" sourceLinked="0"/><c:crossAx val="1"/></c:valAx>';
    return {
      name: `word/charts/${kind}.xml`,
      type: 'application/vnd.openxmlformats-officedocument.drawingml.chart+xml',
      data: `<c:chartSpace ${NAMESPACES}><c:lang val="de-DE"/><c:chart><c:plotArea><c:layout/><c:${kind}Chart>${direction}${series}${axes}</c:${kind}Chart>${axis}</c:plotArea><c:legend><c:legendPos val="r"/></c:legend></c:chart></c:chartSpace>`,
    };
  });
  const chart = (_: unknown, i: number) =>
    paragraph(
      `<w:r><w:drawing><wp:inline><wp:extent cx="4000000" cy="2000000"/><wp:docPr id="${i + 50}" name="Chart ${i}"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart"><c:chart r:id="rId${i + 1}"/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`,
    );
  return attackDocx({
    body:
      paragraph(formula) +
      presets.map((preset, i) => paragraph(shape(preset, i))).join('') +
      charts.map(chart).join(''),
    relationships: charts.map(({ name }, i) => ({
      id: `rId${i + 1}`,
      type: 'chart',
      target: name.slice('word/'.length),
    })),
    parts: charts,
  });
}

/** A picture with a colour profile: a PNG whose `iCCP` chunk declares other primaries than sRGB's. */
export function profiledPicture(): Buffer {
  const plain = png(64, 64, [200, 60, 20]);
  // After the signature and IHDR, which has 25 bytes.
  const [head, rest] = [plain.subarray(0, 33), plain.subarray(33)];
  const content = Buffer.concat([Buffer.from('wide\0\0', 'latin1'), deflateSync(colourProfile())]);
  return pictureDocx('profiled.png', Buffer.concat([head, pngChunk('iCCP', content), rest]));
}

/** A profile of three primaries and a gamma (ISO 15076-1, 7.2 and 8.3.3). */
function colourProfile(): Buffer {
  const fixed = (...values: readonly number[]): Buffer => {
    const bytes = Buffer.alloc(values.length * 4);
    for (const [i, value] of values.entries()) bytes.writeInt32BE(Math.round(value * 65_536), i * 4);
    return bytes;
  };
  const typed = (type: string, data: Buffer) =>
    Buffer.concat([Buffer.from(`${type}\0\0\0\0`, 'latin1'), data]);
  const xyz = (x: number, y: number, z: number) => typed('XYZ ', fixed(x, y, z));
  // One entry: a gamma in eighths of bits, 2.2.
  const curve = typed('curv', Buffer.from([0, 0, 0, 1, 2, 0x33, 0, 0]));
  const named = typed('text', Buffer.from('wide\0\0\0\0', 'latin1'));
  const tags: readonly (readonly [string, Buffer])[] = [
    ['wtpt', xyz(0.9642, 1, 0.8249)],
    ['rXYZ', xyz(0.6097, 0.3111, 0.0195)],
    ['gXYZ', xyz(0.2053, 0.6257, 0.0609)],
    ['bXYZ', xyz(0.1492, 0.0632, 0.7446)],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
    ['cprt', named],
    ['desc', named],
  ];
  const table = Buffer.alloc(4 + tags.length * 12);
  table.writeUInt32BE(tags.length);
  let offset = 128 + table.length;
  for (const [i, [name, data]] of tags.entries()) {
    table.write(name, 4 + i * 12, 'latin1');
    table.writeUInt32BE(offset, 8 + i * 12);
    table.writeUInt32BE(data.length, 12 + i * 12);
    offset += data.length;
  }
  const header = Buffer.alloc(128);
  header.writeUInt32BE(offset);
  header.writeUInt32BE(0x02100000, 8);
  header.write('mntrRGB XYZ ', 12, 'latin1');
  header.write('acsp', 36, 'latin1');
  fixed(0.9642, 1, 0.8249).copy(header, 68);
  return Buffer.concat([header, table, ...tags.map(([, data]) => data)]);
}
