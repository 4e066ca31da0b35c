/** A client that does after 503 what the contract asks of it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from './requests.ts';

const MAX_ATTEMPTS = 10;

/**
 * Sends a request until its answer is another one than 503, each time after the seconds of its Retry-After: on a busy
 * machine Redis may answer later than a request waits for it. Where a test asks for 503, it is not the way.
 *
 * @param refused is called for each 503; whether Redis counted the request all the same, nobody knows.
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
