/** Lua scripts: each in a file of its own beside the code that runs it. */
import { readFileSync } from 'node:fs';
import type { RedisClient } from './connect.ts';

type Argument = string | number;

/** A script on a connection. It is sent whole when Redis does not know it (yet, or any more), else by its SHA-1. */
export class Script {
  readonly #run: (...args: Argument[]) => Promise<unknown>;

  /**
   * @param file where its text is; the name of the file, without `.lua`, names the command.
   */
  constructor(redis: RedisClient, file: URL) {
    const name = `platen:${/([^/]+)\.lua$/.exec(file.pathname)?.[1]}`;
    redis.defineCommand(name, { lua: readFileSync(file, 'utf8') });
    const commands = redis as unknown as Record<string, (...args: Argument[]) => Promise<unknown>>;
    this.#run = (...args) => (commands[name] as (...all: Argument[]) => Promise<unknown>).apply(redis, args);
  }

  /** Runs it. The shape of what it returns is described at its head. */
  run(keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.#run(keys.length, ...keys, ...args);
  }
}
