/** platen maintenance … */
import type { Command } from 'commander';
import { Maintenance } from '../redis/maintenance.ts';
import { command, group, print, withRedis } from './command.ts';

interface Json {
  readonly json?: boolean;
}

export function maintenanceCommands(): Command {
  return group('maintenance', 'Whether the service takes conversions.', [
    command('on', 'Refuse conversions, on every server at once, until it is off.').action(({ json }: Json) =>
      change(json, (maintenance) => maintenance.turnOn()),
    ),
    command('off', 'Take conversions again.').action(({ json }: Json) =>
      change(json, (maintenance) => maintenance.turnOff()),
    ),
  ]);
}

async function change(
  json: boolean | undefined,
  turn: (maintenance: Maintenance) => Promise<void>,
): Promise<void> {
  const since = await withRedis(async (redis) => {
    const maintenance = new Maintenance(redis);
    await turn(maintenance);
    return maintenance.since();
  });
  print(json, { maintenance: since !== undefined, since: since ?? null }, [
    since === undefined ? 'Maintenance is off.' : `Maintenance is on since ${since}.`,
  ]);
}
