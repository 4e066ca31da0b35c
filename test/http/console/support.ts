/** Members of accounts, as pages of the console act for them. */
import type { Role } from '../../../src/members/member.ts';
import { Authenticator, type Lies } from '../../support/authenticator.ts';
import type { Service } from '../../support/service.ts';

export const ORIGIN = 'http://localhost:3000';
export const site = { host: 'localhost', origin: ORIGIN };
/** The headers of a browser for our own pages. */
export const fromPage = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' };

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Headers = Readonly<Record<string, string>>;

const actor = { by: 'cli', who: 'test' } as const;

export interface Answer {
  readonly status: number;
  readonly headers: globalThis.Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what they expect.
  readonly body: any;
}

export async function fetched(
  { url }: Service,
  path: string,
  method: Method,
  payload: object | undefined,
  headers: Headers,
) {
  const answer = await fetch(url + path, {
    method,
    headers: { ...(payload && { 'content-type': 'application/json' }), ...headers },
    ...(payload && { body: JSON.stringify(payload) }),
  });
  const kept = answer.headers.get('cache-control');
  if (kept !== 'no-store') throw new Error(`${method} ${path}: ${answer.status} may be kept: ${kept}`);
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  const body = isJson ? JSON.parse(text) : undefined;
  return { status: answer.status, headers: answer.headers, text, body } satisfies Answer as Answer;
}

/** Sends a request as a page does, before anybody has signed in. */
export function send(service: Service, path: string, payload: object, headers: Headers = fromPage) {
  return fetched(service, path.startsWith('/') ? path : `/account/v1/${path}`, 'POST', payload, headers);
}

export type Sent = Awaited<ReturnType<typeof send>>;

/** An invitation's token. */
export async function invite(
  { services: { members } }: Service,
  account: string,
  role: Role,
  email = `${role}@${account}.example`,
): Promise<string> {
  return (await members.invite(actor, account, email, role)).token;
}

/** Accepts an invitation as a browser does. */
export async function accept(
  service: Service,
  token: string,
  { authenticator = new Authenticator(site), name = 'Somebody', lies = {} as Lies } = {},
) {
  const { body } = await send(service, 'invitation', { token });
  const response = authenticator.register(body.options, lies);
  const answer = await send(service, 'invitation/accept', { token, name, passkey: 'test', response });
  return { answer, authenticator };
}

export async function signIn(service: Service, authenticator: Authenticator, lies: Lies = {}): Promise<Sent> {
  const { body } = await send(service, 'sign-in', {});
  return send(service, 'session', { response: authenticator.signIn(body.options, lies) });
}

export class MemberPage {
  readonly id: string;
  readonly account: string;
  readonly role: Role;
  readonly cookie: string;
  readonly csrfToken: string;
  readonly authenticator: Authenticator;
  readonly #service: Service;

  constructor(service: Service, { headers, body }: Sent, authenticator: Authenticator) {
    this.#service = service;
    this.id = body.member.id;
    this.account = body.account.id;
    this.role = body.member.role;
    const cookies = headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    this.cookie = cookies.find((each) => each.startsWith('platen-console=')) ?? '';
    this.csrfToken = body.csrfToken;
    this.authenticator = authenticator;
  }

  /** A member of an account who has just joined. */
  static async join(service: Service, account: string, role: Role, email?: string): Promise<MemberPage> {
    const token = await invite(service, account, role, email);
    const { answer, authenticator } = await accept(service, token);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return new MemberPage(service, answer, authenticator);
  }

  ask(method: Method, path: string, payload?: object, headers: Headers = {}): Promise<Answer> {
    const own = { ...fromPage, cookie: this.cookie, 'x-csrf-token': this.csrfToken, ...headers };
    return fetched(this.#service, path.startsWith('/') ? path : `/account/v1/${path}`, method, payload, own);
  }
}
