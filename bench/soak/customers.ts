/** Accounts with keys and endpoints of webhooks, as operator and customer make them. */
import type { Customer } from './clients.ts';
import { askPatiently, bearer } from './http.ts';
import type { Messages } from './messages.ts';
import type { SoakService } from './service.ts';

const EVENTS = ['job.completed', 'job.canceled', 'job.expired'];

export async function makeCustomer(
  service: SoakService,
  messages: Messages,
  name: string,
): Promise<Customer> {
  const { id: account } = await post<{ id: string }>(service, '/operator/v1/accounts', service.token, {
    ...{ name, plan: 'enterprise' },
  });
  const keyOf = async (environment: 'live' | 'test') => {
    const body = { account, name: 'soak', environment, type: 'sk' };
    return (await post<{ key: string }>(service, '/operator/v1/keys', service.token, body)).key;
  };
  const [key, testKey] = [await keyOf('live'), await keyOf('test')];
  const endpoint = { url: messages.url('all', account), events: EVENTS };
  const { secret } = await post<{ secret: string }>(service, '/v1/webhooks', key, endpoint);
  messages.expect('all', account, secret);
  const own = await post<{ secret: string }>(service, '/v1/webhooks/secret', key, {});
  messages.expect('own', account, own.secret);
  return { account, key, testKey };
}

/** Gives each of its documents a process of its own. */
export async function isolate(service: SoakService, customer: Customer | undefined): Promise<void> {
  const path = `/operator/v1/accounts/${customer?.account}/isolation`;
  await send(service, path, service.token, { isolation: 'document' }, 'PUT');
}

function post<T>(service: SoakService, path: string, token: string, body: object): Promise<T> {
  return send(service, path, token, body, 'POST');
}

async function send<T>(
  { servers }: SoakService,
  path: string,
  token: string,
  body: object,
  method: 'POST' | 'PUT',
): Promise<T> {
  const answer = await askPatiently(`${servers[0]?.url}${path}`, {
    method,
    body,
    headers: bearer(token),
  });
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.body}`);
  return JSON.parse(String(answer.body)) as T;
}
