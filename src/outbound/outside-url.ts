/** Addresses that are to be connected to, as clients send them. Where a name leads is seen when it is. */
import type { Config } from '../config.ts';
import { PlatenError } from '../errors.ts';
import { readNetwork } from './addresses.ts';
import { OutboundError } from './outbound.ts';
import { readTarget, readUrl } from './target.ts';

/** An address of a document, which is fetched later. @throws PlatenError `INVALID_PARAMETER` */
export function readOutsideUrl(
  name: string,
  text: string,
  { egressAllowHttp }: Pick<Config, 'egressAllowHttp'>,
): string {
  return reading(name, text, () => {
    if (readUrl(text).protocol !== 'https:' && !egressAllowHttp) {
      throw new OutboundError('forbidden', 'The address must begin with https://.');
    }
  });
}

/** An address of messages: one that can never be allowed would fail for days. @throws PlatenError `INVALID_PARAMETER` */
export function readWebhookUrl(
  name: string,
  text: string,
  { egressAllowHttp, egressAllowNetworks }: Pick<Config, 'egressAllowHttp' | 'egressAllowNetworks'>,
): string {
  const rules = { allowHttp: egressAllowHttp, allowNetworks: egressAllowNetworks.map(readNetwork) };
  return reading(name, text, () => readTarget(text, rules));
}

function reading(name: string, text: string, check: () => unknown): string {
  try {
    check();
    return text;
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    throw new PlatenError('INVALID_PARAMETER', { message: `${name}: ${error.message}` });
  }
}
