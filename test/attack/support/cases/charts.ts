/** Drawings that come with parts of their own: charts, diagrams, themes. */
import { type Case, endsSomehow, type Targets } from '../case.ts';
import { attackDocx, NAMESPACES, paragraph, type Relationship, text } from '../docx.ts';
import { everywhere, webUrls } from './linked-pictures.ts';

const DRAWING = 'application/vnd.openxmlformats-officedocument.drawingml';
const size = 'cx="2857500" cy="1905000"';

const graphic = (uri: string, content: string): string =>
  `<w:r><w:drawing><wp:inline><wp:extent ${size}/><wp:docPr id="1" name="Graphic"/><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/${uri}">${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;

/** A bar chart that is filled with the picture `rId0`, and whose figures are in the workbook `rIdData`. */
function chartDocx(pictures: readonly string[], workbook: string): Buffer {
  const fills = (i: number) =>
    `<c:spPr><a:blipFill><a:blip r:link="rId${i}" r:embed="rId${i}"/><a:stretch><a:fillRect/></a:stretch></a:blipFill></c:spPr>`;
  const series = pictures.map(
    (_, i) =>
      `<c:ser><c:idx val="${i}"/><c:order val="${i}"/>${fills(i)}<c:val><c:numRef><c:f>'[${workbook}]Sheet1'!$A$1</c:f><c:numCache><c:ptCount val="1"/><c:pt idx="0"><c:v>5</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser>`,
  );
  return attackDocx({
    body: paragraph(graphic('chart', '<c:chart r:id="rIdChart"/>') + text('chart above')),
    relationships: [{ id: 'rIdChart', type: 'chart', target: 'charts/chart1.xml' }],
    parts: [
      {
        name: 'word/charts/chart1.xml',
        type: `${DRAWING}.chart+xml`,
        data: `<c:chartSpace ${NAMESPACES}><c:chart><c:plotArea><c:layout/><c:barChart><c:barDir val="col"/>${series.join('')}<c:axId val="1"/><c:axId val="2"/></c:barChart><c:catAx><c:axId val="1"/><c:crossAx val="2"/></c:catAx><c:valAx><c:axId val="2"/><c:crossAx val="1"/></c:valAx></c:plotArea></c:chart>${fills(0)}<c:externalData r:id="rIdData"><c:autoUpdate val="1"/></c:externalData></c:chartSpace>`,
        relationships: [
          ...pictures.map((target, i) => ({ id: `rId${i}`, type: 'image', target })),
          { id: 'rIdData', type: 'oleObject', target: workbook, external: true },
        ],
      },
    ],
  });
}

const diagramParts = ['data', 'layout', 'quickStyle', 'colors'] as const;

function diagramDocx(targets: Targets): Buffer {
  const relationships: Relationship[] = diagramParts.map((part) => ({
    id: part,
    type: `diagram${part[0]?.toUpperCase()}${part.slice(1)}`,
    target: part === 'data' ? 'diagrams/data1.xml' : `${targets.web[0]}/${part}.xml`,
  }));
  const pictures = everywhere(targets);
  return attackDocx({
    body: paragraph(
      `${graphic('diagram', '<dgm:relIds r:dm="data" r:lo="layout" r:qs="quickStyle" r:cs="colors"/>')}${text('diagram above')}`,
    ),
    relationships,
    parts: [
      {
        name: 'word/diagrams/data1.xml',
        type: `${DRAWING}.diagramData+xml`,
        data: `<dgm:dataModel ${NAMESPACES}><dgm:ptLst>${pictures.map((_, i) => `<dgm:pt modelId="${i}"><dgm:spPr><a:blipFill><a:blip r:link="rId${i}"/></a:blipFill></dgm:spPr></dgm:pt>`).join('')}</dgm:ptLst><dgm:cxnLst>${pictures.map((_, i) => `<dgm:cxn modelId="${i + 90}" srcId="${i}" destId="${(i + 1) % pictures.length}" srcOrd="0" destOrd="0"/>`).join('')}</dgm:cxnLst></dgm:dataModel>`,
        relationships: pictures.map((target, i) => ({ id: `rId${i}`, type: 'image', target })),
      },
    ],
  });
}

function themeDocx(targets: Targets): Buffer {
  const pictures = everywhere(targets);
  const fills = pictures
    .map((_, i) => `<a:blipFill><a:blip r:link="rId${i}"/><a:tile/></a:blipFill>`)
    .join('');
  return attackDocx({
    body: paragraph(text('themed')),
    relationships: [{ id: 'rIdTheme', type: 'theme', target: 'theme/theme1.xml' }],
    parts: [
      {
        name: 'word/theme/theme1.xml',
        type: 'application/vnd.openxmlformats-officedocument.theme+xml',
        data: `<a:theme ${NAMESPACES} name="t"><a:themeElements><a:clrScheme name="c"/><a:fontScheme name="f"/><a:fmtScheme name="f"><a:fillStyleLst>${fills}</a:fillStyleLst><a:lnStyleLst/><a:effectStyleLst/><a:bgFillStyleLst>${fills}</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>`,
        relationships: pictures.map((target, i) => ({ id: `rId${i}`, type: 'image', target })),
      },
    ],
  });
}

export const charts: readonly Case[] = [
  {
    name: 'a chart of pictures and figures linked over http',
    build: (targets) => chartDocx(webUrls(targets, 'canary.png'), `${targets.web[0]}/canary.csv`),
  },
  {
    name: 'a chart of pictures and figures linked as files',
    build: ({ folders }) =>
      chartDocx(
        folders.map((folder) => `file://${folder}/canary.png`),
        `file://${folders[0]}/canary.csv`,
      ),
  },
  { name: 'a diagram whose points refer to each other', build: diagramDocx, outcomes: endsSomehow },
  { name: 'a theme filled with linked pictures', build: themeDocx },
];
