/** platen accounts … */
import type { Command } from 'commander';
import type { Account } from '../keys/records.ts';
import { columns, command, group, print, withManagement, withStore } from './command.ts';

interface Json {
  readonly json?: boolean;
}

const PLAN_HELP = 'free, pro or enterprise, unless PLANS_FILE names others';

export function accountCommands(): Command {
  return group('accounts', 'Accounts own keys and have a plan.', [
    create(),
    list(),
    setPlan(),
    suspend(),
    resume(),
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

function setPlan(): Command {
  return command('set-plan', 'Change the plan of an account.')
    .argument('<id>', 'id of the account')
    .argument('<plan>', PLAN_HELP)
    .action(async (id: string, plan: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.setPlan(actor, id, plan));
      print(json, account, [`Account ${account.id} is on plan ${account.plan} now.`]);
    });
}

function suspend(): Command {
  return command('suspend', 'Refuse the keys of an account from the next request on.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.suspend(actor, id));
      print(json, account, [`Account ${account.id} is suspended.`]);
    });
}

function resume(): Command {
  return command('resume', 'Let the keys of a suspended account work again.')
    .argument('<id>', 'id of the account')
    .action(async (id: string, { json }: Json) => {
      const account = await withManagement((management, actor) => management.resume(actor, id));
      print(json, account, [`Account ${account.id} is not suspended any more.`]);
    });
}

function row({ id, name, plan, createdAt, suspendedAt }: Account): string[] {
  return [id, name, plan, createdAt, suspendedAt === null ? 'active' : `suspended ${suspendedAt}`];
}
