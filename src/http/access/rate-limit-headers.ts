/** What a client is told of its rate windows. */
import type { WindowState } from '../../limits/windows.ts';

/**
 * The headers of an answer to a key: none without windows, else for its tightest window
 *
 * - `x-ratelimit-limit`, `x-ratelimit-remaining` and `x-ratelimit-reset` (Unix seconds), as is common use;
 * - `ratelimit`, and for all windows `ratelimit-policy`, of draft-ietf-httpapi-ratelimit-headers-11 (sections 3
 *   and 4; appendix B.3.1 for several windows).
 *
 * The tightest has the least left; of several, it is the one that ends last, so that `ratelimit` agrees with
 * {@link retryAfterSeconds}, as the draft's section 6 wants.
 *
 * @param now the clock that the windows follow, that of Redis: Unix milliseconds.
 */
export function rateLimitHeaders(windows: readonly WindowState[], now: number): Record<string, string> {
  const [tightest] = windows.toSorted((a, b) => a.remaining - b.remaining || b.resetsAt - a.resetsAt);
  if (!tightest) return {};
  const { name, limit, remaining, resetsAt } = tightest;
  return {
    'x-ratelimit-limit': `${limit}`,
    'x-ratelimit-remaining': `${remaining}`,
    'x-ratelimit-reset': `${resetsAt}`,
    'ratelimit-policy': windows
      .map((window) => `"${window.name}";q=${window.limit};w=${window.length}`)
      .join(', '),
    ratelimit: `"${name}";r=${remaining};t=${secondsUntil(resetsAt, now)}`,
  };
}

/**
 * Whole seconds, at least 1, until every window that is full has ended.
 *
 * @param now the clock that the windows follow, that of Redis: Unix milliseconds.
 */
export function retryAfterSeconds(windows: readonly WindowState[], now: number): number {
  const full = windows.filter(({ remaining }) => remaining === 0);
  return Math.max(1, ...full.map(({ resetsAt }) => secondsUntil(resetsAt, now)));
}

/** Rounded up: who waits for so long does not come too early. */
function secondsUntil(unixSeconds: number, now: number): number {
  return Math.max(0, Math.ceil(unixSeconds - now / 1000));
}
