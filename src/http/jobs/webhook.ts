/** The URL that a job may name to be told of its end. */
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import { PlatenError } from '../../errors.ts';
import { readWebhookUrl } from '../../outbound/outside-url.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { ownerOf } from '../access/admitted.ts';
import { nextDeadline, orUnavailable } from '../core/redis-deadline.ts';

/** What the field is, for the contract. */
export const WEBHOOK_TEXT =
  'Where a message goes when the job ends, with https://; signed with the secret of `POST /v1/webhooks/secret`.';

export interface JobWebhookOptions {
  readonly webhooks: Webhooks;
  readonly config: Pick<Config, 'egressAllowHttp' | 'egressAllowNetworks'>;
}

/**
 * @param text the field `webhook`.
 * @throws PlatenError `INVALID_PARAMETER` if it is no such URL, or nothing would sign what is sent to it.
 */
export async function readJobWebhook(
  request: FastifyRequest,
  text: string | undefined,
  { webhooks, config }: JobWebhookOptions,
): Promise<string | undefined> {
  if (text === undefined) return undefined;
  const url = readWebhookUrl('webhook', text, config);
  const secrets = webhooks.endpoints.defaultSecrets(ownerOf(request));
  if ((await orUnavailable(secrets, nextDeadline(request))).length > 0) return url;
  throw new PlatenError('INVALID_PARAMETER', {
    message: 'webhook: There is no secret to sign with. Make one with POST /v1/webhooks/secret first.',
  });
}
