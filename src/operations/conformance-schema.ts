/** Verdicts about a PDF, as clients get them. */
import { type Static, Type } from 'typebox';
import { type Conformance, verdicts } from '../convert/pdf/conformance/verdict.ts';
import { count, words } from './schema.ts';

export const conformanceSchema = Type.Array(
  Type.Object({
    level: Type.String({ description: 'The standard: `PDF/A-1b`, `-2b`, `-3b`, `-4`, or `PDF/UA-1`.' }),
    verdict: words(verdicts, {
      description:
        '`pass`: the PDF breaks none of the rules that are checked. `fail`: it breaks some. `unchecked`: it is encrypted, or the ' +
        'check would take too long.',
    }),
    failures: Type.Array(
      Type.Object({
        clause: Type.String({ description: 'The clause of the standard.' }),
        rule: Type.String({ description: 'What the clause demands. The text may change.' }),
        object: Type.String({
          description: 'Where it is broken: an object of the PDF. The text may change.',
        }),
        page: Type.Optional(count('The page, from 1. Left out if it is on none, or unknown.')),
      }),
      { description: 'At most 25 of its failures, and 5 of each rule.' },
    ),
    hasMore: Type.Boolean({ description: 'Whether there are more failures.' }),
  }),
  {
    description: 'Whether the PDF keeps the standards of `pdfa` and `pdfua`. Empty if neither was asked for.',
  },
);

/** As clients get it. */
export function conformanceBody(conformance: readonly Conformance[] = []): Static<typeof conformanceSchema> {
  return conformance.map(({ failures, ...verdict }) => ({ ...verdict, failures: [...failures] }));
}
