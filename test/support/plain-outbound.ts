/** The smallest client that can post: it connects anywhere, also to this machine. */
import { type Outbound, OutboundError } from '../../src/outbound/outbound.ts';

export const plainOutbound: Outbound = {
  async post(url, headers, body, timeoutMs) {
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'manual', signal });
      const text = (await answer.text()).slice(0, 2_048);
      return {
        status: answer.status,
        retryAfter: answer.headers.get('retry-after') ?? undefined,
        body: text,
      };
    } catch (error) {
      const isLate = (error as Error).name === 'TimeoutError';
      throw new OutboundError(isLate ? 'timeout' : 'unreachable', 'no answer');
    }
  },
  download: () => Promise.reject(new Error('not of this client')),
};
