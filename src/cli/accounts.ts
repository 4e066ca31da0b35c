/** platen accounts … */
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Account } from '../accounts/keys/records.ts';
import {
  createAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  removeLimit,
  renameAccount,
  restoreAccount,
  resumeAccount,
  setIsolation,
  setLimit,
  setPlan,
  suspendAccount,
} from '../operations/accounts.ts';
import { exportAccount } from '../operations/export.ts';
import { columns, group, oldestFirst } from './command.ts';
import { commandFor, commandThat, everyPage } from './door.ts';
import { writeWhole } from './local/whole-file.ts';

export function accountCommands(): Command {
  return group('accounts', 'Accounts own keys and have a plan.', [
    commandFor('create', createAccount, {
      data: 'guest',
      lines: ({ id, name, plan }) => [`Created account ${id} (${name}, ${plan}).`],
    }),
    list(),
    commandFor('show', getAccount, {
      does: 'Its plan, and its own limits.',
      lines: (account) => describe({ ...account, isolation: account.isolationNow }),
    }),
    commandFor('rename', renameAccount, {
      arguments: { name: String },
      lines: ({ id, name }) => [`Account ${id} is now called ${name}.`],
    }),
    commandFor('set-plan', setPlan, {
      arguments: { plan: String },
      lines: ({ id, plan }) => [`Account ${id} is now on plan ${plan}.`],
    }),
    commandFor('set-limit', setLimit, { arguments: { value: readLimit }, lines: describe }),
    commandFor('remove-limit', removeLimit, { lines: describe }),
    commandFor('set-isolation', setIsolation, { arguments: { isolation: String }, lines: describe }),
    exported(),
    commandFor('suspend', suspendAccount, { lines: ({ id }) => [`Account ${id} is suspended.`] }),
    commandFor('resume', resumeAccount, { lines: ({ id }) => [`Account ${id} is active again.`] }),
    commandFor('delete', deleteAccount, {
      lines: ({ id, deletesAt }) => [
        `Account ${id} will be deleted at ${deletesAt}. Until then its keys are refused, and it can be restored.`,
      ],
    }),
    commandFor('restore', restoreAccount, { lines: ({ id }) => [`Account ${id} is restored.`] }),
  ]);
}

/** The oldest first, without what they use. */
function list(): Command {
  return commandThat(
    async (work) => {
      const accounts = await everyPage(work, listAccounts, work.sent, (page) => page.accounts);
      return oldestFirst(accounts).map(
        ({ id, name, plan, createdAt, suspendedAt, deletesAt, isolation, ownLimits }) => ({
          id,
          name,
          plan,
          createdAt,
          suspendedAt,
          deletesAt,
          isolation,
          ownLimits,
        }),
      );
    },
    'list',
    listAccounts,
    {
      does: 'All accounts, or those whose name or id contains a text.',
      lines: (accounts) => columns(['ID', 'NAME', 'PLAN', 'CREATED', 'STATE'], accounts.map(row)),
    },
  );
}

function exported(): Command {
  return commandThat(
    async ({ ask, sent, own: { out } }) => {
      const content = Readable.from((await ask(exportAccount, sent)).text);
      if (out === undefined) return { account: sent.account, json: await text(content) };
      // It has addresses of people.
      await writeWhole(out, content, false, 0o600);
      return { account: sent.account, out };
    },
    'export',
    exportAccount,
    {
      does: 'Without the keys themselves, secrets, documents, PDFs and the ledger.',
      own: [new Option('--out <file>', 'A new file to write it to. Default: standard output.')],
      json: ({ json, ...written }) => (json === undefined ? written : JSON.parse(json)),
      lines: ({ account, json, out }) =>
        json === undefined ? [`Wrote account ${account} to ${out}.`] : json.trimEnd().split('\n'),
    },
  );
}

/** Null: unlimited. */
function readLimit(text: string): number | null {
  if (text === 'unlimited') return null;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Use a whole number, or "unlimited".');
  return Number(text);
}

function row(account: Account): string[] {
  const { id, name, plan, createdAt } = account;
  return [id, name, plan, createdAt, stateOf(account)];
}

function stateOf({ suspendedAt, deletesAt }: Account): string {
  if (deletesAt !== null) return `to be deleted at ${deletesAt}`;
  return suspendedAt === null ? 'active' : `suspended ${suspendedAt}`;
}

function describe(account: Account): string[] {
  const { id, name, plan, createdAt, isolation, ownLimits } = account;
  const rows = ownLimits.map(({ limit, value, from, until }) => [
    ...[limit, value === null ? 'unlimited' : `${value}`, from ?? '-', until ?? '-'],
  ]);
  return [
    `Account ${id} (${name}, ${plan}), created ${createdAt}: ${stateOf(account)}.`,
    ...(isolation === 'document' ? ['Each of its documents has a process of its own.'] : []),
    ...(rows.length === 0 ? [] : ['', ...columns(['OWN LIMIT', 'VALUE', 'FROM', 'UNTIL'], rows)]),
  ];
}
