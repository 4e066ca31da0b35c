/** platen jobs … */
import type { Command } from 'commander';
import type { Static } from 'typebox';
import {
  cancelJob,
  getJob,
  listJobs,
  type OperatorJob,
  type OperatorJobSummary,
} from '../operations/jobs.ts';
import type { DeepReadonly } from '../operations/operation.ts';
import { columns, group } from './command.ts';
import { commandFor, commandThat, everyPage, ofAccount } from './door.ts';

const MOST = 50;

export function jobCommands(): Command {
  return group('jobs', 'Jobs of accounts.', [
    commandThat((work) => everyPage(work, listJobs, work.sent, ({ jobs }) => jobs, MOST), 'list', listJobs, {
      does: `The newest ${MOST}.`,
      account: ofAccount(),
      flags: { environment: 'env' },
      lines: table,
    }),
    commandFor('show', getJob, { does: 'Its files are shown without their names.', lines: describe }),
    commandFor('cancel', cancelJob, { lines: describe }),
  ]);
}

function table(jobs: DeepReadonly<Static<typeof OperatorJobSummary>[]>): string[] {
  const head = ['ID', 'STATE', 'CREATED', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'];
  const rows = jobs.map(({ id, state, createdAt, counts }) => [
    ...[id, state, createdAt],
    ...[counts.queued, counts.running, counts.succeeded, counts.failed, counts.canceled].map(String),
  ]);
  return columns(head, rows);
}

function describe(job: DeepReadonly<Static<typeof OperatorJob>>): string[] {
  const { id, account, environment, key, state, createdAt, completedAt, pdf, files } = job;
  const rows = files.map(({ number, state: now, bytes, pages, error }) => [
    ...[`${number}`, now, `${bytes ?? ''}`, `${pages ?? ''}`, error ?? ''],
  ]);
  return [
    `Job ${id} of account ${account} (${environment}, key ${key}): ${state}.`,
    `Created ${createdAt}, completed ${completedAt ?? '–'}.`,
    ...(pdf ? [`One PDF of all files: ${pdf.pages} pages, ${pdf.bytesOut} bytes.`] : []),
    '',
    ...columns(['FILE', 'STATE', 'BYTES', 'PAGES', 'ERROR'], rows),
  ];
}
