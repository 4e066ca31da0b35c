/** platen webhooks, beside a service. */
import t from 'tap';
import { Endpoints } from '../../src/webhooks/endpoints.ts';
import { startRedis, temporaryFolder } from '../redis/support.ts';
import { jsonCommands, run } from './support.ts';

t.test('the endpoints of an account, and the end of one', async (t) => {
  const { server, client } = await startRedis(t);
  const env = { REDIS_URL: server.socketPath, DATA_DIR: await temporaryFolder(t) };
  const json = jsonCommands(t, env);
  await json('accounts', 'create', '--name', 'Acme', '--plan', 'pro', '--id', 'acme');
  const owner = { account: 'acme', environment: 'live' } as const;
  const settings = { url: 'https://shop.example/s3cret', description: 'd3scription', enabled: true };
  const endpoints = new Endpoints(client);
  const added = await endpoints.add(owner, { ...settings, events: ['job.completed'] });
  const id = String(added?.id);

  const listed = await json('webhooks', 'list', '--account', 'acme');
  t.match(listed, [{ id, origin: 'https://shop.example', enabled: true, events: ['job.completed'] }]);
  t.notMatch(JSON.stringify(listed), /s3cret|d3scription|whsec/);
  t.same(await json('webhooks', 'list', '--account', 'acme', '--env', 'test'), []);
  const disabled = await json('webhooks', 'disable', id, '--account', 'acme');
  t.match(disabled, { id, enabled: false, disabledReason: 'operator', disabledAt: String });
  const { stdout } = await run(env, 'webhooks', 'list', '--account', 'acme');
  t.match(stdout, /^ID +ORIGIN.*\n.*disabled \(operator\)/);
  for (const [args, message] of [
    [['webhooks', 'disable', 'wh_none', '--account', 'acme'], /no endpoint wh_none/],
    [['webhooks', 'list', '--account', 'nobody'], /nobody/],
  ] as const) {
    const failed = await run(env, ...args);
    t.equal(failed.code, 1);
    t.match(failed.stderr, message);
  }
  await endpoints.change({ ...owner, id }, { enabled: true });
  t.match(await endpoints.find({ ...owner, id }), { enabled: true, disabledReason: null });
});
