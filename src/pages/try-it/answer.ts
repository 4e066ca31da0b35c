/** What an answer says that is no success. */
import type { Failure } from './failures.ts';

/** An answer of the service, or of something before it. */
interface Answer {
  readonly status: number;
  /** The value of a header; null for none. */
  header(name: string): string | null;
  text(): Promise<string>;
}

/** A proxy in between may answer in its own format: then there is only the status. */
export async function readFailure(answer: Answer): Promise<Failure> {
  const { status } = answer;
  const wait = Number(answer.header('retry-after'));
  const retryAfter = wait > 0 ? { retryAfter: wait } : {};
  const requestId = answer.header('x-request-id');
  const id = requestId === null ? {} : { requestId };
  try {
    const { code, message } = JSON.parse(await answer.text()) as Record<string, unknown>;
    if (typeof code === 'string' && typeof message === 'string') {
      return { code, status, message, ...retryAfter, ...id };
    }
  } catch {
    // Not JSON, so not of the service.
  }
  return { code: 'UNKNOWN', status, ...retryAfter, ...id };
}
