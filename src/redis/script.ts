/** Lua scripts, each in a file beside the code that runs it. */
import { readFileSync } from 'node:fs';
import type { RedisClient } from './connect.ts';

type Argument = string | number;

/** A line that stands for the content of another file, whose path is relative; as in BullMQ's scripts. */
const INCLUDE = /^--- @include "([\w./-]+)"$/gm;

function readScript(file: URL): string {
  return readFileSync(file, 'utf8').replace(INCLUDE, (_, path: string) =>
    readScript(new URL(path, file)).trimEnd(),
  );
}

/** A script on a connection: sent by SHA-1, or in full if Redis does not know it. */
export class Script {
  readonly #run: (...args: Argument[]) => Promise<unknown>;

  /**
   * @param file its text, which may include other files; the file name without `.lua` names the command.
   */
  constructor(redis: RedisClient, file: URL) {
    const name = `platen:${/([^/]+)\.lua$/.exec(file.pathname)?.[1]}`;
    redis.defineCommand(name, { lua: readScript(file) });
    const commands = redis as unknown as Record<string, (...args: Argument[]) => Promise<unknown>>;
    this.#run = (...args) => (commands[name] as (...all: Argument[]) => Promise<unknown>).apply(redis, args);
  }

  /** Runs it. The head of the script describes its result. */
  run(keys: readonly string[], args: readonly Argument[]): Promise<unknown> {
    return this.#run(keys.length, ...keys, ...args);
  }

  /** Runs one that answers an object as JSON. @returns the object, as the head of the script describes it. */
  async answer<Answer>(keys: readonly string[], args: readonly Argument[]): Promise<Answer> {
    return JSON.parse(String(await this.run(keys, args))) as Answer;
  }
}
