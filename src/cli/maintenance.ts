/** platen maintenance … */
import type { Command } from 'commander';
import { command, group, print, withManagement } from './command.ts';

interface Json {
  readonly json?: boolean;
}

export function maintenanceCommands(): Command {
  return group('maintenance', 'Whether the service takes conversions.', [
    command('on', 'Refuse conversions, on every server at once, until it is off.').action(({ json }: Json) =>
      change(json, true),
    ),
    command('off', 'Take conversions again.').action(({ json }: Json) => change(json, false)),
  ]);
}

async function change(json: boolean | undefined, on: boolean): Promise<void> {
  const since = await withManagement((management, actor) => management.setMaintenance(actor, on));
  print(json, { maintenance: since !== undefined, since: since ?? null }, [
    since === undefined ? 'Maintenance is off.' : `Maintenance is on since ${since}.`,
  ]);
}
