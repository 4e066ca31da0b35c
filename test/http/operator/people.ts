/** Operators with a name, as pages of the dashboard act for them. */
import type { OperatorRole } from '../../../src/members/member.ts';
import { NO_ACCOUNT } from '../../../src/members/realm.ts';
import { Authenticator } from '../../support/authenticator.ts';
import type { Service } from '../../support/service.ts';
import {
  type Answer,
  fetched,
  fromPage,
  type Headers,
  type Method,
  type Sent,
  site,
} from '../console/support.ts';

const actor = { by: 'cli', who: 'test' } as const;

/** Sends a request as a page does, before anybody has signed in. */
export function send(service: Service, path: string, payload: object, headers: Headers = fromPage) {
  return fetched(service, `/operator/v1/${path}`, 'POST', payload, headers);
}

/** An invitation's token. */
export async function invite(
  { services: { operators } }: Service,
  role: OperatorRole,
  email = `${role}@ops.example`,
): Promise<string> {
  return (await operators.invite(actor, NO_ACCOUNT, email, role)).token;
}

/** Accepts an invitation as a browser does. */
export async function accept(
  service: Service,
  token: string,
  { authenticator = new Authenticator(site), name = 'Olga' } = {},
) {
  const { body } = await send(service, 'invitation', { token });
  const response = authenticator.register(body.options);
  const answer = await send(service, 'invitation/accept', { token, name, passkey: 'test', response });
  return { answer, authenticator };
}

export async function signIn(service: Service, authenticator: Authenticator): Promise<Sent> {
  const { body } = await send(service, 'sign-in', {});
  return send(service, 'sign-in/session', { response: authenticator.signIn(body.options) });
}

export class OperatorPage {
  readonly id: string;
  readonly cookie: string;
  readonly csrfToken: string;
  readonly authenticator: Authenticator;
  readonly #service: Service;

  constructor(service: Service, { headers, body }: Sent, authenticator = new Authenticator(site)) {
    this.#service = service;
    this.id = body.operator?.id ?? '';
    const cookies = headers.getSetCookie().map((each) => each.split(';')[0] ?? '');
    this.cookie = cookies.find((each) => each.startsWith('platen-session=')) ?? '';
    this.csrfToken = body.csrfToken;
    this.authenticator = authenticator;
  }

  /** An operator who has just joined. */
  static async join(
    service: Service,
    role: OperatorRole,
    { email, name }: { email?: string; name?: string } = {},
  ): Promise<OperatorPage> {
    const { answer, authenticator } = await accept(
      service,
      await invite(service, role, email),
      name === undefined ? {} : { name },
    );
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return new OperatorPage(service, answer, authenticator);
  }

  ask(method: Method, path: string, payload?: object, headers: Headers = {}): Promise<Answer> {
    const own = { ...fromPage, cookie: this.cookie, 'x-csrf-token': this.csrfToken, ...headers };
    return fetched(this.#service, path.startsWith('/') ? path : `/operator/v1/${path}`, method, payload, own);
  }
}
