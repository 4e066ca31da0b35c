/** Options that not every engine can carry out. What an engine would do badly is refused, rather than done so. */
import { PlatenError } from '../errors.ts';
import type { ConversionOptions } from '../shared/options/conversion-options.ts';
import type { EngineStatus } from './engine.ts';
import { isSince } from './libreoffice-version.ts';

type Abilities = Pick<EngineStatus, 'engine' | 'libreOffice' | 'poppler'>;

interface Limit {
  /** Whether options ask for it. */
  readonly isAsked: (options: ConversionOptions) => boolean;
  readonly isMet: (engine: Abilities) => boolean;
  /** What it takes, and what to send instead. */
  readonly message: (engine: Abilities) => string;
}

/** Earlier versions declare PDF/A-4 as "4B", a level that ISO 19005-4 does not have. */
const PDFA_4_SINCE = 26.8;

export const limits: readonly Limit[] = [
  {
    isAsked: ({ pdfa }) => pdfa === '4',
    isMet: ({ libreOffice }) => isSince(libreOffice, PDFA_4_SINCE),
    message: ({ libreOffice }) =>
      `pdfa=4 needs LibreOffice ${PDFA_4_SINCE} or later; the server has ${libreOffice ?? 'an unknown version'}. ` +
      'Use pdfa=2b or pdfa=3b.',
  },
  {
    isAsked: ({ pdfua }) => pdfua === true,
    isMet: ({ engine }) => engine === 'kit',
    message: () => 'pdfua needs the warm engine; the server runs with ENGINE=cold. Leave pdfua out.',
  },
  {
    // `soffice --convert-to` loads and exports, and carries out no commands between.
    isAsked: ({ fields }) => fields === 'updated',
    isMet: ({ engine }) => engine === 'kit',
    message: () =>
      'fields=updated needs the warm engine; the server runs with ENGINE=cold. Leave fields out.',
  },
  {
    isAsked: ({ format }) => format === 'png',
    isMet: ({ poppler }) => poppler !== undefined,
    message: () => 'format=png needs poppler-utils, which the server does not have. Leave format out.',
  },
];

/** @throws PlatenError `INVALID_PARAMETER` if the engine cannot do what the options ask for. */
export function assertPossible(options: ConversionOptions, engine: Abilities): void {
  const limit = limits.find(({ isAsked, isMet }) => isAsked(options) && !isMet(engine));
  if (limit) throw new PlatenError('INVALID_PARAMETER', { message: limit.message(engine) });
}
