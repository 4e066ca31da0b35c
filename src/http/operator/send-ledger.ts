/** An account's ledger as an answer. */
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ledgerCsv } from '../../billing/ledger-csv.ts';
import { monthOf } from '../../billing/months.ts';
import type { Usage } from '../../billing/usage.ts';
import type { Config } from '../../config.ts';
import { limitDelivery } from '../core/delivery-limit.ts';

export interface LedgerSources {
  readonly usage: Usage;
  readonly config: Pick<Config, 'deliveryTimeoutMs'>;
}

/** Streams the ledger of an account and month, as CSV; this month by default. */
export function sendLedger(
  reply: FastifyReply,
  { usage, config }: LedgerSources,
  account: string,
  month = monthOf(Date.now()),
): FastifyReply {
  const csv = Readable.from(lines(ledgerCsv(usage.ledger(account, month))));
  limitDelivery(reply, config.deliveryTimeoutMs, csv);
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="platen-${account}-${month}.csv"`)
    .send(csv);
}

async function* lines(rows: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const row of rows) yield `${row}\n`;
}
