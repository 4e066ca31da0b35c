/** platen maintenance … */
import type { Command } from 'commander';
import type { Static } from 'typebox';
import { getMaintenance, type Maintenance, setMaintenance } from '../operations/service.ts';
import { group } from './command.ts';
import { commandFor } from './door.ts';

const printed = {
  json: ({ on, ...others }: Static<typeof Maintenance>) => ({ maintenance: on, ...others }),
  lines({ on, since, reason, until }: Static<typeof Maintenance>): readonly string[] {
    if (!on) return ['Maintenance is off.'];
    const end = until === null ? '' : `, until ${until}`;
    return [`Maintenance has been on since ${since}${end}${reason === null ? '' : `: ${reason}`}.`];
  },
};

export function maintenanceCommands(): Command {
  return group('maintenance', 'Refuse or accept conversions.', [
    commandFor('on', setMaintenance, {
      does: 'Conversions are refused on every server until it is turned off; running ones finish.',
      sets: { on: true },
      ...printed,
    }),
    commandFor('off', setMaintenance, {
      does: 'Conversions are accepted again.',
      sets: { on: false, reason: undefined, until: undefined },
      ...printed,
    }),
    commandFor('status', getMaintenance, printed),
  ]);
}
