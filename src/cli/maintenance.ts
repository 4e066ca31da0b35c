/** platen maintenance … */
import type { Command } from 'commander';
import { Maintenance } from '../redis/maintenance.ts';
import { command, group, print, withManagement, withRedis } from './command.ts';

interface Json {
  readonly json?: boolean;
}

export function maintenanceCommands(): Command {
  return group('maintenance', 'Whether the service takes conversions.', [
    command('on', 'Refuse conversions, on every server at once, until it is off.').action(({ json }: Json) =>
      change(json, true),
    ),
    command('off', 'Take conversions again.').action(({ json }: Json) => change(json, false)),
    command('status', 'Whether it is on, and since when.').action(async ({ json }: Json) =>
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
