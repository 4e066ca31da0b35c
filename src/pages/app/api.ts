/** Requests to the API of the application: with the cookie of the session, which scripts cannot read, and its CSRF token. */
import { refusalIn } from '../answer.ts';
import { messageForPeople } from './message.ts';
import { API } from './place.ts';

/** Time limit of a request. */
const TIME_LIMIT_MS = 15_000;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Why there is no answer to show; `message` is for people. */
export class Failure extends Error {
  /** The code of the error, or `UNREACHABLE`. */
  readonly code: string;
  /** Id in the service's log; undefined if the service did not answer. */
  readonly requestId: string | undefined;

  constructor(code: string, message: string, requestId?: string) {
    super(message);
    this.code = code;
    this.requestId = requestId;
  }
}

/** Kept in memory only, so that it is gone with the page. */
let csrfToken: string | null = null;
/** Whom the page shows, as {@link whoIs} tells. */
let shown: string | undefined;
let sessionEnded = (_isReplaced: boolean) => {};

/** The tabs of this browser share the session's cookie. Each tells the others who is signed in now; empty: nobody. */
const tabs = new BroadcastChannel(`platen:${API}`);
tabs.addEventListener('message', ({ data }) => {
  if (shown !== undefined && data !== shown) sessionEnded(data !== '');
});

/** @param listener is told when the session has ended, or when the browser has that of somebody else (`isReplaced`). */
export function onSessionEnd(listener: (isReplaced: boolean) => void): void {
  sessionEnded = (isReplaced) => {
    forget();
    listener(isReplaced);
  };
}

function forget(): void {
  csrfToken = null;
  shown = undefined;
}

/** The path of an operation, such as `pathOf('accounts', id, 'keys')`. */
export function pathOf(...parts: readonly string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

/** The address of an operation, with its query; parameters that are empty are left out. */
export function addressOf(path: string, query: Readonly<Record<string, string>> = {}): string {
  const parameters = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `${API}${path}${parameters.size > 0 ? `?${parameters}` : ''}`;
}

/** @throws Failure */
export async function read<T>(
  path: string,
  { query, signal }: { query?: Readonly<Record<string, string>>; signal?: AbortSignal | undefined } = {},
): Promise<T> {
  return (await send('GET', addressOf(path, query), { signal })) as T;
}

/** A page of this service, as HTML. @throws Failure */
export function readPage(address: string, signal: AbortSignal): Promise<string> {
  return ask('GET', address, { signal }, (response) => response.text());
}

/** @throws Failure */
export async function change<T>(method: Exclude<Method, 'GET'>, path: string, body?: Body): Promise<T> {
  try {
    return (await send(method, addressOf(path), body && { body })) as T;
  } catch (error) {
    // Another tab signed in again: the cookie is of that session, and so must be the token.
    if (!(error instanceof Failure) || error.code !== 'INSUFFICIENT_PERMISSIONS') throw error;
    await renew();
    return (await send(method, addressOf(path), body && { body })) as T;
  }
}

/**
 * Why a stream of events was refused, which EventSource does not tell; undefined if it is not refused any more. It requests the
 * stream itself: unlike any other request, that does not keep a session alive.
 */
export async function refusalOf(path: string): Promise<Failure | undefined> {
  const enough = new AbortController();
  try {
    await ask('GET', addressOf(path), { signal: enough.signal }, () => undefined);
    return undefined;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  } finally {
    enough.abort();
  }
}

/** Goes on with the session that the browser has. @throws Failure when there is none. */
export async function resume<Session extends WithToken>(): Promise<Session> {
  return begun(await read<Session>('/session'));
}

/** Reads the session of this page anew. @throws Failure also when the browser has that of somebody else by now. */
export async function renew<Session extends WithToken>(): Promise<Session> {
  const session = await read<Session>('/session');
  if (whoIs(session) === shown) return begun(session);
  sessionEnded(true);
  throw new Failure('REPLACED', 'Somebody else has signed in in another tab.');
}

/** Begins a session. @throws Failure when what is sent does not open one. */
export async function signIn<Session extends WithToken>(path: string, body: Body): Promise<Session> {
  return begun(await post<Session>(path, body));
}

/** Before there is a session. @throws Failure */
export async function post<T>(path: string, body: Body): Promise<T> {
  return (await send('POST', addressOf(path), { body })) as T;
}

/** Goes on in a session that has begun. */
export function begun<Session extends WithToken>(session: Session): Session {
  ({ csrfToken } = session);
  shown = whoIs(session);
  tabs.postMessage(shown);
  return session;
}

/** Who is signed in, and to which account. */
function whoIs({ account, member, operator }: WithToken): string {
  return [account, member, operator].map((each) => each?.id ?? '').join(' ');
}

/** @throws Failure */
export async function signOut(): Promise<void> {
  await change('DELETE', '/session');
  forget();
  tabs.postMessage('');
}

type Body = Readonly<Record<string, unknown>>;

/** A session: of a member, in the console, or of an operator, in the dashboard. */
export interface WithToken {
  readonly csrfToken: string | null;
  readonly account?: { readonly id: string };
  readonly member?: { readonly id: string };
  /** Null: whoever has the token. */
  readonly operator?: { readonly id: string } | null;
}

interface Sent {
  readonly body?: Body;
  readonly signal?: AbortSignal | undefined;
}

async function send(method: Method, address: string, sent: Sent = {}): Promise<unknown> {
  return ask(method, address, sent, async (response) =>
    response.status === 204 ? undefined : await response.json(),
  );
}

/**
 * @param take what becomes of an answer that is no error.
 * @throws Failure
 */
async function ask<T>(
  method: Method,
  address: string,
  { body, signal }: Sent,
  take: (response: Response) => Promise<T> | T,
): Promise<T> {
  const limit = AbortSignal.timeout(TIME_LIMIT_MS);
  const headers: Record<string, string> = {};
  if (body) headers['content-type'] = 'application/json';
  if (method !== 'GET' && csrfToken !== null) headers['x-csrf-token'] = csrfToken;
  const options: RequestInit = { method, headers, signal: signal ? AbortSignal.any([limit, signal]) : limit };
  if (body) options.body = JSON.stringify(body);
  try {
    const response = await fetch(address, options);
    if (response.ok) return await take(response);
    const failure = await readFailure(response);
    // Not a wrong token, which is INVALID_API_KEY.
    if (failure.code === 'MISSING_AUTH') sessionEnded(false);
    throw failure;
  } catch (error) {
    if (error instanceof Failure || signal?.aborted) throw error;
    throw unreachable(limit.aborted);
  }
}

function unreachable(isLate: boolean): Failure {
  return isLate
    ? new Failure('UNREACHABLE', `The service did not answer within ${TIME_LIMIT_MS / 1_000} seconds.`)
    : new Failure('UNREACHABLE', 'The service cannot be reached. Check the connection, and whether it runs.');
}

async function readFailure(response: Response): Promise<Failure> {
  const { code, status, message, requestId, retryAfter } = await refusalIn(response);
  const text =
    message === undefined
      ? `The answer (status ${status}) does not come from this service.`
      : messageForPeople(message, retryAfter);
  return new Failure(code, text, requestId);
}
