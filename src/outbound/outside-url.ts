/** Addresses that are to be connected to, as clients send them. Where one leads is seen when it is. */
import { PlatenError } from '../errors.ts';
import { OutboundError } from './outbound.ts';
import { readUrl } from './target.ts';

/**
 * @param allowHttp whether it may begin with http://.
 * @throws PlatenError `INVALID_PARAMETER`
 */
export function readOutsideUrl(name: string, text: string, allowHttp: boolean): string {
  const invalid = (reason: string) => new PlatenError('INVALID_PARAMETER', { message: `${name}: ${reason}` });
  try {
    const { protocol } = readUrl(text);
    if (protocol !== 'https:' && !allowHttp) throw invalid('The address must begin with https://.');
    return text;
  } catch (error) {
    throw error instanceof OutboundError ? invalid(error.message) : error;
  }
}
