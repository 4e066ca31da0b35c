/** Rules for transparency: forbidden in PDF/A-1, and with a known colour space for blending later. */
import type { Dictionary } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { deviceFamilies, outputSpace } from './colour-rules.ts';
import { graphicsStates, objects } from './graphics-rules.ts';
import { archive, type Rule } from './rule.ts';

const blendModes =
  `/Normal /Compatible /Multiply /Screen /Overlay /Darken /Lighten /ColorDodge /ColorBurn /HardLight
/SoftLight /Difference /Exclusion /Hue /Saturation /Color /Luminosity`.split(/\s/);

export const transparencyRules: readonly Rule[] = [
  {
    clauses: archive('6.4'),
    demand: 'No graphics state has a soft mask, a blend mode or an opacity.',
    *check({ pdf }) {
      for (const { where, value } of graphicsStates(pdf)) {
        const what = transparencyOf(pdf, value);
        if (what !== undefined) yield { where, what };
      }
    },
  },
  {
    clauses: archive('6.4'),
    demand: 'No image or form has a soft mask.',
    *check({ pdf }) {
      for (const [reference, dictionary] of pdf.streams()) {
        if ('/SMask' in dictionary && dictionary['/SMask'] !== '/None') {
          yield { where: `object ${reference}`, what: '/SMask' };
        }
      }
    },
  },
  {
    clauses: archive('6.4'),
    demand: 'No page or form is a transparency group.',
    *check({ pdf }) {
      for (const { dictionary, where } of pdf.pages) {
        if (isTransparencyGroup(pdf, dictionary)) yield { where, what: '/Group' };
      }
      for (const [reference, form] of objects(pdf, '/Form')) {
        if (isTransparencyGroup(pdf, form)) yield { where: `form ${reference}`, what: '/Group' };
      }
    },
  },
  {
    clauses: archive(undefined, '6.2.10', '6.2.9'),
    demand: 'Blend modes are those of the standard.',
    *check({ pdf }) {
      for (const { where, value } of graphicsStates(pdf)) {
        for (const mode of pdf.list(value['/BM'])) {
          if (!blendModes.includes(String(mode))) yield { where, what: String(mode) };
        }
      }
    },
  },
  {
    clauses: archive(undefined, '6.2.10', '6.2.9'),
    demand: 'Transparency groups blend in calibrated colours, or in those of the output intent.',
    *check({ pdf }) {
      const space = outputSpace(pdf);
      for (const { where, value } of pdf.survey.having('/CS')) {
        const family = pdf.name(pdf.list(value['/CS'])[0]) ?? '';
        if (pdf.name(value['/S']) !== '/Transparency' || !family.startsWith('/Device')) continue;
        if (!deviceFamilies(space).includes(family)) yield { where, what: family };
      }
    },
  },
  {
    clauses: archive(undefined, '6.2.10', '6.2.9'),
    demand: 'Without an output intent, pages with transparency say in which colours they blend.',
    *check({ pdf }) {
      if (outputSpace(pdf) !== undefined || !hasTransparency(pdf)) return;
      for (const { dictionary, where } of pdf.pages) {
        if (pdf.dictionary(dictionary['/Group'])['/CS'] === undefined)
          yield { where, what: 'no /CS in /Group' };
      }
    },
  },
];

function hasTransparency(pdf: CheckedPdf): boolean {
  const states = [...graphicsStates(pdf)].some(({ value }) => transparencyOf(pdf, value) !== undefined);
  const streams = [...pdf.streams()].map(([, dictionary]) => dictionary);
  return (
    states || streams.some((dictionary) => '/SMask' in dictionary || isTransparencyGroup(pdf, dictionary))
  );
}

function isTransparencyGroup(pdf: CheckedPdf, dictionary: Dictionary): boolean {
  return pdf.name(pdf.dictionary(dictionary['/Group'])['/S']) === '/Transparency';
}

function transparencyOf(pdf: CheckedPdf, state: Dictionary): string | undefined {
  if ('/SMask' in state && state['/SMask'] !== '/None') return '/SMask';
  const [mode = '/Normal'] = pdf.list(state['/BM']);
  if (mode !== '/Normal' && mode !== '/Compatible') return String(mode);
  return ['/CA', '/ca'].find((key) => Math.abs((pdf.number(state[key]) ?? 1) - 1) > 0.000_001);
}
