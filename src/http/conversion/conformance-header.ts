/** The header `X-Conversion-Conformance`: a List of Tokens with Parameters (RFC 9651, 3.1). */
import { type BareItem, serializeList, Token } from 'structured-headers';
import type { Conformance } from '../../convert/pdf/conformance/verdict.ts';

export const CONFORMANCE_HEADER = 'x-conversion-conformance';

/** The value of the header; undefined where no standard was asked for. */
export function conformanceHeader(conformance: readonly Conformance[] = []): string | undefined {
  if (conformance.length === 0) return undefined;
  return serializeList(
    conformance.map(({ level, verdict, failures, hasMore }) => {
      const parameters = new Map<string, BareItem>([['verdict', new Token(verdict)]]);
      if (failures.length > 0) parameters.set('failures', failures.length);
      if (hasMore) parameters.set('more', true);
      return [new Token(level), parameters];
    }),
  );
}
