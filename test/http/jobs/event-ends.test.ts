/** The events of a job end once their key would be refused, while the job goes on. */
import t from 'tap';
import { deleteAccount } from '../../../src/operations/accounts.ts';
import { changeKey } from '../../../src/operations/keys.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { bearer } from '../../e2e/support/requests.ts';
import { Service } from '../../support/service.ts';
import { StubEngine } from '../../support/stub-engine.ts';
import { ask, filePart, post, readBody } from './support.ts';

const engine = new StubEngine();
const service = await Service.start(t, { engine });
const release = engine.hold();
const report = filePart();

type Subject = { readonly id: string; readonly account: string };

const ends = [
  ['a revoked key', ({ id }) => service.revokeKey(id), 'INVALID_API_KEY'],
  ['an expired key', ({ id }) => service.rotateKey(id, 0), 'EXPIRED_API_KEY'],
  ['a suspended account', ({ account }) => service.suspend(account), 'ACCOUNT_SUSPENDED'],
  [
    'a deleted account',
    ({ account }) => service.perform(deleteAccount, { account: account }),
    'ACCOUNT_SUSPENDED',
  ],
  [
    'an address that is not allowed any more',
    ({ id }) => service.perform(changeKey, { params: { key: id }, body: { ipRestrictions: ['192.0.2.1'] } }),
    'IP_NOT_ALLOWED',
  ],
] as const satisfies readonly (readonly [string, (subject: Subject) => Promise<unknown>, string])[];

for (const [index, [name, end, code]] of ends.entries()) {
  t.test(name, async (t) => {
    const { id: account } = await service.createAccount(`watcher-${index}`, 'enterprise');
    const { key, id } = await service.createKey({ account });
    const other = await service.createKey({ account });
    const job = readBody(await post(service, key, [report])).id;
    const watch = async (by: string) => {
      const response = await fetch(`${service.url}/v1/jobs/${job}/events`, { headers: bearer(by) });
      const reader = (response.body as ReadableStream<Uint8Array>)
        .pipeThrough(new TextDecoderStream())
        .getReader();
      let text = '';
      while (!text.includes('event: job')) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`it ended at once: ${text}`);
        text += value;
      }
      return reader;
    };
    const stays = code === 'ACCOUNT_SUSPENDED' ? undefined : await watch(other.key);
    const reader = await watch(key);
    await end({ id, account });
    // It ends by itself: only the stream says so.
    for (;;) if ((await reader.read()).done) break;
    isError(t, await ask(service, key, `/${job}/events`), code);
    if (stays) {
      t.match(readBody(await ask(service, other.key, `/${job}`)), { state: /^(queued|running)$/ });
      t.equal((await ask(service, other.key, `/${job}`, 'DELETE')).status, 204);
      for (;;) if ((await stays.read()).done) break;
      t.pass('that of another key ends with the job');
    }
  });
}

t.teardown(release);
