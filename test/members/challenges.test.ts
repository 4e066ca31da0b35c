/** Challenges of passkeys. */
import t from 'tap';
import { CHALLENGE_MS, Challenges } from '../../src/members/challenges.ts';
import { redisClient } from '../redis/support.ts';

const client = await redisClient(t);
const challenges = new Challenges(client, 'the secret of all servers');
const now = Date.now();

t.test('a challenge is valid for its purpose, for five minutes, on every server', async (t) => {
  const text = challenges.issue('sign-in', now).toString('base64url');
  t.not(challenges.issue('sign-in', now).toString('base64url'), text);
  t.ok(new Challenges(client, 'the secret of all servers').isValid(text, 'sign-in', now + CHALLENGE_MS - 1));
  t.notOk(challenges.isValid(text, 'sign-in', now + CHALLENGE_MS));
  t.notOk(challenges.isValid(text, 'inv_1', now));
  t.notOk(new Challenges(client, 'another').isValid(text, 'sign-in', now));
  for (const other of [
    '',
    'AAAA',
    `${text}AAAA`,
    text.slice(0, -4),
    text.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')),
  ]) {
    t.notOk(challenges.isValid(other, 'sign-in', now), other);
  }
});

t.test('it is used up once, however it is written', async (t) => {
  const text = challenges.issue('sign-in').toString('base64url');
  const spent = await Promise.all([1, 2, 3].map(() => challenges.spend(text)));
  t.strictSame(spent.filter(Boolean).length, 1);
  t.equal(await challenges.spend(`${text}==`), false);
  t.strictSame(await client.keys('*'), [(await client.keys('platen:challenge:*'))[0]]);
});
