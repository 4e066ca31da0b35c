/** Response headers about rate windows. */
import type { WindowState } from '../../accounts/limits/windows.ts';

/**
 * The rate limit headers of a response to a key; none without windows:
 * - `x-ratelimit-limit`, `x-ratelimit-remaining` and `x-ratelimit-reset` (Unix seconds) for its tightest window, as
 *   in common use;
 * - `ratelimit` for its tightest window, and `ratelimit-policy` for all windows, of
 *   draft-ietf-httpapi-ratelimit-headers-11 (sections 3 and 4; appendix B.3.1 for several windows).
 * The tightest window has the least left; of equal ones, it ends last, so that `ratelimit` agrees with {@link
 * retryAfterSeconds}, as section 6 of the draft requires.
 *
 * @param now the clock of the windows, Redis's: Unix milliseconds.
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
 * Whole seconds, at least 1, until all full windows have ended.
 *
 * @param now the clock of the windows, Redis's: Unix milliseconds.
 */
export function retryAfterSeconds(windows: readonly WindowState[], now: number): number {
  const full = windows.filter(({ remaining }) => remaining === 0);
  return Math.max(1, ...full.map(({ resetsAt }) => secondsUntil(resetsAt, now)));
}

/** Rounded up, so that a client that waits so long is not early. */
function secondsUntil(unixSeconds: number, now: number): number {
  return Math.max(0, Math.ceil(unixSeconds - now / 1000));
}
