/** Rules for colours: what they mean is in the file. */
import type { Value } from '../objects/values.ts';
import type { CheckedPdf } from './checked-pdf.ts';
import { archive, type Finding, type Rule, type Subject } from './rule.ts';

const intents = ['/RelativeColorimetric', '/AbsoluteColorimetric', '/Perceptual', '/Saturation'];
/** Components of the spaces of ICC profiles. */
const components: Readonly<Record<string, number>> = { GRAY: 1, 'RGB ': 3, 'Lab ': 3, CMYK: 4 };

interface IccProfile {
  readonly deviceClass: string;
  readonly space: string;
  readonly version: number;
}

export const colourRules: readonly Rule[] = [
  {
    clauses: archive('6.2.2', '6.2.3', '6.2.3'),
    demand: 'An output intent for PDF/A has an ICC profile of a printer or monitor, in grey, RGB or CMYK.',
    *check({ pdf, profile }) {
      for (const intent of outputIntents(pdf)) {
        const destination = intent['/DestOutputProfile'];
        const problem = pdf.isStream(destination)
          ? profileProblem(
              pdf,
              destination,
              profile === '1b' ? 2 : 4,
              ['prtr', 'mntr'],
              ['GRAY', 'RGB ', 'CMYK'],
            )
          : 'no profile';
        if (problem !== undefined) yield { where: 'output intent', what: problem };
      }
    },
  },
  {
    clauses: archive('6.2.2', '6.2.3', '6.2.3'),
    demand: 'All output intents have the same profile.',
    *check({ pdf }) {
      const all = pdf.array(pdf.catalog['/OutputIntents']).map((item) => pdf.dictionary(item));
      const used = new Set(all.map((intent) => String(intent['/DestOutputProfile'] ?? '')).filter(Boolean));
      if (used.size > 1) yield { where: 'output intents', what: [...used].join(', ') };
    },
  },
  {
    clauses: archive('6.2.3.2', '6.2.4.2', '6.2.4.2'),
    demand: 'Colour spaces with ICC profiles have as many components as these.',
    *check({ pdf, profile }) {
      for (const { where, value } of pdf.survey.colourSpaces('/ICCBased')) {
        const spaces = ['GRAY', 'RGB ', 'CMYK', 'Lab '];
        const classes = ['prtr', 'mntr', 'scnr', 'spac'];
        const problem = profileProblem(pdf, value[1], profile === '1b' ? 2 : 4, classes, spaces);
        if (problem !== undefined) yield { where, what: problem };
      }
    },
  },
  {
    clauses: archive('6.2.3.3', '6.2.4.3', '6.2.4.3'),
    demand: 'Colours are calibrated, or an output intent says what they mean.',
    check: uncalibrated,
  },
  {
    clauses: archive('6.2.9', '6.2.6', '6.2.6'),
    demand: 'Rendering intents are those of the standard.',
    *check({ pdf, content }) {
      const inline = content.inlineImages.map(({ where, image }) => [image['/Intent'], where] as const);
      for (const [intent, where] of [...content.intents, ...inline]) {
        const name = pdf.name(intent);
        if (name !== undefined && !intents.includes(name)) yield { where, what: name };
      }
      for (const { where, value } of pdf.survey.having('/Intent', '/RI')) {
        const isState = pdf.name(value['/Type']) === '/ExtGState';
        const name = pdf.name(value['/Intent']) ?? (isState ? pdf.name(value['/RI']) : undefined);
        const isGroup = ['/OCG', '/OCMD'].includes(pdf.name(value['/Type']) ?? '');
        if (name !== undefined && !isGroup && !intents.includes(name)) yield { where, what: name };
      }
    },
  },
];

function outputIntents(pdf: CheckedPdf) {
  return pdf
    .array(pdf.catalog['/OutputIntents'])
    .map((item) => pdf.dictionary(item))
    .filter((intent) => pdf.name(intent['/S']) === '/GTS_PDFA1');
}

/** The colour space of the output intent's profile. */
export function outputSpace(pdf: CheckedPdf): string | undefined {
  const [intent] = outputIntents(pdf);
  const profile = intent?.['/DestOutputProfile'];
  return pdf.isStream(profile) ? readIcc(pdf.streamData(profile))?.space : undefined;
}

/** The colours whose meaning an output intent with a profile of this colour space says. */
export function deviceFamilies(space: string | undefined): string[] {
  return [
    ...(space === undefined ? [] : ['/DeviceGray']),
    ...(space === 'RGB ' ? ['/DeviceRGB'] : []),
    ...(space === 'CMYK' ? ['/DeviceCMYK'] : []),
  ];
}

function* uncalibrated({ pdf, content }: Subject): Iterable<Finding> {
  const space = outputSpace(pdf);
  const permitted = deviceFamilies(space);
  for (const [family, where] of content.deviceColours) {
    if (!permitted.includes(family)) yield { where, what: `${family}, but the output intent is ${space}` };
  }
}

function profileProblem(
  pdf: CheckedPdf,
  reference: Value | undefined,
  newest: number,
  classes: readonly string[],
  spaces: readonly string[],
): string | undefined {
  const icc = readIcc(pdf.streamData(reference));
  if (!icc) return 'no ICC profile';
  if (icc.version > newest) return `an ICC profile of version ${icc.version}`;
  if (!classes.includes(icc.deviceClass)) return `an ICC profile of class ${icc.deviceClass}`;
  if (!spaces.includes(icc.space)) return `an ICC profile for ${icc.space}`;
  const count = pdf.number(pdf.dictionary(reference)['/N']);
  return count === components[icc.space] ? undefined : `/N ${count} for ${icc.space}`;
}

/** The header of a profile (ISO 15076-1, 7.2). */
function readIcc(data: Buffer): IccProfile | undefined {
  if (data.length < 132) return undefined;
  if (data.toString('latin1', 36, 40) !== 'acsp') return undefined;
  const text = (at: number) => data.toString('latin1', at, at + 4);
  return { version: data.readUInt8(8), deviceClass: text(12), space: text(16) };
}
