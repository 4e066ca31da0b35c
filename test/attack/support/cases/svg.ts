/** SVG pictures inside the document: the one kind of picture that can name others. */
import { canaryPng } from '../canaries.ts';
import { burns, type Case, refused, type Targets } from '../case.ts';
import { attackDocx, paragraph, picture, pictureDocx, text } from '../docx.ts';
import { png } from '../images.ts';
import { everywhere } from './linked-pictures.ts';

/** An SVG picture with this content. */
const svg = (content: string, { prolog = '', attributes = 'width="200" height="200"' } = {}): string =>
  `<?xml version="1.0"?>${prolog}<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>`;

const canarySvgs = ({ folders, web }: Targets): string[] => [
  ...folders.map((folder) => `file://${folder}/canary.svg`),
  ...web.map((origin) => `${origin}/canary.svg`),
];

const image = (url: string): string =>
  `<image x="0" y="0" width="50" height="50" xlink:href="${url}"/><image x="60" y="0" width="50" height="50" href="${url}"/>`;

const images = (targets: Targets): string =>
  [...everywhere(targets), ...canarySvgs(targets)].map(image).join('');

const base64 = (content: string): string => Buffer.from(content).toString('base64');

/** All that an SVG may refer to besides pictures. */
const references = (targets: Targets): string =>
  [...canarySvgs(targets), ...targets.folders.map((folder) => `file://${folder}/canary.txt`)]
    .map(
      (url) => `<style>@import url("${url}"); rect { fill: url(${url}#a) }</style><use xlink:href="${url}#a"/>
<rect width="9" height="9" fill="url(${url}#a)" filter="url(${url}#a)" clip-path="url(${url}#a)" mask="url(${url}#a)"/>
<filter id="f"><feImage xlink:href="${url}"/></filter><rect width="9" height="9" filter="url(#f)"/>
<pattern id="p" width="9" height="9" xlink:href="${url}#a"><image width="9" height="9" xlink:href="${url}"/></pattern><rect width="9" height="9" fill="url(#p)"/>
<text x="9" y="9"><tref xlink:href="${url}#a"/></text><foreignObject width="50" height="50"><iframe xmlns="http://www.w3.org/1999/xhtml" src="${url}"/></foreignObject>
<script xlink:href="${url}"/><script>fetch("${url}")</script><a xlink:href="${url}"><rect width="9" height="9" onload="x()"/></a>
<font-face><font-face-src><font-face-uri xlink:href="${url}"/></font-face-src></font-face><animate attributeName="x" xlink:href="${url}"/>`,
    )
    .join('');

const entities = (targets: Targets): string =>
  `<!DOCTYPE svg [${[
    ...targets.folders.map((folder) => `file://${folder}/canary.txt`),
    ...targets.web,
    ...targets.environments,
  ]
    .map((url, i) => `<!ENTITY e${i} SYSTEM "${url}"><!ENTITY % p${i} SYSTEM "${url}">%p${i};`)
    .join('')}]>`;

const expansion = `<!DOCTYPE svg [<!ENTITY a0 "ha">${Array.from({ length: 20 }, (_, i) => `<!ENTITY a${i + 1} "${`&a${i};`.repeat(10)}">`).join('')}]>`;

export const svgs: readonly Case[] = [
  {
    name: 'an SVG picture that shows files and addresses',
    build: (targets) => pictureDocx('image.svg', svg(images(targets))),
    claims: ['files'],
  },
  {
    name: 'an SVG picture beside its bitmap that shows files and addresses',
    build: (targets) =>
      attackDocx({
        body: paragraph(
          picture(
            'r:embed="rId1"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip r:embed="rId2"/></a:ext></a:extLst></a:blip>',
          ) + text('picture above'),
        ),
        relationships: [
          { id: 'rId1', type: 'image', target: 'media/image.png' },
          { id: 'rId2', type: 'image', target: 'media/image.svg' },
        ],
        parts: [
          { name: 'word/media/image.png', data: png(8, 8, [0, 0, 0]) },
          { name: 'word/media/image.svg', data: svg(images(targets)) },
        ],
      }),
  },
  {
    name: 'an SVG picture that calls itself a PNG',
    build: (targets) => pictureDocx('image.png', svg(images(targets))),
    claims: ['files'],
  },
  {
    name: 'SVG pictures in SVG pictures',
    build: (targets) => {
      let inner = svg(images(targets));
      for (let depth = 0; depth < 4; depth += 1)
        inner = svg(image(`data:image/svg+xml;base64,${base64(inner)}`));
      return pictureDocx('image.svg', inner);
    },
    claims: ['files'],
  },
  {
    name: 'an SVG picture with every other reference',
    build: (targets) => pictureDocx('image.svg', svg(references(targets))),
    claims: ['files'],
  },
  {
    name: 'an SVG picture with external entities',
    build: (targets) =>
      pictureDocx('image.svg', svg(`<text x="5" y="50">&e0;&e1;&e2;</text>`, { prolog: entities(targets) })),
    ...refused,
  },
  {
    name: 'an SVG picture whose entities expand',
    build: () => pictureDocx('image.svg', svg('<text x="5" y="50">&a20;</text>', { prolog: expansion })),
    ...refused,
  },
  {
    name: 'an SVG picture that uses itself',
    build: () =>
      pictureDocx(
        'image.svg',
        svg(
          '<g id="g"><use xlink:href="#g"/><rect width="9" height="9" fill="url(#p)" mask="url(#m)" clip-path="url(#c)"/></g><pattern id="p" width="2" height="2" xlink:href="#p"><rect width="9" height="9" fill="url(#p)"/></pattern><mask id="m"><rect width="9" height="9" mask="url(#m)"/></mask><clipPath id="c"><rect width="9" height="9" clip-path="url(#c)"/></clipPath><linearGradient id="l" xlink:href="#l"/><marker id="k"><path d="M0 0L9 9" marker-start="url(#k)"/></marker><path d="M0 0L9 9" marker-start="url(#k)" fill="url(#l)"/><style>a{} b{</style>',
        ),
      ),
  },
  {
    name: 'an SVG picture of nested groups',
    build: () =>
      pictureDocx('image.svg', svg(`${'<g>'.repeat(400)}<rect width="9" height="9"/>${'</g>'.repeat(400)}`)),
  },
  {
    name: 'an SVG picture with a canary of its own',
    build: () =>
      pictureDocx(
        'image.svg',
        svg(image(`data:image/png;base64,${canaryPng.toString('base64').slice(0, 40)}`)),
      ),
  },
];

/** Those that cost more than a conversion may. */
export const svgBurners: readonly Case[] = [
  {
    name: 'an SVG picture of huge dimensions',
    build: () =>
      pictureDocx(
        'image.svg',
        svg(
          '<rect width="1e30" height="1e30" stroke="red" stroke-width="1e20" stroke-dasharray="1e-9"/><path d="M0 0L1e38 1e38A1e-30 1e30 0 0 1 9 9Z"/>',
          {
            attributes: 'width="1e9" height="1e9" viewBox="0 0 1e-9 1e9"',
          },
        ),
      ),
    outcomes: burns,
  },
];
