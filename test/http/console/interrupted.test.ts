/** Redis fails in the middle of what belongs together. */
import type { Command } from 'ioredis';
import t from 'tap';
import { Authenticator } from '../../support/authenticator.ts';
import { failNext } from '../../support/failing-command.ts';
import { Service } from '../../support/service.ts';
import { accept, invite, signIn, site } from './support.ts';

const service = await Service.start(t);
const { redis } = service.services;

/** The script that changes members. */
const changesMembers = ({ name, args }: Command) =>
  name.startsWith('eval') && String(args[2]).endsWith(':members');

t.test('whoever has joined can sign in, even if the answer of Redis is lost', async (t) => {
  await service.createAccount('acme', 'free');
  const authenticator = new Authenticator(site);
  const token = await invite(service, 'acme', 'owner');
  failNext(redis, changesMembers, true);
  const { answer } = await accept(service, token, { authenticator });
  t.equal(answer.status, 503);
  t.equal((await signIn(service, authenticator)).status, 201);
});
