/** platen audit */
import { type Command, Option } from 'commander';
import { listAudit } from '../operations/audit.ts';
import { auditCsv } from '../operator/audit-csv.ts';
import type { AuditEntry } from '../operator/audit-entry.ts';
import { columns } from './command.ts';
import { commandThat, everyPage, whole } from './door.ts';

const USUAL = 100;
/** More entries than there are. */
const ALL = 20_000;

export function auditCommand(): Command {
  return commandThat(
    async (work) => {
      const { csv, limit = csv ? ALL : USUAL } = work.own;
      const entries = await everyPage(work, listAudit, work.sent, (page) => page.entries, Number(limit));
      return { csv: csv !== undefined, entries };
    },
    'audit',
    listAudit,
    {
      does: 'The newest first.',
      own: [
        new Option('--limit <number>', `Most entries. Default: ${USUAL}, or all with --csv.`).argParser(
          (text) => whole({ minimum: 1, maximum: ALL }, text),
        ),
        new Option('--csv', 'Print CSV.'),
      ],
      json: ({ entries }) => entries,
      lines: ({ csv, entries }) =>
        csv
          ? auditCsv(entries).slice(0, -1).split('\n')
          : columns(['TIME', 'WHO', 'ACTION', 'ACCOUNT', 'KEY', 'DETAILS'], entries.map(row)),
    },
  );
}

function row({ at, by, who, action, account, key, details }: AuditEntry): string[] {
  const more = Object.entries(details).map(([name, value]) => `${name}=${value}`);
  return [at, `${who} (${by})`, action, account ?? '-', key ?? '-', more.join(' ')];
}
