/** People: members of accounts at the console, operators at the dashboard, a Prometheus and a load balancer. */
import { setTimeout as delay } from 'node:timers/promises';
import { Authenticator } from '../../test/support/authenticator.ts';
import type { Books } from './books.ts';
import { type Answer, type Asked, ask, askPatiently, bearer } from './http.ts';
import type { Chance } from './random.ts';
import type { SoakServer, SoakService } from './service.ts';

/** Mean pauses of a member and of an operator between two requests, and of machines. */
const MEMBER_MS = 2_000;
const OPERATOR_MS = 2_000;
const SCRAPE_MS = 15_000;
const HEALTH_MS = 2_000;
/** Share of requests before which a member signs out and in again. */
const SIGNED_OUT = 0.03;
/** Keys of a member that are valid at a time. */
const MOST_KEYS = 3;
const WITHIN_MS = 30_000;
/** Statuses of answers while Redis is away or a server starts. */
const AWAY = [503, 429];

const memberPaths = [
  '/console',
  ...[
    'session',
    'account',
    'usage',
    'keys',
    'requests',
    'jobs',
    'webhooks',
    'members',
    'audit',
    'sessions',
  ].map((name) => `/account/v1/${name}`),
];
const operatorPaths = [
  '/dashboard',
  ...['overview', 'health', 'accounts', 'plans', 'keys/expiring', 'audit', 'maintenance', 'banner'].map(
    (name) => `/operator/v1/${name}`,
  ),
];

export class People {
  readonly #service: SoakService;
  readonly #books: Books;
  readonly #chance: Chance;
  #isOver = false;
  readonly #busy: Promise<void>[] = [];

  constructor(service: SoakService, books: Books, chance: Chance) {
    this.#service = service;
    this.#books = books;
    this.#chance = chance;
  }

  /** Starts an owner of each account, an operator, Prometheus and a load balancer. */
  async start(accounts: readonly string[]): Promise<void> {
    const members = [];
    for (const account of accounts) members.push(await this.#join(account));
    for (const member of members) this.#busy.push(this.#repeat(MEMBER_MS, () => this.#memberActs(member)));
    let operator: Operator | undefined;
    this.#busy.push(
      this.#repeat(OPERATOR_MS, async () => {
        operator = await this.#operatorActs(operator, accounts);
      }),
      this.#repeat(SCRAPE_MS, () => this.#look('/metrics', bearer(this.#service.token))),
      this.#repeat(HEALTH_MS, () => this.#look('/health/ready')),
      this.#repeat(SCRAPE_MS, () => this.#look('/health')),
    );
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#busy);
  }

  async #repeat(meanMs: number, act: () => Promise<unknown>): Promise<void> {
    while (!this.#isOver) {
      const end = performance.now() + this.#chance.interval(meanMs);
      while (performance.now() < end && !this.#isOver)
        await delay(Math.min(500, Math.max(1, end - performance.now())));
      await act().catch((error: NodeJS.ErrnoException) => {
        // A server may just have been killed.
        if (error.code !== undefined) this.#books.count('broken connections of people');
        else this.#books.fault(`people: ${error.stack}`);
      });
    }
  }

  #server(): SoakServer {
    return this.#chance.one(this.#service.servers);
  }

  async #look(path: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    for (const { url } of this.#service.servers) {
      const answer = await ask(url + path, { headers, withinMs: WITHIN_MS });
      this.#note('machines', path, answer);
    }
  }

  /** A request as a page sends it, under the only host name with passkeys without TLS. */
  async #page(asked: PageRequest): Promise<Answer> {
    const { path, server = this.#server(), cookie, csrfToken, isPatient, ...rest } = asked;
    const origin = originOf(server);
    const headers = {
      'sec-fetch-site': 'same-origin',
      origin,
      ...(cookie && { cookie }),
      ...(csrfToken && { 'x-csrf-token': csrfToken }),
    };
    return (isPatient ? askPatiently : ask)(origin + path, { ...rest, headers, withinMs: WITHIN_MS });
  }

  async #join(account: string): Promise<Member> {
    const server = this.#service.servers[0] as SoakServer;
    const invited = await askPatiently(`${server.url}/operator/v1/accounts/${account}/invitations`, {
      method: 'POST',
      body: { email: `owner@${account}.example`, role: 'owner' },
      headers: bearer(this.#service.token),
    });
    const { link } = JSON.parse(String(invited.body)) as { link: string };
    const token = link.slice(link.indexOf('#') + 1);
    const post = { method: 'POST', server, isPatient: true };
    const opened = await this.#page({ ...post, path: '/account/v1/invitation', body: { token } });
    const { options } = JSON.parse(String(opened.body));
    const authenticator = new Authenticator({ host: 'localhost', origin: originOf(server) });
    const accepted = await this.#page({
      ...post,
      path: '/account/v1/invitation/accept',
      body: { token, name: 'Owner', passkey: 'soak', response: authenticator.register(options) },
    });
    if (accepted.status !== 201) throw new Error(`nobody joins ${account}: ${accepted.body}`);
    return { authenticator, keys: [], ...sessionOf(accepted, 'platen-console') };
  }

  async #memberActs(member: Member): Promise<void> {
    if (this.#chance.is(SIGNED_OUT) || member.cookie === '') return this.#signInAgain(member);
    const { cookie, csrfToken } = member;
    const kind = this.#chance.next();
    if (kind < 0.02 && member.keys.length < MOST_KEYS) {
      const made = await this.#page({
        ...{ method: 'POST', path: '/account/v1/keys', cookie, csrfToken },
        body: { name: 'soak', environment: 'test', type: 'sk' },
      });
      this.#note('members', 'keys', made);
      if (made.status === 201) member.keys.push((JSON.parse(String(made.body)) as { id: string }).id);
      return;
    }
    const [key] = member.keys;
    if (kind < 0.04 && key !== undefined) {
      const path = `/account/v1/keys/${key}/revoke`;
      const revoked = await this.#page({ method: 'POST', path, cookie, csrfToken, body: {} });
      this.#note('members', 'revoke', revoked);
      if (revoked.status === 200) member.keys.shift();
      return;
    }
    const path = this.#chance.one(memberPaths);
    const answer = await this.#page({ path, cookie, csrfToken });
    this.#note('members', path, answer);
    if (answer.status === 401) member.cookie = '';
  }

  async #signInAgain(member: Member): Promise<void> {
    const { cookie, csrfToken, authenticator } = member;
    if (cookie !== '') {
      const answer = await this.#page({ method: 'DELETE', path: '/account/v1/session', cookie, csrfToken });
      if (AWAY.includes(answer.status)) return;
      member.cookie = '';
    }
    const server = this.#server();
    const began = await this.#page({ method: 'POST', server, path: '/account/v1/sign-in', body: {} });
    if (began.status !== 200) return this.#note('members', 'sign-in', began);
    const { options } = JSON.parse(String(began.body));
    const response = authenticator.signIn(options, { origin: originOf(server) });
    const answer = await this.#page({
      ...{ method: 'POST', server, path: '/account/v1/session', body: { response } },
    });
    this.#note('members', 'session', answer);
    if (answer.status === 201) Object.assign(member, sessionOf(answer, 'platen-console'));
  }

  async #operatorActs(
    operator: Operator | undefined,
    accounts: readonly string[],
  ): Promise<Operator | undefined> {
    if (!operator || this.#chance.is(SIGNED_OUT)) {
      if (operator) await this.#page({ method: 'DELETE', path: '/operator/v1/session', ...operator });
      const answer = await this.#page({
        ...{ method: 'POST', path: '/operator/v1/session', body: { token: this.#service.token } },
      });
      this.#note('operators', 'session', answer);
      return answer.status === 201 ? sessionOf(answer, 'platen-session') : undefined;
    }
    const account = this.#chance.one(accounts);
    const path = this.#chance.one([
      ...operatorPaths,
      ...['', '/usage', '/keys', '/requests', '/jobs', '/webhooks', '/members'].map(
        (name) => `/operator/v1/accounts/${account}${name}`,
      ),
    ]);
    const answer = await this.#page({ path, ...operator });
    this.#note('operators', path, answer);
    return answer.status === 401 ? undefined : operator;
  }

  #note(who: string, path: string, { status, body }: Answer): void {
    this.#books.count(`${who} ${status}`);
    if (status >= 400 && status !== 401 && !AWAY.includes(status))
      this.#books.fault(`${who} got ${status} from ${path}: ${body.subarray(0, 300)}`);
  }
}

interface PageRequest extends Asked {
  readonly path: string;
  readonly server?: SoakServer;
  readonly cookie?: string;
  readonly csrfToken?: string;
  /** Whether it is sent again while the service is busy. */
  readonly isPatient?: boolean;
}

interface Operator {
  cookie: string;
  csrfToken: string;
}

interface Member extends Operator {
  readonly authenticator: Authenticator;
  /** Those that it made and has not revoked yet. */
  readonly keys: string[];
}

function originOf({ url }: SoakServer): string {
  return url.replace('127.0.0.1', 'localhost');
}

function sessionOf({ headers, body }: Answer, name: string): Operator {
  const cookies = (headers['set-cookie'] ?? []).map((each) => each.split(';')[0] ?? '');
  const { csrfToken } = JSON.parse(String(body)) as { csrfToken: string };
  return { cookie: cookies.find((each) => each.startsWith(`${name}=`)) ?? '', csrfToken };
}
