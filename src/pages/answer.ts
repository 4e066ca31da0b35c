/** What an answer says that is no success. */

/** An answer of the service, or of something before it. */
interface Answer {
  readonly status: number;
  /** The value of a header; null for none. */
  header(name: string): string | null;
  text(): Promise<string>;
}

/** What the service refused. */
interface Refusal {
  readonly code: string;
  readonly status: number;
  /** For people. */
  readonly message?: string;
  readonly requestId?: string;
  /** Seconds. */
  readonly retryAfter?: number;
}

/** A proxy in between may answer in its own format: then the code is `UNKNOWN`, and there is no message. */
export async function readRefusal(answer: Answer): Promise<Refusal> {
  const { status } = answer;
  const wait = Number(answer.header('retry-after'));
  const requestId = answer.header('x-request-id');
  const known = { status, ...(wait > 0 && { retryAfter: wait }), ...(requestId !== null && { requestId }) };
  try {
    const { code, message } = JSON.parse(await answer.text()) as Record<string, unknown>;
    if (typeof code === 'string' && typeof message === 'string') return { code, message, ...known };
  } catch {
    // Not JSON, so not of the service.
  }
  return { code: 'UNKNOWN', ...known };
}

/** The same of an answer to `fetch`. */
export function refusalIn(response: Response): Promise<Refusal> {
  const header = (name: string) => response.headers.get(name);
  return readRefusal({ status: response.status, header, text: () => response.text() });
}
