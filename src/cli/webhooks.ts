/** platen webhooks … */
import { type Command, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import type { Environment } from '../keys/format.ts';
import { KeyStore } from '../keys/store.ts';
import { Audit } from '../operator/audit.ts';
import { endpointSummary } from '../operator/endpoint-summary.ts';
import { Management } from '../operator/management.ts';
import { Endpoints } from '../webhooks/endpoints.ts';
import { columns, command, group, print, systemUser, withRedis } from './command.ts';

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
    async ({ account, env, json }: Options) => {
      const endpoints = await withRedis(async (redis, plans) => {
        const { id } = await new KeyStore(redis, plans).requireAccount(account);
        return new Endpoints(redis).list({ account: id, environment: env });
      });
      const shown = endpoints.map((endpoint) => endpointSummary(env, endpoint));
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
      const endpoint = await withRedis(async (redis, plans, log) => {
        const endpoints = new Endpoints(redis);
        const name = { account, environment: env, id };
        const none = new OperatorError(`the account ${account} has no endpoint ${id} (${env})`);
        if (!(await endpoints.find(name))) throw none;
        const management = new Management({ redis, plans, audit: new Audit(redis, log) });
        await management.disableWebhook({ by: 'cli', who: systemUser() }, name);
        const found = await endpoints.find(name);
        if (!found) throw none;
        return endpointSummary(env, found);
      });
      print(json, endpoint, [`Disabled endpoint ${id} of account ${account}.`]);
    });
}

function ofAccount(own: Command): Command {
  return own
    .requiredOption('--account <id>', 'account that owns them')
    .addOption(
      new Option('--env <env>', 'environment of their keys').choices(['test', 'live']).default('live'),
    );
}
