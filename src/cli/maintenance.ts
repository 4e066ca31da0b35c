/** platen maintenance … */
import type { Command } from 'commander';
import { Maintenance } from '../redis/maintenance.ts';
import { command, group, print, withManagement, withRedis } from './command.ts';

interface Json {
  readonly json?: boolean;
}

export function maintenanceCommands(): Command {
  return group('maintenance', 'Refuse or accept conversions.', [
    command('on', 'Refuse conversions on every server until turned off.').action(({ json }: Json) =>
      change(json, true),
    ),
    command('off', 'Accept conversions again.').action(({ json }: Json) => change(json, false)),
    command('status', 'Show whether it is on, and since when.').action(async ({ json }: Json) =>
      show(json, await withRedis((redis) => new Maintenance(redis).since())),
    ),
  ]);
}

async function change(json: boolean | undefined, on: boolean): Promise<void> {
  show(json, await withManagement((management, actor) => management.setMaintenance(actor, on)));
}

function show(json: boolean | undefined, since: string | undefined): void {
  print(json, { maintenance: since !== undefined, since: since ?? null }, [
    since === undefined ? 'Maintenance is off.' : `Maintenance is on since ${since}.`,
  ]);
}
