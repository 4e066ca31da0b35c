/** platen webhooks … */
import { type Command, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import type { Environment } from '../keys/format.ts';
import { type Caller, perform } from '../operations/operation.ts';
import type { OperationServices } from '../operations/services.ts';
import { disableWebhook, listWebhooks } from '../operations/webhooks.ts';
import { columns, command, group, print, withOperations } from './command.ts';

interface Options {
  readonly account: string;
  readonly env: Environment;
  readonly json?: boolean;
}

export function webhookCommands(): Command {
  return group('webhooks', 'Webhook endpoints of accounts.', [list(), disable()]);
}

function list(): Command {
  return ofAccount(command('list', 'List the endpoints of an account, without their paths.')).action(
    async ({ json, ...which }: Options) => {
      const shown = await withOperations((services, caller) => endpointsOf(services, caller, which));
      const head = ['ID', 'ORIGIN', 'STATE', 'FAILING SINCE', 'EVENTS'];
      const rows = shown.map(({ id, origin, enabled, disabledReason, failingSince, events }) => [
        ...[id, origin, enabled ? 'enabled' : `disabled${disabledReason ? ` (${disabledReason})` : ''}`],
        ...[failingSince ?? '-', events.join(' ')],
      ]);
      print(json, shown, columns(head, rows));
    },
  );
}

function disable(): Command {
  return ofAccount(command('disable', 'Disable an endpoint. Its account can enable it again.'))
    .argument('<id>', 'id of the endpoint')
    .action(async (id: string, { account, env, json }: Options) => {
      const endpoint = await withOperations(async (services, caller) => {
        const known = await endpointsOf(services, caller, { account, env });
        if (!known.some((each) => each.id === id)) {
          throw new OperatorError(`the account ${account} has no endpoint ${id} (${env})`);
        }
        return perform(disableWebhook, services, caller, { account, params: { id }, query: {}, body: {} });
      });
      print(json, endpoint, [`Disabled endpoint ${id} of account ${account}.`]);
    });
}

async function endpointsOf(
  services: OperationServices,
  caller: Caller,
  { account, env }: Pick<Options, 'account' | 'env'>,
) {
  const sent = { account, params: {}, query: {}, body: {} };
  const { webhooks } = await perform(listWebhooks, services, caller, sent);
  return webhooks.filter(({ environment }) => environment === env);
}

function ofAccount(own: Command): Command {
  return own
    .requiredOption('--account <id>', 'account that owns them')
    .addOption(
      new Option('--env <env>', 'environment of their keys').choices(['test', 'live']).default('live'),
    );
}
