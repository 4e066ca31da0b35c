/** platen maintenance … */
import type { Command } from 'commander';
import { Maintenance, type MaintenanceState, noNotice } from '../redis/maintenance.ts';
import { command, group, print, withManagement, withRedis } from './command.ts';
import { readTime } from './times.ts';

interface Json {
  readonly json?: boolean;
}

interface OnOptions extends Json {
  readonly reason?: string;
  readonly until?: Date;
}

export function maintenanceCommands(): Command {
  return group('maintenance', 'Refuse or accept conversions.', [
    command('on', 'Refuse conversions on every server until turned off.')
      .option('--reason <text>', 'what customers are told')
      .option('--until <time>', 'when it is expected to end, ISO 8601; it does not end by itself', readTime)
      .action(async ({ reason, until, json }: OnOptions) => {
        const notice = { reason: reason ?? null, until: until?.toISOString() ?? null };
        show(
          json,
          await withManagement((management, actor) => management.setMaintenance(actor, true, notice)),
        );
      }),
    command('off', 'Accept conversions again.').action(async ({ json }: Json) =>
      show(json, await withManagement((management, actor) => management.setMaintenance(actor, false))),
    ),
    command('status', 'Show whether maintenance is on, and since when.').action(async ({ json }: Json) =>
      show(json, await withRedis((redis) => new Maintenance(redis).state())),
    ),
  ]);
}

function show(json: boolean | undefined, state: MaintenanceState | undefined): void {
  const { reason, until } = state ?? noNotice;
  print(json, { maintenance: state !== undefined, since: state?.since ?? null, reason, until }, [
    state === undefined
      ? 'Maintenance is off.'
      : `Maintenance has been on since ${state.since}${until === null ? '' : `, until ${until}`}${reason === null ? '' : `: ${reason}`}.`,
  ]);
}
