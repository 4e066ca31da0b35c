#!/usr/bin/env node
/** platen: the operator's commands. */
import { Command, CommanderError } from 'commander';
import { OperatorError, PlatenError } from '../errors.ts';
import { readVersion } from '../version.ts';
import { accountCommands } from './accounts.ts';
import { auditCommand } from './audit.ts';
import { bannerCommands } from './banner.ts';
import { ReaderGone } from './command.ts';
import { compareCommand } from './compare.ts';
import { convertCommand } from './convert.ts';
import { egressCommand } from './egress.ts';
import { jobCommands } from './jobs.ts';
import { keyCommands } from './keys.ts';
import { maintenanceCommands } from './maintenance.ts';
import { memberCommands, operatorCommands } from './members.ts';
import { serversCommand } from './servers.ts';
import { usageCommands } from './usage.ts';
import { webhookCommands } from './webhooks.ts';

const FAILED = 1;
const BAD_USAGE = 2;

const program = new Command('platen')
  .description(
    'Manages the accounts, keys and jobs of a Platen service: set REDIS_URL or DATA_DIR to those of the service. ' +
      'Converts documents without one, too.',
  )
  .version(readVersion(), '--version', 'print the version')
  .exitOverride()
  .addCommand(accountCommands())
  .addCommand(memberCommands())
  .addCommand(operatorCommands())
  .addCommand(keyCommands())
  .addCommand(jobCommands())
  .addCommand(webhookCommands())
  .addCommand(usageCommands())
  .addCommand(maintenanceCommands())
  .addCommand(bannerCommands())
  .addCommand(serversCommand())
  .addCommand(auditCommand())
  .addCommand(convertCommand())
  .addCommand(compareCommand())
  .addCommand(egressCommand());

// A command that has things to close does so itself, see interruption.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (process.stdout.listenerCount('error') === 1) process.exit(error.code === 'EPIPE' ? 0 : FAILED);
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = exitCode(error);
}

function exitCode(error: unknown): number {
  // Commander has printed its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : BAD_USAGE;
  if (error instanceof ReaderGone) return 0;
  // The public text of an error is not meant for the operator.
  const known = error instanceof PlatenError ? (error.cause ?? error) : error;
  console.error(`platen: ${known instanceof OperatorError ? known.message : known}`);
  return FAILED;
}
