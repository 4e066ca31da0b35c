/** Pictures that are not in the document. */
import type { Case, Layer, Targets } from '../case.ts';
import { attackDocx, escapeXml, linkingDocx, NAMESPACES, paragraph, picture, shape, text } from '../docx.ts';

/** What stops a document that asks the network, and one that reads a file. */
export const stopsNetwork: readonly Layer[] = ['profile', 'seccomp', 'network'];
const stopsFiles: readonly Layer[] = ['profile', 'files'];

/** The ways to name a file of this machine. */
export const fileUrls = (folders: readonly string[], name: string): string[] =>
  folders.flatMap((folder) => [
    `file://${folder}/${name}`,
    `file:${folder}/${name}`,
    `file://localhost${folder}/${name}`,
    `${folder}/${name}`,
    `../../../../../../../../..${folder}/${name}`,
  ]);

/** The addresses of a name on the listeners, by http. */
export const webUrls = ({ web }: Targets, name: string): string[] => web.map((origin) => `${origin}/${name}`);

/** The ways to name a share of the listeners. */
const shares = ({ hosts }: Targets): string[] =>
  hosts.flatMap((host) => {
    const bare = host.replace(/:\d+$/, '');
    return [
      `\\\\${bare}\\share\\canary.png`,
      `\\\\${host}\\share\\canary.png`,
      `//${host}/share/canary.png`,
      `file://${bare}/share/canary.png`,
      `file:////${host}/share/canary.png`,
      `smb://${host}/share/canary.png`,
      `cifs://${host}/share/canary.png`,
    ];
  });

const otherSchemes = ({ hosts }: Targets): string[] =>
  hosts
    .slice(0, 1)
    .flatMap((host) =>
      [
        ...['https', 'ftp', 'ftps', 'sftp', 'webdav', 'webdavs', 'dav', 'davs', 'gopher', 'ldap', 'dict'],
        ...['vnd.sun.star.webdav', 'vnd.sun.star.webdavs', 'vnd.libreoffice.cmis', 'http'],
      ].map((scheme) => `${scheme}://${host}/canary.png`),
    );

const linked = (targets: readonly string[]): Buffer =>
  linkingDocx(targets, 'image', (id, i) => picture(`r:link="${id}"/>`, i));

/** Everything that a picture may name. */
export const everywhere = (targets: Targets): string[] => [
  ...webUrls(targets, 'canary.png'),
  ...targets.folders.map((folder) => `file://${folder}/canary.png`),
];

const filledShapes = (targets: readonly string[]): Buffer =>
  linkingDocx(targets, 'image', (id, i) =>
    shape(`<a:blipFill><a:blip r:link="${id}"/><a:stretch><a:fillRect/></a:stretch></a:blipFill>`, i),
  );

const vmlStyle = 'style="width:75pt;height:75pt"';

export const linkedPictures: readonly Case[] = [
  {
    name: 'pictures linked over http',
    build: (targets) => linked(webUrls(targets, 'canary.png')),
    claims: stopsNetwork,
  },
  {
    name: 'pictures linked as files',
    build: ({ folders }) => linked(fileUrls(folders, 'canary.png')),
    claims: stopsFiles,
  },
  {
    name: 'pictures linked on a share',
    build: (targets) => linked(shares(targets)),
    claims: stopsFiles,
  },
  {
    name: 'pictures linked by other schemes',
    build: (targets) => linked(otherSchemes(targets)),
    claims: stopsNetwork,
  },
  {
    name: 'external pictures that claim to be embedded',
    build: (targets) => linkingDocx(everywhere(targets), 'image', (id, i) => picture(`r:embed="${id}"/>`, i)),
  },
  {
    name: 'internal pictures whose target is outside the package',
    build: (targets) => {
      const all = [
        ...everywhere(targets),
        ...targets.folders.map((folder) => `../../../../../..${folder}/canary.png`),
      ];
      return attackDocx({
        body: all.map((_, i) => paragraph(picture(`r:embed="rId${i}" r:link="rId${i}"/>`, i))).join(''),
        relationships: all.map((target, i) => ({ id: `rId${i}`, type: 'image', target, external: false })),
      });
    },
  },
  {
    name: 'linked VML pictures',
    build: (targets) =>
      linkingDocx(
        everywhere(targets),
        'image',
        (id) =>
          `<w:r><w:pict><v:shape ${vmlStyle}><v:imagedata r:id="${id}" r:href="${id}" o:title=""/></v:shape></w:pict></w:r>`,
      ),
  },
  {
    name: 'VML pictures that name their source',
    build: (targets) =>
      attackDocx({
        body: everywhere(targets)
          .map((url) =>
            paragraph(
              `<w:r><w:pict><v:shape ${vmlStyle} href="${url}"><v:imagedata src="${url}" o:href="${url}" althref="${url}"/></v:shape>\
<v:image ${vmlStyle} src="${url}" o:href="${url}"/></w:pict></w:r>`,
            ),
          )
          .join(''),
      }),
  },
  {
    name: 'linked VML fills and page backgrounds',
    build: (targets) => {
      const urls = everywhere(targets);
      return attackDocx({
        beforeBody: `<w:background w:color="FFFFFF"><v:background id="b"><v:fill r:id="rId0" o:href="${urls[0]}" src="${urls[0]}" type="frame"/></v:background></w:background>`,
        body: urls
          .map((url, i) =>
            paragraph(
              `<w:r><w:pict><v:rect ${vmlStyle}><v:fill r:id="rId${i}" r:href="rId${i}" src="${url}" type="frame"/></v:rect></w:pict></w:r>`,
            ),
          )
          .join(''),
        relationships: urls.map((target, i) => ({ id: `rId${i}`, type: 'image', target })),
        settings: { content: '<w:displayBackgroundShape/>' },
      });
    },
  },
  {
    name: 'shapes filled with pictures linked over http',
    build: (targets) => filledShapes(webUrls(targets, 'canary.png')),
    claims: stopsNetwork,
  },
  {
    name: 'shapes filled with pictures linked as files',
    build: ({ folders }) => filledShapes(fileUrls(folders, 'canary.png')),
    // BlockUntrustedRefererLinks does not cover fills.
    claims: ['files'],
  },
  {
    name: 'linked pictures in headers, footnotes, comments and bullets',
    build: (targets) => {
      const relationships = everywhere(targets).map((target, i) => ({
        id: `rId${i}`,
        type: 'image',
        target,
      }));
      // Side by side: a header and a footnote that fill the page keep LibreOffice 26.8 busy until its time is up.
      const pictures = paragraph(relationships.map(({ id }, i) => picture(`r:link="${id}"/>`, i)).join(''));
      const part = (name: string, root: string, content: string) => ({
        name: `word/${name}.xml`,
        type: `application/vnd.openxmlformats-officedocument.wordprocessingml.${name}+xml`,
        data: `<w:${root} ${NAMESPACES}>${content}</w:${root}>`,
        relationships,
      });
      const bullets = relationships.map(
        ({ id }, i) =>
          `<w:numPicBullet w:numPicBulletId="${i}"><w:pict><v:shape ${vmlStyle} o:bullet="t"><v:imagedata r:id="${id}" r:href="${id}"/></v:shape></w:pict></w:numPicBullet>`,
      );
      const list = `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/><w:lvlText w:val="x"/><w:lvlPicBulletId w:val="0"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`;
      return attackDocx({
        body: `${paragraph(
          `${text('body')}<w:r><w:footnoteReference w:id="2"/></w:r><w:r><w:commentReference w:id="0"/></w:r>`,
          '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>',
        )}<w:sectPr><w:headerReference w:type="default" r:id="rIdHeader"/></w:sectPr>`,
        relationships: [
          { id: 'rIdHeader', type: 'header', target: 'header.xml' },
          ...['footnotes', 'comments', 'numbering'].map((name) => ({
            id: name,
            type: name,
            target: `${name}.xml`,
          })),
        ],
        parts: [
          part('header', 'hdr', pictures),
          part('footnotes', 'footnotes', `<w:footnote w:id="2">${pictures}</w:footnote>`),
          part('comments', 'comments', `<w:comment w:id="0" w:author="a">${pictures}</w:comment>`),
          part('numbering', 'numbering', bullets.join('') + list),
        ],
      });
    },
    // A file and an address at once: of the sandbox's layers none stops both alone.
    claims: ['profile'],
  },
  {
    name: 'pictures named by addresses of LibreOffice',
    build: ({ folders, web }) => {
      const inner = [...folders.map((folder) => `file://${folder}`), ...web];
      const coded = (url: string) => encodeURIComponent(url);
      return linked(
        inner.flatMap((url) => [
          `vnd.sun.star.expand:${coded(url)}%2Fcanary.png`,
          `vnd.sun.star.expand:${url}/canary.png`,
          `vnd.sun.star.zip://${coded(`${url}/canary.docx`)}/word/document.xml`,
          `vnd.sun.star.pkg://${coded(`${url}/canary.docx`)}/word/document.xml`,
          `vnd.sun.star.tdoc:/1/${url}/canary.png`,
          `vnd.sun.star.hier:/${url}/canary.png`,
          `vnd.sun.star.help://${url}/canary.png`,
          `vnd.sun.star.extension:${url}/canary.png`,
          `vnd.sun.star.GraphicObject:${url}/canary.png`,
          `vnd.sun.star.Package:${url}/canary.png`,
          `vnd.libreoffice.image://${url}/canary.png`,
          `private:stream${url}/canary.png`,
          `private:image/${url}/canary.png`,
          `data:image/svg+xml,${escapeXml(`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><image width="9" height="9" xlink:href="${url}/canary.png"/></svg>`)}`,
        ]),
      );
    },
  },
];
