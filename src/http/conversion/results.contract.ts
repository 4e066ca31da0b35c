/** GET /v1/conversions/{requestId}: what became of a conversion, and what to know of its PDF. */
import { Type } from 'typebox';
import { omittedKinds } from '../../convert/document/omitted-content.ts';
import { paginationReasons } from '../../convert/pagination/word-pages.ts';
import { warningCodes } from '../../convert/report/warnings.ts';
import { PlatenError } from '../../errors.ts';
import {
  count,
  milliseconds,
  type Operation,
  orNull,
  time,
  withApiKey,
  words,
} from '../contract/operation.ts';
import { accountErrorResponses, jsonResponse } from '../contract/responses.ts';

export const noConversion =
  'There is no such conversion among the last 10,000 of your account and the last 24 hours. Check the id, and ask with a key of the ' +
  'environment (test or live) that it was asked for with.';

const size = (what: string) =>
  orNull(
    Type.Integer({ format: 'int64', minimum: 0 }),
    `Size of the ${what}, in bytes. \`null\`: there was none.`,
  );

export const Conversion = Type.Object(
  {
    requestId: Type.String({ description: 'The `X-Request-Id` of its answer.' }),
    environment: words(['test', 'live'], { description: 'That of the key.' }),
    at: time('When it was admitted.'),
    outcome: words(['success', 'failure', 'client_left'], {
      description:
        '`success`: the PDF was handed over. `client_left`: the connection broke off before all of the answer was sent.',
    }),
    code: orNull(Type.String(), 'The `code` of its error. `null`: it is no failure.'),
    pages: orNull(Type.Integer({ minimum: 1 }), 'Pages of the PDF. `null`: there was none.'),
    wordPages: orNull(
      Type.Integer({ minimum: 1 }),
      'Pages that Word counted when it saved the document. `null`: another program saved it.',
    ),
    pagination: Type.Union(
      [
        Type.Object({
          by: words(['word', 'engine'], {
            description: '`word`: pages begin where Word began them. `engine`: where LibreOffice did.',
          }),
          reason: words([...paginationReasons.word, ...paginationReasons.engine], {
            description:
              'Why. `marks`: the document says where its pages began. `same-pages`: LibreOffice makes as many pages as Word, ' +
              'and with the breaks of Word no more of them would begin where they did. ' +
              '`no-marks`, `stale-marks`, `not-word`: the document does not say it, what it says does not agree, or another ' +
              "program saved it. `does-not-fit`: with Word's breaks the number of pages would be no nearer to Word's. `failed`: the second layout " +
              'failed. `requested`: `layout=engine` was asked for. More may be added.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'Whose layout the pages of the PDF are of. `null`: there was no PDF, or nobody knows.' },
    ),
    bytesIn: size('document'),
    bytesOut: size('PDF'),
    durationMs: Type.Number({
      minimum: 0,
      description: 'From the head of the request to the head of its answer, in ms.',
    }),
    uploadMs: milliseconds('How long the upload took'),
    queueMs: milliseconds('How long it waited for a worker'),
    convertMs: milliseconds('How long the conversion took'),
    fonts: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The font that the document names.' }),
        used: Type.Union([Type.String(), Type.Null()], {
          description:
            'The font that is in the PDF: the same, or its stand-in. `null`: another one, which is not known.',
        }),
        metricsCompatible: Type.Boolean({
          description:
            'Whether that font is known to have the same metrics: its letters and lines take the same room.',
        }),
      }),
      { description: 'The fonts of the document, 50 at most. Empty where there is no PDF.' },
    ),
    warnings: Type.Array(
      Type.Object({
        code: words(warningCodes, { description: 'What it is. More may be added.' }),
        message: Type.String({ description: 'The same for people. Its words may change.' }),
        percent: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: 100,
            description: "Of `TEXT_MISSING`: how much of the document's letters the PDF lacks, in per cent.",
          }),
        ),
        kind: Type.Optional(
          words(omittedKinds, { description: 'Of `CONTENT_OMITTED`: what it is. More may be added.' }),
        ),
        pages: Type.Optional(count('Of `PAGE_COUNT_DIFFERS`: pages of the PDF.')),
        wordPages: Type.Optional(count('Of `PAGE_COUNT_DIFFERS`: pages that Word counted.')),
        count: Type.Optional(
          count(
            'How many different characters, or how many contents, links, tracked changes or comments the document has.',
          ),
        ),
        scripts: Type.Optional(
          Type.Array(Type.String({ pattern: '^[A-Z][a-z]{3}$' }), {
            description:
              'Of `GLYPHS_MISSING`: codes of the scripts of the characters (ISO 15924), that of the most characters ' +
              'first, 10 at most. `Zsye`: emoji; `Zmth`: mathematical notation; `Zsym`: other signs.',
          }),
        ),
        font: Type.Optional(Type.String({ description: 'Of `FONT_SUBSTITUTED`: the font of the document.' })),
        by: Type.Optional(
          Type.String({
            description: 'Of `FONT_SUBSTITUTED`: its stand-in. Left out where it is not known.',
          }),
        ),
        metricsCompatible: Type.Optional(
          Type.Boolean({
            description:
              'Of `FONT_SUBSTITUTED`: `true` where the stand-in is known to have the same metrics. Such a warning is ' +
              'not in `X-Conversion-Warnings`. Left out of others.',
          }),
        ),
      }),
      { description: 'All warnings, also those that `X-Conversion-Warnings` leaves out.' },
    ),
  },
  { $id: 'Conversion', description: 'What became of a conversion. Nothing of its document is kept.' },
);

const example = {
  requestId: 'req_0123456789abcdef0123456789abcdef',
  environment: 'live',
  at: '2026-11-21T07:59:12.431Z',
  outcome: 'success',
  code: null,
  pages: 4,
  wordPages: 3,
  pagination: { by: 'engine', reason: 'does-not-fit' },
  bytesIn: 18_204,
  bytesOut: 37_982,
  durationMs: 52.4,
  uploadMs: 4.1,
  queueMs: 0.2,
  convertMs: 38.9,
  fonts: [
    { name: 'Liberation Sans', used: 'Liberation Sans', metricsCompatible: true },
    { name: 'Garamond', used: 'Platen Garamond', metricsCompatible: false },
  ],
  warnings: [
    {
      code: 'PAGE_COUNT_DIFFERS',
      pages: 4,
      wordPages: 3,
      message: 'The PDF has 4 pages; when Word saved the document, it had 3.',
    },
    {
      code: 'FONT_SUBSTITUTED',
      font: 'Garamond',
      by: 'Platen Garamond',
      message: 'The font Garamond is not on the server. Platen Garamond is used in its place.',
    },
  ],
};

export const getConversion = {
  method: 'GET',
  path: '/v1/conversions/:requestId',
  schema: {
    operationId: 'getConversion',
    tags: ['conversion'],
    summary: 'What became of a conversion, and what to know of its PDF',
    description:
      'The warnings of a conversion in full, its figures, and how it ended: of the last 10,000 conversions of an account ' +
      'with test keys and as many with live keys, for 24 hours at most after they were asked for. It is ' +
      'there when you have the answer of the conversion. Any key of the account with the permission `convert` may ' +
      'ask: test keys for conversions of test keys, live keys for those of live keys. It counts against the rate ' +
      'windows like any request, and never against the quota.\n\nThere is none of a request that was refused before its ' +
      'document was read (a key, a limit or a quota), of a simulated error, and of the public endpoint.',
    security: withApiKey,
    params: Type.Object({
      requestId: Type.String({ description: 'The `X-Request-Id` of the answer to the conversion.' }),
    }),
    response: {
      200: jsonResponse(Conversion, { description: 'The conversion.', example, withKey: true }),
      ...accountErrorResponses([new PlatenError('NOT_FOUND', { message: noConversion })], {
        standingWith404: true,
      }),
    },
  },
} as const satisfies Operation;
