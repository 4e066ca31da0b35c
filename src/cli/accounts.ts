/** platen accounts … */
import { Argument, type Command, InvalidArgumentError } from 'commander';
import type { Account } from '../keys/records.ts';
import { type LimitName, limitNames, type OwnLimit } from '../plans/own-limits.ts';
import { columns, command, group, print, withManagement, withStore } from './command.ts';
import { readTime } from './times.ts';

interface Json {
  readonly json?: boolean;
}

const PLAN_HELP = 'free, pro or enterprise, unless PLANS_FILE names others';

export function accountCommands(): Command {
  return group('accounts', 'Accounts own keys and have a plan.', [
    create(),
    list(),
    show(),
    rename(),
    setPlan(),
    setLimit(),
    removeLimit(),
    suspend(),
    resume(),
    remove(),
    restore(),
  ]);
}

function create(): Command {
  return command('create', 'Create an account.')
    .requiredOption('--name <name>', 'name of the customer')
    .requiredOption('--plan <plan>', PLAN_HELP)
    .option('--id <id>', 'id of the account; generated if omitted')
    .action(async ({ name, plan, id, json }: Json & { name: string; plan: string; id?: string }) => {
      const account = await withManagement(
        (management, actor) => management.createAccount(actor, { name, plan, id }),
        'guest',
      );
      print(json, account, [`Created account ${account.id} (${account.name}, ${account.plan}).`]);
    });
}

function list(): Command {
  return command('list', 'List all accounts.').action(async ({ json }: Json) => {
    const accounts = await withStore((store) => store.listAccounts());
    print(json, accounts, columns(['ID', 'NAME', 'PLAN', 'CREATED', 'STATE'], accounts.map(row)));
  });
}

function show(): Command {
  return command('show', 'Show an account and its own limits.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withStore((store) => store.requireAccount(id));
      print(json, account, describe(account));
    });
}

function rename(): Command {
  return command('rename', 'Rename an account. Its id stays.')
    .argument('<id>', 'id of the account')
    .argument('<name>', 'the new name')
    .action(async (id: string, name: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.rename(actor, id, name));
      print(json, account, [`Account ${account.id} is now called ${account.name}.`]);
    });
}

const limitArgument = () => new Argument('<limit>', 'limit of the plan').choices(limitNames);

function setLimit(): Command {
  return command('set-limit', 'Set a limit for an account. It replaces the limit of its plan.')
    .argument('<id>', 'id of the account')
    .addArgument(limitArgument())
    .argument('<value>', 'a number, or "unlimited"', readLimit)
    .option('--from <time>', 'start, ISO 8601; at once if omitted', readTime)
    .option('--until <time>', 'end, ISO 8601; never if omitted', readTime)
    .action(
      async (
        id: string,
        limit: LimitName,
        value: number | null,
        { from, until, json }: Json & { from?: Date; until?: Date },
      ) => {
        const own: OwnLimit = {
          ...{ limit, value },
          ...{ from: from?.toISOString() ?? null, until: until?.toISOString() ?? null },
        };
        const account = await withManagement((management, actor) => management.setLimit(actor, id, own));
        print(json, account, describe(account));
      },
    );
}

function removeLimit(): Command {
  return command('remove-limit', 'Remove a limit of an account. The limit of its plan applies again.')
    .argument('<id>', 'id of the account')
    .addArgument(limitArgument())
    .action(async (id: string, limit: LimitName, { json }: Json) => {
      const account = await withManagement((management, actor) => management.removeLimit(actor, id, limit));
      print(json, account, describe(account));
    });
}

/** Null: unlimited. */
function readLimit(text: string): number | null {
  if (text === 'unlimited') return null;
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Use a whole number, or "unlimited".');
  return Number(text);
}

function setPlan(): Command {
  return command('set-plan', 'Change the plan of an account.')
    .argument('<id>', 'id of the account')
    .argument('<plan>', PLAN_HELP)
    .action(async (id: string, plan: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.setPlan(actor, id, plan));
      print(json, account, [`Account ${account.id} is now on plan ${account.plan}.`]);
    });
}

function suspend(): Command {
  return command('suspend', 'Suspend an account: its keys are refused from the next request on.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.suspend(actor, id));
      print(json, account, [`Account ${account.id} is suspended.`]);
    });
}

function resume(): Command {
  return command('resume', 'Resume a suspended account: its keys work again.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.resume(actor, id));
      print(json, account, [`Account ${account.id} is active again.`]);
    });
}

function remove(): Command {
  return command('delete', 'Delete an account after 30 days. Only its ledger rows stay.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.planDeletion(actor, id));
      print(json, account, [
        `Account ${account.id} will be deleted at ${account.deletesAt}. Until then its keys are refused, and it can be restored.`,
      ]);
    });
}

function restore(): Command {
  return command('restore', 'Restore an account that is to be deleted.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.restore(actor, id));
      print(json, account, [`Account ${account.id} is restored.`]);
    });
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
  const { id, name, plan, createdAt, ownLimits } = account;
  const rows = ownLimits.map(({ limit, value, from, until }) => [
    ...[limit, value === null ? 'unlimited' : `${value}`, from ?? '-', until ?? '-'],
  ]);
  return [
    `Account ${id} (${name}, ${plan}), created ${createdAt}: ${stateOf(account)}.`,
    ...(rows.length === 0 ? [] : ['', ...columns(['OWN LIMIT', 'VALUE', 'FROM', 'UNTIL'], rows)]),
  ];
}
