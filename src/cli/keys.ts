/** platen keys … */
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Environment, KeyType } from '../keys/format.ts';
import { type KeyRecord, type Permission, permissions } from '../keys/records.ts';
import { DEFAULT_OVERLAP_SECONDS, MAX_OVERLAP_SECONDS } from '../keys/rotation.ts';
import type { CreatedKey } from '../keys/store.ts';
import { columns, command, group, print, withManagement, withStore } from './command.ts';
import { readTime } from './times.ts';

interface CreateOptions {
  readonly account: string;
  readonly name: string;
  readonly env: Environment;
  readonly type: KeyType;
  readonly permissions?: readonly Permission[];
  readonly ip?: readonly string[];
  readonly expires?: Date;
  readonly json?: boolean;
}

const HEAD = ['ID', 'KEY', 'ACCOUNT', 'NAME', 'PERMISSIONS', 'STATE', 'CREATED', 'LAST USED', 'WORKS FROM'];

export function keyCommands(): Command {
  return group('keys', 'API keys.', [create(), list(), find(), edit(), revoke(), rotate()]);
}

function create(): Command {
  return command('create', 'Create a key and show it, once.')
    .requiredOption('--account <id>', 'account that owns the key')
    .requiredOption('--name <name>', 'what the key is for')
    .addOption(new Option('--env <env>', 'environment').choices(['test', 'live']).makeOptionMandatory())
    .addOption(
      new Option('--type <type>', 'sk: secret, pk: may be public')
        .choices(['sk', 'pk'])
        .makeOptionMandatory(),
    )
    .option(
      '--permissions <list>',
      `comma-separated, of ${permissions.join(', ')}; by default all that the type may hold`,
      readPermissions,
    )
    .option('--ip <address>', 'address or CIDR block the key works from; may be repeated', collect, undefined)
    .option('--expires <time>', 'ISO 8601 time, such as 2030-12-31T00:00:00Z', readTime)
    .action(async ({ env, ip, expires, json, ...options }: CreateOptions) => {
      const key = await withManagement((management, actor) =>
        management.createKey(actor, { ...options, environment: env, ipRestrictions: ip, expiresAt: expires }),
      );
      print(json, describeCreated(key), [
        `Created key ${key.id} of account ${key.account}. It is shown only now:`,
        '',
        `  ${key.key}`,
        '',
      ]);
    });
}

function list(): Command {
  return command('list', 'List the keys of an account, or all.')
    .option('--account <id>', 'only the keys of this account')
    .action(async ({ account, json }: { account?: string; json?: boolean }) => {
      const keys = await withStore((store) => store.listKeys(account));
      print(json, keys.map(describeListed), columns(HEAD, keys.map(row)));
    });
}

function find(): Command {
  return command('find', 'Find keys by their last four characters.')
    .argument('<ending>', 'the last four characters', readEnding)
    .action(async (ending: string, { json }: { json?: boolean }) => {
      const keys = await withStore((store) => store.endings.find(ending));
      print(json, keys.map(describeListed), columns(HEAD, keys.map(row)));
    });
}

interface EditOptions {
  readonly name?: string;
  readonly ip?: readonly string[];
  readonly anywhere?: true;
  readonly json?: boolean;
}

function edit(): Command {
  return command('edit', 'Change the name or the IP restrictions of a key.')
    .argument('<key-id>', 'id of the key, as `keys list` shows it')
    .option('--name <name>', 'what the key is for')
    .addOption(
      new Option('--ip <address>', 'address or CIDR block the key works from; may be repeated')
        .argParser(collect)
        .conflicts('anywhere'),
    )
    .option('--anywhere', 'no IP restrictions')
    .action(async (id: string, { name, ip, anywhere, json }: EditOptions) => {
      const ipRestrictions = anywhere ? [] : ip;
      const changes = { ...(name !== undefined && { name }), ...(ipRestrictions && { ipRestrictions }) };
      const key = await withManagement((management, actor) => management.changeKey(actor, id, changes));
      print(json, describeListed(key), columns(HEAD, [row(key)]));
    });
}

function readEnding(text: string): string {
  // As it is shown, or only its end.
  const [ending] = /[0-9A-Za-z]{4}$/.exec(text) ?? [];
  if (ending === undefined) throw new InvalidArgumentError('Use the last four characters of the key.');
  return ending;
}

function revoke(): Command {
  return command('revoke', 'Revoke a key: it is refused from the next request on.')
    .argument('<key-id>', 'id of the key, as `keys list` shows it')
    .action(async (id: string, { json }: { json?: boolean }) => {
      const key = await withManagement((management, actor) => management.revokeKey(actor, id));
      const successor =
        key.successor === null
          ? []
          : [`Its successor ${key.successor} is a key of its own: revoke it, too, if necessary.`];
      print(json, describeListed(key), [`Key ${key.id} (${key.display}) is revoked.`, ...successor]);
    });
}

function rotate(): Command {
  return command('rotate', 'Create a successor for a key and show it, once.')
    .argument('<key-id>', 'id of the key, as `keys list` shows it')
    .option(
      '--overlap <seconds>',
      'how long the old key keeps working, 0 to 604800',
      readOverlap,
      DEFAULT_OVERLAP_SECONDS,
    )
    .action(async (id: string, { overlap, json }: { overlap: number; json?: boolean }) => {
      const { successor, previous } = await withManagement((management, actor) =>
        management.rotateKey(actor, id, overlap),
      );
      print(json, { ...describeCreated(successor), previous }, [
        `Created key ${successor.id}, the successor of ${previous.id}. It is shown only now:`,
        '',
        `  ${successor.key}`,
        '',
        `Key ${previous.id} works until ${previous.expiresAt}.`,
      ]);
    });
}

/** A key without the key itself. */
function describe(record: KeyRecord) {
  const { id, display, account, name, environment, type, ipRestrictions, expiresAt, createdAt } = record;
  const kind = { environment, type, permissions: record.permissions };
  return { id, display, account, name, ...kind, ipRestrictions, expiresAt, createdAt };
}

function describeListed(record: KeyRecord) {
  const { lastUsedAt, lastUsedAddress, revokedAt, successor } = record;
  return { ...describe(record), lastUsedAt, lastUsedAddress, revokedAt, successor };
}

function describeCreated(record: CreatedKey) {
  const { id, ...rest } = describe(record);
  return { id, key: record.key, ...rest };
}

function row(key: KeyRecord): string[] {
  const { id, display, account, name, createdAt } = key;
  const from = key.ipRestrictions.join(',') || 'anywhere';
  return [id, display, account, name, key.permissions.join(','), state(key), createdAt, lastUse(key), from];
}

function lastUse({ lastUsedAt, lastUsedAddress }: KeyRecord): string {
  return lastUsedAt === null ? 'never' : `${lastUsedAt} from ${lastUsedAddress}`;
}

function state({ revokedAt, expiresAt }: KeyRecord): string {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt === null) return 'valid';
  return new Date(expiresAt) <= new Date() ? 'expired' : `until ${expiresAt}`;
}

function readPermissions(text: string): Permission[] {
  return text.split(',').map((word) => {
    const permission = permissions.find((known) => known === word.trim());
    if (!permission) throw new InvalidArgumentError(`Choose from ${permissions.join(', ')}.`);
    return permission;
  });
}

function readOverlap(text: string): number {
  const seconds = Number(text);
  if (!/^\d+$/.test(text) || seconds > MAX_OVERLAP_SECONDS) {
    throw new InvalidArgumentError(`Use whole seconds from 0 to ${MAX_OVERLAP_SECONDS} (7 days).`);
  }
  return seconds;
}

function collect(value: string, previous: readonly string[] | undefined): string[] {
  return [...(previous ?? []), value];
}
