/** The result of a conversion, as its account sees it. */
import { type Static, Type } from 'typebox';
import type { ConversionResult } from '../accounts/billing/conversions.ts';
import type { Environment } from '../accounts/keys/format.ts';
import { accessibilityProblems } from '../convert/document/accessibility.ts';
import { paginationReasons } from '../convert/pagination/word-pages.ts';
import { describeWarning } from '../convert/report/warning-messages.ts';
import { warningsOf } from '../convert/report/warnings.ts';
import { isolations } from '../shared/options/conversion-options.ts';
import { conformanceBody, conformanceSchema } from './conformance-schema.ts';
import { count, milliseconds, orNull, time, words } from './schema.ts';
import { warningSchema } from './warning-schema.ts';

/** What a conversion is that is not found: see {@link NotFoundError}. */
export const missingConversion =
  'conversion among the last 10,000 of the account, or it is older than 24 hours, or its document was not read';

const size = (what: string) =>
  orNull(
    Type.Integer({ format: 'int64', minimum: 0 }),
    `Size of the ${what}, in bytes. \`null\`: there was no ${what}.`,
  );

const sha256 = (description: string) => Type.String({ pattern: '^[0-9a-f]{64}$', description });

export const Conversion = Type.Object(
  {
    requestId: Type.String({ description: "The `X-Request-Id` of the conversion's response." }),
    environment: words(['test', 'live'], { description: 'The environment of the key.' }),
    at: time('Time of admission.'),
    outcome: words(['success', 'failure', 'client_left'], {
      description:
        '`success`: the PDF was delivered. `client_left`: the connection broke before all of it was sent.',
    }),
    code: orNull(Type.String(), 'The `code` of its error. `null`: it did not fail.'),
    traceId: orNull(
      Type.String({ pattern: '^[0-9a-f]{32}$' }),
      'Id of its trace, that of your `traceparent` if you sent one (W3C Trace Context). `null`: nothing is traced.',
    ),
    pages: orNull(
      Type.Integer({ minimum: 1 }),
      'Pages of the PDF, also of one that `failOn` refused. `null`: there was no PDF.',
    ),
    wordPages: orNull(
      Type.Integer({ minimum: 1 }),
      'The page count that Word stored when it saved the document. `null`: another program saved it, or Word stored 1 ' +
        'before it laid the document out.',
    ),
    pagination: Type.Union(
      [
        Type.Object({
          by: words(['word', 'engine'], {
            description:
              '`word`: pages begin where Word began them. `engine`: pages begin where LibreOffice began them.',
          }),
          reason: words([...paginationReasons.word, ...paginationReasons.engine], {
            description:
              'Why. `marks`: the document says where its pages began. `page-count`: it says how many pages it had, ' +
              'and ran over by a few lines. `same-pages`: LibreOffice makes as ' +
              'many pages as Word, ' +
              "and no layout with Word's breaks has more content on its page. `no-marks`, `stale-marks`, " +
              '`not-word`: the document does not say where pages begin, its statements are inconsistent, or another ' +
              'program made it. `not-saved-by-word`: another program changed its text after Word had saved it. ' +
              "`does-not-fit`: LibreOffice makes another number of pages, but no layout is nearer to Word's. " +
              '`failed`: a further ' +
              'layout failed. `requested`: `layout=engine` was requested. More may be added.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'Whose page breaks the PDF has. `null`: there was no PDF, or it is unknown.' },
    ),
    bytesIn: size('document'),
    bytesOut: size('PDF'),
    durationMs: Type.Number({
      minimum: 0,
      description: "Time from the request's header to the response's header, in ms.",
    }),
    uploadMs: milliseconds('Duration of the upload'),
    queueMs: milliseconds('Wait for a worker'),
    convertMs: milliseconds('Duration of the conversion'),
    receipt: Type.Union(
      [
        Type.Object({
          documentSha256: sha256(
            'SHA-256 of the document. Of several: of their SHA-256 in `documents`, in hexadecimal, one after the other.',
          ),
          documents: Type.Optional(
            Type.Array(
              Type.Object({
                sha256: sha256('SHA-256 of the document.'),
                pages: count('Its pages in the PDF.'),
              }),
              { description: 'Of `POST /v1/combine`: the documents, in order. Left out otherwise.' },
            ),
          ),
          pdfSha256: sha256('SHA-256 of the PDF, as in its `Repr-Digest`.'),
          pictureSha256: Type.Optional(
            sha256('SHA-256 of the picture, as in its `Repr-Digest`. Left out without one.'),
          ),
          poppler: Type.Optional(
            Type.String({
              description: 'Version of poppler, which drew the picture. Left out without one.',
            }),
          ),
          libreOffice: Type.Optional(
            Type.String({ description: 'Version of LibreOffice. Left out if unknown.' }),
          ),
          fontSet: Type.Optional(
            Type.String({
              description: 'Version of the fonts, the same wherever the fonts are. Left out if unknown.',
            }),
          ),
          isolation: Type.Optional(
            words(isolations, {
              description: '`account`: its process could convert others of the account. Left out if unknown.',
            }),
          ),
          options: Type.Record(Type.String(), Type.String(), {
            description:
              'The options other than defaults. Of free texts, passwords and attachments it only says `given`.',
          }),
        }),
        Type.Null(),
      ],
      {
        description:
          'What made the PDF: the same document, options, versions and fonts make the same bytes, ' +
          'unless a field shows the time or the PDF is encrypted. `null`: there was no PDF, or it is unknown.',
      },
    ),
    fonts: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The font in the document.' }),
        used: Type.Union([Type.String(), Type.Null()], {
          description: 'The font in the PDF: the same, or its stand-in. `null`: unknown.',
        }),
        metricsCompatible: Type.Boolean({
          description:
            'Whether that font is known to have the same metrics: the same letter widths and line height.',
        }),
      }),
      { description: 'The fonts of the document, at most 50. Empty without a PDF.' },
    ),
    accessibility: Type.Array(
      Type.Object({
        problem: words(accessibilityProblems, {
          description:
            '`no-title`, `no-language`: of the document. `no-alternative-text`: of a picture. `no-header-row`: of a table. ' +
            '`skipped-heading-level`: a heading is more than one level below the one before. More may be added.',
        }),
        number: Type.Optional(count('Which picture, table or heading of the body it is, from 1.')),
        paragraph: Type.Optional(
          count('Which paragraph of the body it is in or begins with, from 1, as Word counts them.'),
        ),
        level: Type.Optional(count('Of a heading: its level, from 1.')),
        file: Type.Optional(
          count('Of `POST /v1/combine`: which document it is in, counted from 0. Left out for all.'),
        ),
      }),
      {
        description:
          'What the document lacks for readers who cannot see it, whether or not `pdfua` was asked for: at most 50 of each ' +
          'problem. Empty without a PDF.',
      },
    ),
    conformance: conformanceSchema,
    warnings: Type.Array(warningSchema, {
      description: 'All warnings, including those that `X-Conversion-Warnings` leaves out.',
    }),
    moreWarnings: Type.Optional(count('Of several documents: warnings beyond 200.')),
    file: Type.Optional(count('Of several documents: which failed, from 0.')),
  },
  { $id: 'Conversion', description: 'The outcome of a conversion. No content of its document is kept.' },
);

export const conversionExample = {
  requestId: 'req_0123456789abcdef0123456789abcdef',
  environment: 'live',
  at: '2026-11-21T07:59:12.431Z',
  outcome: 'success',
  code: null,
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  pages: 4,
  wordPages: 3,
  pagination: { by: 'engine', reason: 'does-not-fit' },
  bytesIn: 18_204,
  bytesOut: 37_982,
  durationMs: 52.4,
  uploadMs: 4.1,
  queueMs: 0.2,
  convertMs: 38.9,
  receipt: {
    documentSha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    pdfSha256: 'f8c43e52527c3887968a759b1a1bf2948aa46075080c95028a118ecbc5aba1c4',
    libreOffice: '25.2.3.2',
    fontSet: '2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae',
    options: { pdfa: '2b', title: 'given' },
  },
  fonts: [
    { name: 'Liberation Sans', used: 'Liberation Sans', metricsCompatible: true },
    { name: 'Garamond', used: 'Platen Garamond', metricsCompatible: false },
  ],
  accessibility: [{ problem: 'no-alternative-text', number: 2, paragraph: 14 }],
  conformance: [{ level: 'PDF/A-2b', verdict: 'pass' as const, failures: [], hasMore: false }],
  warnings: [
    {
      code: 'PAGE_COUNT_DIFFERS',
      level: 'note',
      pages: 4,
      wordPages: 3,
      message: 'The PDF has 4 pages; when Word saved the document, it had 3.',
    },
    {
      code: 'FONT_SUBSTITUTED',
      level: 'note',
      font: 'Garamond',
      by: 'Platen Garamond',
      message: 'The font Garamond is not on the server. Platen Garamond is used in its place.',
    },
  ],
};

/** A conversion as clients see it. */
export function conversionBody(
  requestId: string,
  environment: Environment,
  { report, receipt = null, traceId, file, ...figures }: ConversionResult,
): Static<typeof Conversion> {
  const warnings = report === null ? [] : warningsOf(report);
  return {
    requestId,
    environment,
    ...figures,
    traceId: traceId ?? null,
    receipt,
    pages: report?.pages ?? null,
    wordPages: report?.wordPages ?? null,
    pagination: report?.pagination ?? null,
    // What an earlier version kept does not say it.
    fonts: (report?.fonts ?? []).map((font) => ({
      ...font,
      metricsCompatible: font.metricsCompatible === true,
    })),
    accessibility: [...(report?.accessibility ?? [])],
    conformance: conformanceBody(report?.conformance),
    warnings: warnings.map(describeWarning),
    ...(report?.moreWarnings !== undefined && { moreWarnings: report.moreWarnings }),
    ...(file !== undefined && { file }),
  };
}
