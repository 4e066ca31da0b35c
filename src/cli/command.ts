/** What all commands share: how they are made, how they end, and the two ways to print. They load fast, so this loads little. */
import { Command, Help } from 'commander';
import { pino } from 'pino';
import { OperatorError } from '../errors.ts';
import type { Log } from '../system/log.ts';
import { ECHO_MS } from '../system/signal-echo.ts';

class LeafCommand extends Command {
  /**
   * Reports an unknown option first. Commander would rather complain
   * about the missing mandatory option that it was meant to be.
   */
  override parseOptions(argv: string[]): ReturnType<Command['parseOptions']> {
    const parsed = super.parseOptions(argv);
    // The help, which says what is required, is not among the known options either.
    const isHelp = parsed.unknown.some((option) => option === '--help' || option === '-h');
    if (parsed.unknown.length > 0 && !isHelp) {
      for (const option of this.options) option.makeOptionMandatory(false);
    }
    return parsed;
  }
}

/** Commander does not mark the options that a command needs. */
const help: Partial<Help> = {
  optionDescription(option) {
    const description = Help.prototype.optionDescription(option);
    return option.mandatory ? `${description} (required)` : description;
  },
};

/** A command with `--json`, whose errors are thrown to the caller. @param json what `--json` does. */
export function command(
  name: string,
  description: string,
  json = 'print one JSON document and nothing else',
): Command {
  return new LeafCommand(name)
    .description(description)
    .option('--json', json)
    .configureHelp(help)
    .exitOverride();
}

/** A group of commands. */
export function group(name: string, description: string, commands: readonly Command[]): Command {
  const parent = new Command(name).description(description).exitOverride();
  for (const child of commands) parent.addCommand(child);
  return parent;
}

/** The log of a command, on stderr. */
export function commandLog(): Log {
  return pino({ level: 'error' }, pino.destination({ fd: 2, sync: true }));
}

/** Whoever reads the output of a command, such as head(1), has read enough. */
export class ReaderGone extends Error {}

/**
 * A promise that rejects at SIGINT, SIGTERM or SIGHUP, or when nobody reads stdout any more, until it is stopped. A second
 * signal ends the process at once, unless it is an echo, which may come while the command ends.
 */
export function interruption(): { promise: Promise<never>; stop(): void } {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  let stop = () => {};
  const promise = new Promise<never>((_resolve, reject) => {
    let echo: NodeJS.Timeout | undefined;
    const giveUp = () => {
      for (const signal of signals) process.off(signal, interrupt);
    };
    const interrupt = () => {
      echo ??= setTimeout(giveUp, ECHO_MS).unref();
      reject(new OperatorError('interrupted'));
    };
    const leave = ({ code }: NodeJS.ErrnoException) => {
      reject(code === 'EPIPE' ? new ReaderGone() : new OperatorError(`stdout cannot be written: ${code}`));
    };
    for (const signal of signals) process.on(signal, interrupt);
    process.stdout.on('error', leave);
    stop = () => {
      if (!echo) giveUp();
      process.stdout.off('error', leave);
    };
  });
  return { promise, stop };
}

/** Prints a result: as JSON, or as lines of text. */
export function print(json: boolean | undefined, result: unknown, lines: readonly string[]): void {
  process.stdout.write(json ? `${JSON.stringify(result)}\n` : lines.map((line) => `${line}\n`).join(''));
}

/** Sorts accounts or keys. */
export function oldestFirst<T extends { readonly createdAt: string; readonly id: string }>(all: T[]): T[] {
  return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
}

/** Rows as aligned columns under a head. */
export function columns(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
