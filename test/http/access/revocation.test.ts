/**
 * A key ends with the command that revokes it, on every server.
 *
 * REVOCATIONS says how many keys are tried; each takes a process of its own for the command.
 */
import t from 'tap';
import { isError } from '../../e2e/support/assertions.ts';
import { send } from '../../e2e/support/requests.ts';
import { Service } from '../../support/service.ts';

const REVOCATIONS = Number(process.env.REVOCATIONS ?? 3);

const env = { AUTH_FAILURES_PER_MINUTE: '100000', LOG_LEVEL: 'info' };
const first = await Service.start(t, { env });
const second = await Service.start(t, { env, redis: first.redis });

t.test(`a request that starts after the command returned is refused, ${REVOCATIONS} times`, async (t) => {
  for (let n = 0; n < REVOCATIONS; n++) {
    const { id, key } = await first.createKey();
    const usage = (service: Service) => send(service, '/v1/usage', { method: 'GET', key });
    // Both servers have seen the key: what they remember of it must not matter.
    const before = await Promise.all([usage(first), usage(second)]);
    t.strictSame(
      before.map(({ status }) => status),
      [200, 200],
    );
    await first.cliText('keys', 'revoke', id);
    for (const answer of await Promise.all([usage(first), usage(second)])) {
      isError(t, answer, 'INVALID_API_KEY');
    }
  }
});
