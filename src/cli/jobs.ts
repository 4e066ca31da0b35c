/** platen jobs … */
import { type Command, Option } from 'commander';
import type { Static } from 'typebox';
import { type JobState, jobStates } from '../jobs/job.ts';
import type { Environment } from '../keys/format.ts';
import { cancelJob, getJob, listJobs, type OperatorJob } from '../operations/jobs.ts';
import { type DeepReadonly, perform } from '../operations/operation.ts';
import { columns, command, group, print, withOperations } from './command.ts';
import { commandFor } from './door.ts';

const MOST = 50;

interface ListOptions {
  readonly account: string;
  readonly env: Environment;
  readonly state?: JobState;
  readonly json?: boolean;
}

export function jobCommands(): Command {
  return group('jobs', 'Jobs of accounts.', [
    list(),
    commandFor('show', getJob, { does: 'Its files are shown without their names.', lines: describe }),
    commandFor('cancel', cancelJob, { lines: describe }),
  ]);
}

function list(): Command {
  return command('list', `List the newest ${MOST} jobs of an account.`)
    .requiredOption('--account <id>', 'account that owns them')
    .addOption(
      new Option('--env <env>', 'environment of their keys').choices(['test', 'live']).default('live'),
    )
    .addOption(new Option('--state <state>', 'only jobs in this state').choices(jobStates))
    .action(async ({ account, env: environment, state, json }: ListOptions) => {
      const query = { environment, limit: MOST, ...(state && { state }) };
      const { jobs } = await withOperations((services, caller) =>
        perform(listJobs, services, caller, { account, params: {}, query, body: {} }),
      );
      const head = ['ID', 'STATE', 'CREATED', 'QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED'];
      const rows = jobs.map(({ id, state: now, createdAt, counts }) => [
        ...[id, now, createdAt],
        ...[counts.queued, counts.running, counts.succeeded, counts.failed, counts.canceled].map(String),
      ]);
      print(json, jobs, columns(head, rows));
    });
}

function describe(job: DeepReadonly<Static<typeof OperatorJob>>): string[] {
  const { id, account, environment, key, state, createdAt, completedAt, files } = job;
  const rows = files.map(({ number, state: now, bytes, pages, error }) => [
    ...[`${number}`, now, `${bytes ?? ''}`, `${pages ?? ''}`, error ?? ''],
  ]);
  return [
    `Job ${id} of account ${account} (${environment}, key ${key}): ${state}.`,
    `Created ${createdAt}, completed ${completedAt ?? '–'}.`,
    '',
    ...columns(['FILE', 'STATE', 'BYTES', 'PAGES', 'ERROR'], rows),
  ];
}
