/** platen egress */
import { Command } from 'commander';
import { runEgress } from '../egress/run.ts';

export function egressCommand(): Command {
  return new Command('egress')
    .description(
      'Connect to addresses that clients choose, for a service on the same Redis and storage, until it is ended.',
    )
    .exitOverride()
    .action(() => runEgress(process.env, false));
}
