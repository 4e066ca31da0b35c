/** platen egress */
import { Command } from 'commander';
import { runEgress } from '../egress/run.ts';

export function egressCommand(): Command {
  return new Command('egress')
    .description(
      'Fetch documents by URL and deliver webhooks, for the service on the same Redis and storage.',
    )
    .exitOverride()
    .action(() => runEgress(process.env, false));
}
