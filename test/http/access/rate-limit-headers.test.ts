import t from 'tap';
import type { WindowState } from '../../../src/accounts/limits/windows.ts';
import { rateLimitHeaders, retryAfterSeconds } from '../../../src/http/access/rate-limit-headers.ts';

/** 2026-03-14 15:09:26.535 UTC. */
const now = 1_773_500_966_535;

function windows(second: number, hour: number, day: number): WindowState[] {
  return [
    { name: 'second', limit: 50, remaining: second, resetsAt: 1_773_500_967, length: 1 },
    { name: 'hour', limit: 100, remaining: hour, resetsAt: 1_773_504_000, length: 3_600 },
    { name: 'day', limit: 1_000, remaining: day, resetsAt: 1_773_532_800, length: 86_400 },
  ];
}

const policy = '"second";q=50;w=1, "hour";q=100;w=3600, "day";q=1000;w=86400';

t.test('the window with the least left', async (t) => {
  t.strictSame(rateLimitHeaders(windows(49, 7, 800), now), {
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '7',
    'x-ratelimit-reset': '1773504000',
    'ratelimit-policy': policy,
    ratelimit: '"hour";r=7;t=3034',
  });
  t.strictSame(rateLimitHeaders(windows(49, 99, 999), now), {
    'x-ratelimit-limit': '50',
    'x-ratelimit-remaining': '49',
    'x-ratelimit-reset': '1773500967',
    'ratelimit-policy': policy,
    ratelimit: '"second";r=49;t=1',
  });
});

t.test('of several with as little left, the one that ends last', async (t) => {
  for (const given of [windows(0, 0, 0), windows(0, 0, 0).reverse(), windows(5, 0, 0)]) {
    t.match(rateLimitHeaders(given, now), {
      'x-ratelimit-limit': '1000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': '1773532800',
      ratelimit: '"day";r=0;t=31834',
    });
  }
});

t.test('a plan with one window', async (t) => {
  const [second] = windows(199, 0, 0);
  t.ok(second);
  t.match(rateLimitHeaders(second ? [second] : [], now), {
    'x-ratelimit-remaining': '199',
    'ratelimit-policy': '"second";q=50;w=1',
    ratelimit: '"second";r=199;t=1',
  });
});

t.test('no headers without windows', async (t) => {
  t.strictSame(rateLimitHeaders([], now), {});
});

t.test('seconds are whole and never too few', async (t) => {
  const [, hour] = windows(0, 0, 0);
  const secondsAt = (moment: number) => rateLimitHeaders(hour ? [hour] : [], moment).ratelimit;
  t.equal(secondsAt(1_773_503_999_000), '"hour";r=0;t=1');
  t.equal(secondsAt(1_773_503_998_999), '"hour";r=0;t=2');
  t.equal(secondsAt(1_773_503_999_999), '"hour";r=0;t=1');
  t.equal(secondsAt(1_773_504_000_000), '"hour";r=0;t=0');
  t.equal(secondsAt(1_773_504_009_000), '"hour";r=0;t=0', 'never negative');
});

t.test('a retry makes sense when every full window has ended', async (t) => {
  t.equal(retryAfterSeconds(windows(0, 50, 900), now), 1);
  t.equal(retryAfterSeconds(windows(0, 0, 900), now), 3_034);
  t.equal(retryAfterSeconds(windows(49, 0, 900), now), 3_034);
  t.equal(retryAfterSeconds(windows(0, 0, 0), now), 31_834);
  t.equal(retryAfterSeconds(windows(0, 0, 0).reverse(), now), 31_834);
  t.equal(retryAfterSeconds(windows(0, 50, 900), 1_773_500_967_000), 1, 'at least 1');
  t.equal(retryAfterSeconds([], now), 1);
});

t.test('a full window is the one that is shown, and ends when the retry may come', async (t) => {
  for (const given of [windows(0, 50, 900), windows(0, 0, 900), windows(9, 0, 900), windows(0, 9, 0)]) {
    t.match(rateLimitHeaders(given, now).ratelimit, `r=0;t=${retryAfterSeconds(given, now)}`);
  }
});
