/**
 * node --import=tsx bench/enumeration.ts: whether the time of an answer tells that a member, an address, a passkey or an invitation
 * exists. Sends PAIRS (2,000) pairs of requests, one for what exists and one for what does not, in random order, to the built
 * service, and compares the times of both by their ranks (Mann and Whitney, 1947): the share is how often the one that exists took
 * longer; 50 % reveals nothing. Fails if one is clearly (p < 0.001) more than 5 points away from that. Requests with a secret
 * are not included: a replaced link takes longer than one that never existed.
 */
import { Agent, request } from 'node:http';
import { pino } from 'pino';
import { KeyStore } from '../src/keys/store.ts';
import { newId } from '../src/members/member.ts';
import { Members } from '../src/members/members.ts';
import { memberRealm, realmSessions, subjectOf } from '../src/members/realm.ts';
import { MemberStore } from '../src/members/store.ts';
import { Audit } from '../src/operator/audit.ts';
import { defaultPlans } from '../src/plans/plans.ts';
import type { RedisClient } from '../src/redis/connect.ts';
import { openRedis } from '../src/redis/open.ts';
import { Authenticator } from '../test/support/authenticator.ts';
import { Server } from '../test/support/server.ts';
import { median } from './statistics.ts';

const PAIRS = Number(process.env.PAIRS ?? 2_000);
const WARM_UP = 200;
const TOLERANCE = 0.05;
const SURE_Z = 3.3;
/** Rounds with one challenge: it is valid for five minutes, and wrong answers do not use it up. */
const CHALLENGE_ROUNDS = 1_000;
const log = pino({ level: 'warn' });
const server = await Server.start({
  env: { LOG_LEVEL: 'info', TRUST_PROXY: '127.0.0.1', AUTH_FAILURES_PER_MINUTE: '100000' },
});
const origin = server.url.replace('127.0.0.1', 'localhost');
const site = { host: 'localhost', origin };
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let clients = 0;

interface Question {
  readonly method?: string;
  readonly path: string;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

try {
  const redis = await openRedis({ redisUrl: undefined, dataDir: server.dataDir }, log, 'guest');
  try {
    const told: string[] = [];
    for (const [name, pair] of Object.entries(await questions(redis.client))) {
      if (await tells(name, pair)) told.push(name);
    }
    if (told.length > 0) throw new Error(`the time tells: ${told.join(', ')}`);
  } finally {
    await redis.close();
  }
} finally {
  agent.destroy();
  await server.stop();
}

type Pair = () => Promise<readonly [exists: Question, not: Question]>;

async function questions(redis: RedisClient): Promise<Readonly<Record<string, Pair>>> {
  const store = new KeyStore(redis, defaultPlans);
  for (const id of ['ours', 'theirs']) await store.createAccount({ id, name: id, plan: 'pro' });
  const member = await join(redis, 'theirs', 5);
  const owner = await join(redis, 'ours', 0);
  for (let i = 0; i < 9; i++) await join(redis, 'theirs', 0);
  const sessions = realmSessions(redis, memberRealm);
  const { id: cookie, session } = await sessions.begin(subjectOf('ours', owner.id), {
    address: '',
    agent: '',
  });
  const signedIn = { cookie: `platen-console=${cookie}`, 'x-csrf-token': session.csrfToken };
  const members = new Members(redis, memberRealm, new Audit(redis, log));
  const actor = { by: 'cli', who: 'bench' } as const;
  const { token: withdrawn, id } = await members.invite(actor, 'theirs', 'guest@theirs.example', 'billing');
  await members.withdraw(actor, 'theirs', id);
  const noMember = `mem_${'0'.repeat(18)}`;
  const liar = new Authenticator(site);
  liar.register({ challenge: '', user: { id: 'x' } });
  let asked = 0;
  let options = { challenge: '' };
  const invitation = (token: string): Question => ({ path: 'invitation', body: { token } });
  const inSession = (subject: string): Question => ({
    ...{ method: 'GET', path: 'members' },
    headers: { cookie: `platen-console=${subject}~${'A'.repeat(43)}` },
  });
  const inviting = (email: string): Question => ({
    path: 'invitations',
    body: { email, role: 'billing' },
    headers: signedIn,
  });
  const again = (id: string): Question => ({ path: `members/${id}/invitation`, body: {}, headers: signedIn });
  return {
    'a passkey': async () => {
      if (asked++ % CHALLENGE_ROUNDS === 0) {
        const { text } = await ask({ path: 'sign-in', body: {} });
        options = (JSON.parse(text) as { options: { challenge: string } }).options;
      }
      const guess = (id: string): Question => ({
        path: 'session',
        body: { response: liar.signIn(options, { id, counter: 1 }) },
      });
      return [guess(member.passkey), guess(new Authenticator(site).id)];
    },
    'a withdrawn invitation': async () => [
      invitation(withdrawn),
      invitation(new Authenticator(site).id.padEnd(43, 'A')),
    ],
    'a member, by a session': async () => [
      inSession(subjectOf('theirs', member.id)),
      inSession(`theirs.${noMember}`),
    ],
    'an account, by a session': async () => [
      inSession(subjectOf('theirs', member.id)),
      inSession(`nobody.${member.id}`),
    ],
    'an address that another account knows': async () => [
      inviting(member.email),
      inviting('nobody-1@theirs.example'),
    ],
    'a member of another account': async () => [again(member.id), again(noMember)],
  };
}

/** A member whose passkey has this signature counter. */
async function join(redis: RedisClient, account: string, counter: number) {
  const store = new MemberStore(redis, memberRealm);
  const id = newId('mem');
  const passkey = new Authenticator(site);
  const response = passkey.register({ challenge: '', user: { id: 'x' } });
  const publicKey = publicKeyIn(response.response.attestationObject);
  const email = `member-${id.slice(4)}@${account}.example`;
  await store.placePasskey(passkey.id, { account, id });
  await store.placeEmail(email, account);
  await store.change(account, (roster) =>
    roster.accept(roster.invite(email, 'owner', '0'.repeat(64)).id, id, 'Ann Smith', {
      ...{ id: passkey.id, publicKey, counter, transports: ['internal'], name: 'Phone' },
      ...{ createdAt: new Date().toISOString(), lastUsedAt: null },
    }),
  );
  return { id, email, passkey: passkey.id };
}

/** COSE, at the end of the authenticator data. */
function publicKeyIn(attestation: string): string {
  const COSE_BYTES = 77;
  return Buffer.from(attestation, 'base64url').subarray(-COSE_BYTES).toString('base64url');
}

/** @returns whether the times of a pair differ. */
async function tells(name: string, pair: Pair): Promise<boolean> {
  const times: readonly [number[], number[]] = [[], []];
  const answers: [string, string] = ['', ''];
  for (let i = -WARM_UP; i < PAIRS; i++) {
    const both = await pair();
    const first = Math.random() < 0.5 ? 0 : 1;
    for (const which of [first, 1 - first] as (0 | 1)[]) {
      const { text, status, ms } = await ask(both[which]);
      answers[which] = `${status} ${status === 201 ? '' : text.replace(/"requestId".*/, '')}`;
      if (i >= 0) times[which].push(ms);
    }
    if (answers[0] !== answers[1]) throw new Error(`${name}: ${answers.join(' / ')}`);
  }
  const { share, z } = compare(...times);
  const micros = (sample: readonly number[]) => `${(1_000 * median(sample)).toFixed(0)} µs`;
  console.log(
    `${(100 * share).toFixed(1).padStart(6)} %  z ${z.toFixed(1).padStart(5)}  medians ${times.map(micros).join(', ')}  ${name} (${answers[0].slice(0, 3)})`,
  );
  return Math.abs(share - 0.5) > TOLERANCE && Math.abs(z) > SURE_Z;
}

/** How often a value of the first sample is the greater one, and how far that is from chance, in standard deviations. */
function compare(a: readonly number[], b: readonly number[]) {
  const all = [...a.map((value) => ({ value, isA: true })), ...b.map((value) => ({ value, isA: false }))];
  all.sort((x, y) => x.value - y.value);
  const ranks = all.reduce((sum, { isA }, index) => sum + (isA ? index + 1 : 0), 0);
  const u = ranks - (a.length * (a.length + 1)) / 2;
  const pairs = a.length * b.length;
  const deviation = Math.sqrt((pairs * (a.length + b.length + 1)) / 12);
  return { share: u / pairs, z: (u - pairs / 2) / deviation };
}

/** Each request has its own address, so that no rate limit applies. */
function ask({ method = 'POST', path, body, headers = {} }: Question) {
  clients += 1;
  const text = body && JSON.stringify(body);
  const sent = {
    ...{ origin, 'sec-fetch-site': 'same-origin', ...headers },
    'x-forwarded-for': `2001:db8:${(clients >> 16).toString(16)}:${(clients & 0xffff).toString(16)}::1`,
    ...(text !== undefined && {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    }),
  };
  const { port } = new URL(server.url);
  return new Promise<{ status: number; text: string; ms: number }>((resolve, reject) => {
    const started = performance.now();
    const call = request(
      { host: '127.0.0.1', port, method, path: `/account/v1/${path}`, agent, headers: sent },
      (answer) => {
        const chunks: Buffer[] = [];
        let ms = performance.now() - started;
        answer.on('data', (chunk: Buffer) => {
          chunks.push(chunk);
          ms = performance.now() - started;
        });
        answer.once('error', reject);
        answer.once('end', () =>
          resolve({ status: answer.statusCode ?? 0, text: String(Buffer.concat(chunks)), ms }),
        );
      },
    );
    call.once('error', reject);
    call.end(text);
  });
}
