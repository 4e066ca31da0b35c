/** What docs/redis.md says about an operator's own Redis: its users, and how to replace a master. */
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

const PASSWORD = 'platen:secret@/';
/** Of the other users. */
export const NODES_PASSWORD = 'nodes-secret';

interface DocumentedUsers {
  /** Arguments of a Redis server with these users. */
  readonly settings: readonly string[];
  /** Those of the servers and of egress, as in REDIS_URL. */
  readonly credentials: string;
  readonly egressCredentials: string;
  /** Platen's user at the Sentinels, as in their configuration. */
  atSentinels(password: string): string;
}

/** Writes the users of the page into an ACL file. @param folder gets the file. */
export async function documentedUsers(folder: string): Promise<DocumentedUsers> {
  const users = await documented(/^```\n(user default .*?)^```$/ms);
  const sentinel = await documented(/`(user platen on >PASSWORD [^`]*sentinel\|sentinels)`/);
  const aclFile = join(folder, 'users.acl');
  await writeFile(
    aclFile,
    users.replace('platen on >PASSWORD', `platen on >${PASSWORD}`).replaceAll('PASSWORD', NODES_PASSWORD),
  );
  return {
    settings: ['--aclfile', aclFile, '--masteruser', 'replica', '--masterauth', NODES_PASSWORD],
    credentials: `platen:${encodeURIComponent(PASSWORD)}`,
    egressCredentials: `platen-egress:${NODES_PASSWORD}`,
    atSentinels: (password) => sentinel.replace('PASSWORD', password),
  };
}

/**
 * Runs a command of the page on a node of the test, as an operator would.
 *
 * @param words part of the redis-cli command, such as `CLIENT PAUSE`.
 * @param at options of redis-cli that say which node: `-p PORT`, or `-s SOCKET`.
 * @param password what its user types.
 * @param name the Sentinels' name for the master.
 * @throws Error unless Redis says OK.
 */
export async function runDocumented(
  words: string,
  at: readonly [option: '-p' | '-s', value: string],
  { password = NODES_PASSWORD, name = '' } = {},
): Promise<void> {
  const command = await documented(new RegExp(`\`redis-cli ([^\`]*${words}[^\`]*)\``));
  const args = command.replace(/-p \d+ |--askpass /g, '').replace(/\bMASTER$/, name);
  const { stdout } = await run('redis-cli', [...at, ...args.split(' ')], {
    env: { PATH: process.env.PATH, REDISCLI_AUTH: password },
  });
  if (stdout.trim() !== 'OK') throw new Error(`redis-cli ${args}: ${stdout}`);
}

/** The first group of a match in docs/redis.md. */
async function documented(pattern: RegExp): Promise<string> {
  const page = await readFile(join(import.meta.dirname, '../../../docs/redis.md'), 'utf8');
  const [, found] = pattern.exec(page) ?? [];
  if (found === undefined) throw new Error(`docs/redis.md has no ${pattern}`);
  return found;
}
