/** platen audit */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { Audit, type AuditFilter } from '../operator/audit.ts';
import { auditCsv } from '../operator/audit-csv.ts';
import { type AuditAction, type AuditEntry, auditActions } from '../operator/audit-entry.ts';
import { columns, command, print, withRedis } from './command.ts';
import { readTime } from './times.ts';

const USUAL = 100;
/** More entries than there are. */
const ALL = 20_000;

interface AuditOptions {
  readonly account?: string;
  readonly key?: string;
  readonly action?: AuditAction;
  readonly who?: string;
  readonly from?: Date;
  readonly until?: Date;
  readonly limit?: number;
  readonly csv?: true;
  readonly json?: boolean;
}

export function auditCommand(): Command {
  return command('audit', 'Show who did what, the newest first.')
    .option('--account <id>', 'only entries about this account')
    .option('--key <id>', 'only entries about this key')
    .addOption(new Option('--action <action>', 'only this action').choices(auditActions))
    .option('--who <text>', 'part of the actor')
    .option('--from <time>', 'only entries since then, ISO 8601', readTime)
    .option('--until <time>', 'only entries before then, ISO 8601', readTime)
    .option(
      '--limit <number>',
      `largest number of entries; by default ${USUAL}, or all with --csv`,
      readLimit,
    )
    .option('--csv', 'print CSV')
    .action(async ({ csv, json, limit = csv ? ALL : USUAL, from, until, ...others }: AuditOptions) => {
      const filter: AuditFilter = { ...others, from: from?.getTime(), until: until?.getTime() };
      const { entries } = await withRedis((redis, _, log) =>
        new Audit(redis, log).list(undefined, limit, filter),
      );
      if (csv && !json) process.stdout.write(auditCsv(entries));
      else
        print(
          json,
          entries,
          columns(['TIME', 'WHO', 'ACTION', 'ACCOUNT', 'KEY', 'DETAILS'], entries.map(row)),
        );
    });
}

function row({ at, by, who, action, account, key, details }: AuditEntry): string[] {
  const more = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  return [at, `${who} (${by})`, action, account ?? '-', key ?? '-', more.join(' ')];
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > ALL) {
    throw new InvalidArgumentError(`Use a whole number from 1 to ${ALL}.`);
  }
  return limit;
}
