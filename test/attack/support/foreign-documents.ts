/** Documents of other kinds, to embed in a DOCX: each refers to its targets in every way that its format has. */
import { XML } from '../../support/office-package.ts';
import { zip } from '../../support/zip.ts';
import type { Targets } from './case.ts';
import { escapeXml } from './docx.ts';

/** An HTML page that names the URLs in every way that a page can. */
export const html = (urls: readonly string[], frames: readonly string[]): string => `<html><head>
${urls.map((url) => `<link rel="stylesheet" href="${url}"><style>@import url("${url}"); p { background-image: url("${url}"); list-style-image: url(${url}) }</style>`).join('')}
<script src="${urls[0]}"></script><script>document.write(new ActiveXObject("Scripting.FileSystemObject"))</script>
<base href="${urls[0]}"><meta http-equiv="refresh" content="0;url=${urls[0]}"></head>
<body background="${urls[0]}" onload="x()"><p>html</p>
${urls.map((url) => `<img src="${url}" width="50" height="50"><input type="image" src="${url}"><table background="${url}"><tr><td background="${url}">x</td></tr></table>`).join('')}
${frames.map((url) => `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><applet code="${url}" archive="${url}"></applet><sdfield type="x" href="${url}">`).join('')}
</body></html>`;

/** An OpenDocument text with everything that loads automatically, and a macro that runs on opening. */
export const odt = ({ folders, web }: Targets, macro: string): Buffer => {
  const urls = [...folders.map((folder) => `file://${folder}`), ...web];
  const content = `${XML}<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0" xmlns:dom="http://www.w3.org/2001/xml-events" xmlns:ooo="http://openoffice.org/2004/office" office:version="1.2">
<office:scripts><office:event-listeners>${['dom:load', 'office:view-created'].map((event) => `<script:event-listener script:language="ooo:script" script:event-name="${event}" xlink:href="vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document" xlink:type="simple"/>`).join('')}</office:event-listeners></office:scripts>
<office:body><office:text>${urls
    .map(
      (
        url,
        i,
      ) => `<text:section text:name="s${i}"><text:section-source xlink:href="${url}/canary.docx" xlink:type="simple"/><text:p>s</text:p></text:section>
<text:p><draw:frame draw:name="f${i}" svg:width="3cm" svg:height="3cm"><draw:floating-frame xlink:href="${url}/canary.html" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>
<draw:frame draw:name="p${i}" svg:width="3cm" svg:height="3cm"><draw:image xlink:href="${url}/canary.png" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>
<draw:frame draw:name="o${i}" svg:width="3cm" svg:height="3cm"><draw:object xlink:href="${url}/canary.docx" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame>
<draw:frame draw:name="g${i}" svg:width="3cm" svg:height="3cm"><draw:plugin xlink:href="${url}/canary.png" draw:mime-type="video/mp4" xlink:type="simple"/></draw:frame></text:p>`,
    )
    .join('')}</office:text></office:body></office:document-content>`;
  const basic = `${XML}<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">Sub Main
${escapeXml(macro)}
End Sub</script:module>`;
  const library = `${XML}<library:library xmlns:library="http://openoffice.org/2000/library" library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`;
  const libraries = `${XML}<library:libraries xmlns:library="http://openoffice.org/2000/library" xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>`;
  const names = [
    'content.xml',
    'Basic/script-lc.xml',
    'Basic/Standard/script-lb.xml',
    'Basic/Standard/Module1.xml',
  ];
  const manifest = `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.text"/>${names.map((name) => `<manifest:file-entry manifest:full-path="${name}" manifest:media-type="text/xml"/>`).join('')}</manifest:manifest>`;
  const files = [content, libraries, library, basic].map((data, i) => ({ name: names[i] as string, data }));
  return zip([
    { name: 'mimetype', data: 'application/vnd.oasis.opendocument.text', stored: true },
    { name: 'META-INF/manifest.xml', data: manifest },
    ...files,
  ]);
};
