/** platen keys … */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { listAccounts } from '../operations/accounts.ts';
import {
  changeKey,
  createKey,
  type describeKey,
  findKeys,
  listKeys,
  revokeKey,
  rotateKey,
} from '../operations/keys.ts';
import { columns, group, oldestFirst } from './command.ts';
import { commandFor, commandThat, everyPage } from './door.ts';

type Listed = ReturnType<typeof describeKey>;

export function keyCommands(): Command {
  return group('keys', 'API keys.', [
    commandFor('create', createKey, {
      does: 'It is shown only once.',
      flags: { environment: 'env', ipRestrictions: 'ip', origins: 'origin', expiresAt: 'expires' },
      lines: ({ id, account, key }) => [
        `Created key ${id} of account ${account}. It is shown only now:`,
        ...['', `  ${key}`, ''],
      ],
    }),
    list(),
    commandFor('find', findKeys, {
      arguments: { ending: readEnding },
      json: ({ keys }) => keys,
      lines: ({ keys }) => table(keys),
    }),
    commandFor('edit', changeKey, {
      does: 'From the next request on. What is left out stays. Revoked and expired keys cannot be changed.',
      flags: { ipRestrictions: 'ip', origins: 'origin' },
      presets: {
        anywhere: ['No IP restrictions.', { ipRestrictions: [] }],
        pageless: ['No origins: no page may use it.', { origins: [] }],
      },
      lines: (key) => table([key]),
    }),
    commandFor('revoke', revokeKey, {
      lines: ({ id, display, successor }) => [
        `Key ${id} (${display}) is revoked.`,
        ...(successor === null
          ? []
          : [`Its successor ${successor} is a key of its own: revoke it, too, if necessary.`]),
      ],
    }),
    commandFor('rotate', rotateKey, {
      does:
        'It is shown only once. The old key keeps working for the overlap. Rotated, revoked and expired keys cannot be ' +
        'rotated.',
      flags: { overlapSeconds: 'overlap' },
      lines: ({ id, key, previous }) => [
        `Created key ${id}, the successor of ${previous.id}. It is shown only now:`,
        ...['', `  ${key}`, ''],
        `Key ${previous.id} works until ${previous.expiresAt}.`,
      ],
    }),
  ]);
}

function list(): Command {
  return commandThat(
    async (work) => {
      const { account, ...sent } = work.sent;
      const owners =
        account === undefined
          ? await everyPage(work, listAccounts, sent, ({ accounts }) => accounts)
          : [{ id: account }];
      // A key that ends meanwhile may be on two pages.
      const keys = new Map<string, Listed>();
      for (const { id } of owners) {
        const listed = await everyPage(work, listKeys, { ...sent, account: id }, (page) => page.keys);
        for (const key of listed) keys.set(key.id, key);
      }
      return oldestFirst([...keys.values()]);
    },
    'list',
    listKeys,
    {
      does: 'Without one, those of all accounts.',
      account: new Option('--account <id>', 'Only the keys of this account.'),
      lines: table,
    },
  );
}

/** The last four characters of a key as it is shown, or only these. */
function readEnding(text: string): string {
  const [ending] = /[0-9A-Za-z]{4}$/.exec(text) ?? [];
  if (ending === undefined) throw new InvalidArgumentError('Use the last four characters of the key.');
  return ending;
}

function table(keys: readonly Listed[]): string[] {
  const head = [
    'ID',
    'KEY',
    'ACCOUNT',
    'NAME',
    'PERMISSIONS',
    'STATE',
    'CREATED',
    'LAST USED',
    'WORKS FROM',
    'PAGES OF',
  ];
  const rows = keys.map((key) => [
    ...[key.id, key.display, key.account, key.name, key.permissions.join(',')],
    key.state === 'valid' && key.expiresAt !== null ? `until ${key.expiresAt}` : key.state,
    key.createdAt,
    key.lastUsedAt === null ? 'never' : `${key.lastUsedAt} from ${key.lastUsedAddress}`,
    key.ipRestrictions.join(',') || 'anywhere',
    key.origins.join(',') || 'none',
  ]);
  return columns(head, rows);
}
