/** platen mcp */
import { Command } from 'commander';
import { commandLog, interruption, ReaderGone } from './command.ts';

interface McpCommandOptions {
  readonly server?: string;
  readonly keyFile?: string;
}

export function mcpCommand(): Command {
  return new Command('mcp')
    .description(
      'Let a program, such as an assistant, convert documents in some folders: serve the Model Context Protocol on stdin and stdout. ' +
        'Such a program starts the command itself, and ends it.',
    )
    .argument('<folders...>', 'folders that the program may read and write, with the folders in them')
    .option(
      '--server <url>',
      'let the service at this address convert; its key is in PLATEN_API_KEY, or in --key-file',
    )
    .option('--key-file <file>', 'file with the key of the service, outside of the folders')
    .addHelpText(
      'after',
      '\nLimits are those of the service: MAX_FILE_MB, CONVERT_TIMEOUT_MS, WORKERS and others in the environment.',
    )
    .exitOverride()
    .action(async (folders: [string, ...string[]], { server, keyFile }: McpCommandOptions, self: Command) => {
      const key = process.env.PLATEN_API_KEY || undefined;
      if (server === undefined && keyFile !== undefined) self.error('error: --key-file is for --server');
      if (server !== undefined && key === undefined && keyFile === undefined)
        self.error('error: --server needs a key: --key-file or PLATEN_API_KEY');
      await run(folders, { server, key, keyFile });
    });
}

interface RunOptions {
  readonly server: string | undefined;
  readonly key: string | undefined;
  readonly keyFile: string | undefined;
}

/** @throws OperatorError */
async function run(folders: [string, ...string[]], options: RunOptions): Promise<void> {
  // Loaded here, as the converter would slow down the start of all other commands.
  const { runMcp } = await import('./mcp/run.ts');
  if (process.stdin.isTTY) console.error('platen: waits for a client of the Model Context Protocol on stdin');
  const interrupted = interruption();
  const ending = new AbortController();
  interrupted.promise.catch((error: unknown) => ending.abort(error));
  try {
    const { env, stdin: input, stdout: output } = process;
    await runMcp({ ...options, folders, env, input, output, log: commandLog(), signal: ending.signal });
  } finally {
    interrupted.stop();
  }
  // What nobody reads would keep the process.
  if (process.stdout.writableLength > 0) process.exit(1);
  const { aborted, reason } = ending.signal;
  if (aborted && !(reason instanceof ReaderGone)) throw reason;
}
