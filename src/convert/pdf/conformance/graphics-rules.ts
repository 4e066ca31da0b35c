/** Rules for content streams, images, forms and graphics states, but for their colours and transparency. */
import { isDictionary, Reference } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { archive, type Rule } from './rule.ts';

export const graphicsRules: readonly Rule[] = [
  {
    clauses: archive('6.2.10', '6.2.2', '6.2.2'),
    demand: 'Content streams have only operators that PDF defines.',
    check: ({ content }) => content.unknownOperators,
  },
  {
    clauses: archive('6.2.10', '6.2.2', '6.2.2'),
    demand: 'What content streams name is in their resources.',
    check: ({ content }) => content.missingResources,
  },
  {
    clauses: archive(undefined, '6.2.2', '6.2.2'),
    demand: 'Pages and forms have resources of their own.',
    check: ({ content }) => content.inheritedResources,
  },
  {
    clauses: archive('6.2.4', '6.2.8', '6.2.7.1'),
    demand: 'Images have no alternates, no OPI, no interpolation, and a permitted number of bits.',
    *check({ pdf, profile, content }) {
      const depths = profile === '1b' ? [1, 2, 4, 8] : [1, 2, 4, 8, 16];
      for (const [reference, image] of objects(pdf, '/Image')) {
        const where = `image ${reference}`;
        for (const key of ['/Alternates', '/OPI']) if (key in image) yield { where, what: key };
        if (image['/Interpolate'] === true) yield { where, what: '/Interpolate' };
        const bits = pdf.number(image['/BitsPerComponent']);
        const permitted = image['/ImageMask'] === true ? [1] : depths;
        if (bits !== undefined && !permitted.includes(bits)) yield { where, what: `${bits} bits` };
      }
      for (const { where, image } of content.inlineImages) {
        if ((image['/Interpolate'] ?? image['/I']) === true)
          yield { where, what: 'an interpolated inline image' };
      }
    },
  },
  {
    clauses: archive(undefined, '6.2.8.3', '6.2.7.3'),
    demand: 'Images are not in JPEG 2000, whose rules are not checked here.',
    *check({ pdf }) {
      for (const [reference, image] of objects(pdf, '/Image')) {
        if (pdf.list(image['/Filter']).includes('/JPXDecode'))
          yield { where: `image ${reference}`, what: 'JPX' };
      }
    },
  },
  {
    clauses: archive('6.2.5', '6.2.9', '6.2.8.1'),
    demand: 'Forms have neither OPI nor PostScript.',
    *check({ pdf }) {
      for (const [reference, form] of objects(pdf, '/Form')) {
        const where = `form ${reference}`;
        for (const key of ['/OPI', '/PS']) if (key in form) yield { where, what: key };
        if (form['/Subtype2'] === '/PS') yield { where, what: '/Subtype2/PS' };
      }
    },
  },
  {
    clauses: archive('6.2.6', '6.2.9', '6.2.8.2', '7.20'),
    demand: 'Forms are not those of other files.',
    *check({ pdf }) {
      for (const [reference, form] of objects(pdf, '/Form')) {
        if ('/Ref' in form) yield { where: `form ${reference}`, what: '/Ref' };
      }
    },
  },
  {
    clauses: archive('6.2.7', '6.2.9'),
    demand: 'There is no PostScript.',
    *check({ pdf }) {
      for (const [reference] of objects(pdf, '/PS'))
        yield { where: `object ${reference}`, what: 'PostScript' };
    },
  },
  {
    clauses: archive('6.2.8', '6.2.5', '6.2.5'),
    demand: 'Graphics states have no transfer functions and no phase or origin of halftones.',
    *check({ pdf, profile }) {
      for (const { where, value } of graphicsStates(pdf)) {
        if ('/TR' in value) yield { where, what: '/TR' };
        if ('/TR2' in value && value['/TR2'] !== '/Default') yield { where, what: '/TR2' };
        const phase = profile === '4' ? '/HTO' : '/HTP';
        if (profile !== '1b' && phase in value) yield { where, what: phase };
      }
    },
  },
];

/** External objects of a kind. */
export function* objects(pdf: CheckedPdf, subtype: string) {
  for (const [reference, dictionary] of pdf.streams()) {
    const isOne = pdf.name(dictionary['/Subtype']) === subtype;
    if (isOne) yield [reference, dictionary] as const;
  }
}

/** The graphics states that resources have. */
export function* graphicsStates(pdf: CheckedPdf) {
  const seen = new Set<string>();
  for (const { where, value } of pdf.survey.having('/ExtGState')) {
    const states = value['/ExtGState'];
    if (states instanceof Reference && seen.has(String(states))) continue;
    seen.add(String(states));
    for (const [name, state] of Object.entries(pdf.dictionary(value['/ExtGState']))) {
      const dictionary = pdf.get(state);
      if (isDictionary(dictionary)) yield { where: `${where}, graphics state ${name}`, value: dictionary };
    }
  }
}
