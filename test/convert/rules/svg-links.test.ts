/** That an SVG picture names nothing outside of itself. */
import t from 'tap';
import { withoutSvgLinks } from '../../../src/convert/rules/svg-links.ts';

t.test('links of SVG', async (t) => {
  const svg = (inner: string) => `<svg xmlns="http://www.w3.org/2000/svg">${inner}</svg>`;
  for (const [from, to] of [
    ['<image href="file://host/a" xlink:href="a.png"/>', '<image href="" xlink:href=""/>'],
    [`<s:use x="1" href='&#35;a'/>`, `<s:use x="1" href=''/>`],
    ['<feImage href=" data:,"/>', '<feImage href=""/>'],
  ] as const) {
    t.equal(withoutSvgLinks(svg(from)), svg(to));
  }
  for (const same of [
    svg('<use href="#a" hreflang="x"/><image xlink:href="data:image/png;base64,AA=="/>'),
    svg('<a href="https://example.com"/>'),
    '<v:shape href="https://example.com"/>',
  ])
    t.equal(withoutSvgLinks(same), same);
  t.equal(withoutSvgLinks(`<x>${svg('')}<image href="a"/></x>`), `<x>${svg('')}<image href=""/></x>`);
});
