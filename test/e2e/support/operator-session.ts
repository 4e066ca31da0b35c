/** The operator API as a page uses it. */
import type { Server } from '../../support/server.ts';
import { operatorToken } from './operator.ts';
import { type Answer, send, type Target } from './requests.ts';

interface OperatorSession {
  readonly cookie: string;
  readonly csrfToken: string;
  /** Sends a request with the session: GET, or a change, with all headers that a page sends. */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<Answer>;
  /** The JSON that a path answers. */
  read<T>(path: string): Promise<T>;
}

export async function signIn(server: Target & Pick<Server, 'dataDir'>): Promise<OperatorSession> {
  const answer = await send(server, '/operator/v1/session', {
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: await operatorToken(server) }),
  });
  if (answer.status !== 201) throw new Error(`no session: ${answer.body}`);
  const { csrfToken } = JSON.parse(String(answer.body)) as { csrfToken: string };
  const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const ask: OperatorSession['ask'] = (method, path, body) =>
    send(server, path, {
      method,
      headers: {
        cookie,
        ...(method !== 'GET' && { origin: server.url, 'x-csrf-token': csrfToken }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  return {
    cookie,
    csrfToken,
    ask,
    async read<T>(path: string) {
      const { status, body } = await ask('GET', path);
      if (status !== 200) throw new Error(`${status} ${path}: ${body}`);
      return JSON.parse(String(body)) as T;
    },
  };
}
