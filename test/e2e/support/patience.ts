/** A client that retries after 503, as the contract asks. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './requests.ts';

const MAX_ATTEMPTS = 10;

/**
 * Repeats a request until its answer is not 503, each time after the seconds of Retry-After: on a busy
 * machine Redis may answer later than a request waits for it. Not for tests that expect 503.
 *
 * @param refused is called for each 503; Redis may still have counted the request.
 */
export async function patiently(
  request: () => Promise<Answer>,
  refused: () => void = () => {},
): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const answer = await request();
    if (answer.status !== 503 || attempt === MAX_ATTEMPTS) return answer;
    refused();
    await delay(Number(answer.headers.get('retry-after')) * 1_000);
  }
}
