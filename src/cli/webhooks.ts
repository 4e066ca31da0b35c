/** platen webhooks … */
import { type Command, Option } from 'commander';
import { OperatorError } from '../errors.ts';
import { disableWebhook, listWebhooks } from '../operations/webhooks.ts';
import { columns, group } from './command.ts';
import { commandThat, ofAccount, type Work } from './door.ts';

export function webhookCommands(): Command {
  return group('webhooks', 'Webhook endpoints of accounts.', [list(), disable()]);
}

/** Both are about endpoints of one environment. */
const which = () => ({
  account: ofAccount(),
  own: [new Option('--env <env>', 'Of these keys. Default: live.').choices(['test', 'live'])],
});

function list(): Command {
  return commandThat(endpointsOf, 'list', listWebhooks, {
    ...which(),
    does: 'Without their paths.',
    lines(endpoints) {
      const rows = endpoints.map(({ id, origin, enabled, disabledReason, failingSince, events }) => [
        ...[id, origin, enabled ? 'enabled' : `disabled${disabledReason ? ` (${disabledReason})` : ''}`],
        ...[failingSince ?? '-', events.join(' ')],
      ]);
      return columns(['ID', 'ORIGIN', 'STATE', 'FAILING SINCE', 'EVENTS'], rows);
    },
  });
}

function disable(): Command {
  return commandThat(
    async (work) => {
      const { ask, sent, own } = work;
      const { account, params } = sent;
      if (!(await endpointsOf(work)).some(({ id }) => id === params.id))
        throw new OperatorError(`the account ${account} has no endpoint ${params.id} (${own.env ?? 'live'})`);
      return { account, endpoint: await ask(disableWebhook, sent) };
    },
    'disable',
    disableWebhook,
    {
      ...which(),
      does: 'Its account can enable it again.',
      json: ({ endpoint }) => endpoint,
      lines: ({ account, endpoint: { id } }) => [`Disabled endpoint ${id} of account ${account}.`],
    },
  );
}

async function endpointsOf({ ask, sent, own: { env = 'live' } }: Work) {
  const { webhooks } = await ask(listWebhooks, sent);
  return webhooks.filter(({ environment }) => environment === env);
}
