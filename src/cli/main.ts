#!/usr/bin/env node
/** platen: the operator's commands. */
import { Command, CommanderError } from 'commander';
import { OperatorError, PlatenError } from '../errors.ts';
import { readVersion } from '../system/version.ts';
import { ReaderGone } from './command.ts';

const FAILED = 1;
const BAD_USAGE = 2;

/** The commands by name, in the order of the help. One is loaded when it is named: to load all takes longer than most of them. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  accounts: async () => (await import('./accounts.ts')).accountCommands(),
  members: async () => (await import('./members.ts')).memberCommands(),
  operators: async () => (await import('./members.ts')).operatorCommands(),
  keys: async () => (await import('./keys.ts')).keyCommands(),
  jobs: async () => (await import('./jobs.ts')).jobCommands(),
  webhooks: async () => (await import('./webhooks.ts')).webhookCommands(),
  usage: async () => (await import('./usage.ts')).usageCommands(),
  maintenance: async () => (await import('./maintenance.ts')).maintenanceCommands(),
  banner: async () => (await import('./banner.ts')).bannerCommands(),
  servers: async () => (await import('./servers.ts')).serversCommand(),
  audit: async () => (await import('./audit.ts')).auditCommand(),
  convert: async () => (await import('./convert.ts')).convertCommand(),
  compare: async () => (await import('./compare.ts')).compareCommand(),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  egress: async () => (await import('./egress.ts')).egressCommand(),
};

const program = new Command('platen')
  .description(
    'Manages the accounts, keys and jobs of a Platen service: set REDIS_URL or DATA_DIR to those of the service. ' +
      'Converts documents without one, too.',
  )
  .version(readVersion(), '--version', 'print the version')
  .exitOverride();
const [, , name = ''] = process.argv;
const named = Object.hasOwn(commands, name) ? commands[name] : undefined;
for (const load of named ? [named] : Object.values(commands)) program.addCommand(await load());

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
