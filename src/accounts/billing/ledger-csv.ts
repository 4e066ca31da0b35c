/** The ledger as rows of text. */
import type { LedgerEntry } from './usage.ts';

const columns = [
  'requestId',
  'account',
  'key',
  'pages',
  'bytesIn',
  'bytesOut',
  'durationMs',
  'at',
] as const satisfies readonly (keyof LedgerEntry)[];

/**
 * Lines of CSV without line ends, the header first. No value has a comma, a quote or a line break (RFC 4180), as
 * Platen makes all ids, numbers and times.
 */
export async function* ledgerCsv(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string> {
  yield columns.join(',');
  for await (const entry of entries) yield columns.map((name) => entry[name]).join(',');
}
