/** A warning about a PDF, as clients get it. */
import { Type } from 'typebox';
import { omittedKinds } from '../convert/document/omitted-kinds.ts';
import { levelMeanings } from '../convert/report/warning-catalogue.ts';
import { warningCodes, warningLevels } from '../shared/warning-levels.ts';
import { count, words } from './schema.ts';

export const warningSchema = Type.Object({
  code: words(warningCodes, { description: 'The code of the warning. More may be added.' }),
  level: words(warningLevels, {
    description: `\`loss\`: ${levelMeanings.loss}. \`note\`: ${levelMeanings.note}.`,
  }),
  message: Type.String({ description: 'The warning for people. The text may change.' }),
  file: Type.Optional(
    count('Of `POST /v1/combine`: the part `file` that it is about, counted from 0. Left out otherwise.'),
  ),
  percent: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      description: "Of `TEXT_MISSING`: share of the document's letters that the PDF lacks, in per cent.",
    }),
  ),
  kind: Type.Optional(
    words(omittedKinds, {
      description: 'Of `CONTENT_OMITTED`: the kind of content. More may be added.',
    }),
  ),
  pages: Type.Optional(count('Of `PAGE_COUNT_DIFFERS`: page count of the PDF.')),
  wordPages: Type.Optional(count('Of `PAGE_COUNT_DIFFERS`: page count that Word stored.')),
  standard: Type.Optional(
    Type.String({ description: 'Of `NONCONFORMING`: the standard, such as `PDF/A-2b`.' }),
  ),
  count: Type.Optional(
    count('Number of different characters, contents, links, failures, tracked changes or comments.'),
  ),
  scripts: Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Z][a-z]{3}$' }), {
      description:
        'Of `GLYPHS_MISSING`: up to 10 scripts of the characters (ISO 15924), the most frequent first. `Zsye`: emoji; ' +
        '`Zmth`: mathematics; `Zsym`: other signs; `Zzzz`: private use.',
    }),
  ),
  font: Type.Optional(Type.String({ description: 'Of `FONT_SUBSTITUTED`: the font in the document.' })),
  by: Type.Optional(
    Type.String({
      description: 'Of `FONT_SUBSTITUTED`: its stand-in. Left out if unknown.',
    }),
  ),
  metricsCompatible: Type.Optional(
    Type.Boolean({
      description:
        'Of `FONT_SUBSTITUTED`: `true` if the stand-in is known to have the same metrics, otherwise ' +
        'left out. Such a ' +
        'warning is not in `X-Conversion-Warnings`.',
    }),
  ),
});
