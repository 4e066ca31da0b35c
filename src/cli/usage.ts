/** platen usage … */
import { once } from 'node:events';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Static } from 'typebox';
import { ledgerCsv } from '../accounts/billing/ledger-csv.ts';
import { isMonth } from '../accounts/billing/months.ts';
import { type LedgerEntry, Usage } from '../accounts/billing/usage.ts';
import { KeyStore } from '../accounts/keys/store.ts';
import type { Plans } from '../accounts/plans/plans.ts';
import type { DeepReadonly } from '../operations/operation.ts';
import { getUsageOf, type Usage as UsageObject } from '../operations/usage.ts';
import type { RedisClient } from '../redis/connect.ts';
import { columns, command, group } from './command.ts';
import { commandFor } from './door.ts';
import { withRedis } from './service-data.ts';

type UsageData = Static<typeof UsageObject>;

export function usageCommands(): Command {
  return group('usage', 'Usage and billing of accounts.', [
    commandFor('show', getUsageOf, { does: 'And what is left.', lines: describe }),
    exportLedger(),
  ]);
}

function describe({
  account,
  plan,
  month,
  conversions,
  windows,
  days,
  keys,
}: DeepReadonly<UsageData>): string[] {
  const { used, quota, renewsAt } = conversions;
  const head = ['DAY', 'CONVERSIONS', 'PAGES', 'BYTES IN', 'BYTES OUT', 'FAILURES'];
  const rows = days.map((day) => [
    day.date,
    ...[day.conversions, day.pages, day.bytesIn, day.bytesOut].map(String),
    Object.entries(day.failures)
      .map(([code, count]) => `${code} ${count}`)
      .join(', '),
  ]);
  return [
    `Account ${account} (${plan}), ${month}: ${used} of ${quota ?? 'unlimited'} conversions, renews ${renewsAt}.`,
    ...windows.map(
      ({ name, limit, remaining, resetsAt }) =>
        `This ${name}: ${remaining} of ${limit} requests left until ${resetsAt}.`,
    ),
    '',
    ...columns(head, rows),
    ...(keys.length === 0 ? [] : ['', ...columns(['KEY', 'NAME', 'CONVERSIONS', 'PAGES'], keys.map(rowOf))]),
  ];
}

function rowOf({ key, name, conversions, pages }: DeepReadonly<UsageData['keys'][number]>): string[] {
  return [key ?? 'other keys', name ?? '-', `${conversions}`, `${pages}`];
}

interface ExportOptions {
  readonly month: string;
  readonly format: 'csv' | 'jsonl';
  readonly json?: boolean;
}

function exportLedger(): Command {
  return command('export', 'Export the ledger of all accounts for a month: one row per billed conversion.')
    .requiredOption('--month <month>', 'YYYY-MM (UTC)', readMonth)
    .addOption(new Option('--format <format>', 'format of the rows').choices(['csv', 'jsonl']).default('csv'))
    .action(async ({ month, format, json }: ExportOptions) => {
      await withRedis((redis, plans) => {
        const entries = allEntries(redis, plans, month);
        return writeRows(
          json ? asDocument(entries) : format === 'csv' ? ledgerCsv(entries) : asLines(entries),
        );
      });
    });
}

async function* allEntries(redis: RedisClient, plans: Plans, month: string): AsyncGenerator<LedgerEntry> {
  const usage = new Usage(redis);
  for (const id of await new KeyStore(redis, plans).accountIds()) yield* usage.ledger(id, month);
}

async function* asLines(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield JSON.stringify(entry);
}

/** One JSON array, as `--json` promises. */
async function* asDocument(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string> {
  let separator = '[';
  for await (const entry of entries) {
    yield separator + JSON.stringify(entry);
    separator = ',';
  }
  yield separator === '[' ? '[]' : ']';
}

/** Writes with backpressure, for a reader slower than Redis. */
async function writeRows(rows: AsyncIterable<string>): Promise<void> {
  for await (const row of rows) {
    if (!process.stdout.write(`${row}\n`)) await once(process.stdout, 'drain');
  }
}

function readMonth(text: string): string {
  if (!isMonth(text)) throw new InvalidArgumentError('Use YYYY-MM, such as 2026-11.');
  return text;
}
