/**
 * Every operation, at every door, for every role: who may call it, what it answers, and what it leaves in the audit. What an
 * operation does beyond that is tested in test/operations/, without a door.
 */
import t from 'tap';
import { memberDoor } from '../../src/http/console/door.ts';
import { contractAt, type Door, operatorDoor } from '../../src/http/operator/door.ts';
import { newId, operatorRoles, roles } from '../../src/members/member.ts';
import { memberRealm, NO_ACCOUNT, operatorRealm, type Realm, subjectOf } from '../../src/members/realm.ts';
import { MemberStore } from '../../src/members/store.ts';
import { deleteAccount } from '../../src/operations/accounts.ts';
import type { Operation } from '../../src/operations/operation.ts';
import { operations } from '../../src/operations/operations.ts';
import { Sessions } from '../../src/operator/sessions.ts';
import { convert } from '../e2e/support/requests.ts';
import { docx } from '../support/documents.ts';
import { Service } from '../support/service.ts';
import { MemberPage } from './console/support.ts';
import { ended, filePart, post, readBody } from './jobs/support.ts';
import { OperatorPage } from './operator/people.ts';

const service = await Service.start(t, { env: { AUTH_FAILURES_PER_MINUTE: '100000' } });
const { audit, banner, members, operators, redis, webhooks } = service.services;
await service.createAccount('acme', 'enterprise');

/** Somebody's, whose sessions and passkeys are in a place. */
type Page = Pick<MemberPage, 'ask' | 'id'>;
type Sent = { readonly params?: object; readonly query?: object; readonly body?: object };

const key = async () => ({ key: (await service.createKey({ account: 'acme' })).id });
const { key: used } = await service.createKey({ account: 'acme' });
const { key: jobKey } = await service.createKey({ account: 'acme', environment: 'live' });
const { id: job } = readBody<{ id: string }>(
  await post(service, jobKey, [filePart()], { query: '?format=png&width=16' }),
);
await ended(service, jobKey, job);
/** A message about it. */
const event = { type: 'job.completed', cause: job, at: 0, data: {} } as const;
const jobOwner = { account: 'acme', environment: 'live' } as const;
await webhooks.tell(jobOwner, event, { job, url: 'https://acme.example/job' });
const jobMessage = (await webhooks.told(jobOwner, job))[0]?.id;
const requestId = String((await convert(service, used, docx())).headers.get('x-request-id'));
await service.services.requests.flush();

const owner = { account: 'acme', environment: 'test' } as const;
const settings = { url: 'https://acme.example/hook', events: ['job.completed'] as const };
/** An endpoint of acme, in place of those before, of which it may have few. */
const endpoint = async () => {
  await removeEndpoints();
  const added = await webhooks.endpoints.add(owner, { ...settings, description: '', enabled: true });
  return { webhook: added?.id ?? '' };
};
const removeEndpoints = async () => {
  for (const environment of ['live', 'test'] as const) {
    const of = { ...owner, environment };
    for (const { id } of await webhooks.endpoints.list(of)) await webhooks.endpoints.remove({ ...of, id });
  }
};

/** A fresh account. */
const account = async () => {
  made += 1;
  return (await service.createAccount(`account-${made}`, 'pro')).id;
};
let made = 0;
/** A call about a fresh account, which something may have been done to. */
const about =
  (sent: Sent = {}, before: (account: string) => Promise<unknown> = async () => {}) =>
  async () => {
    const id = await account();
    await before(id);
    return { ...sent, params: { account: id, ...sent.params } };
  };
/** Somebody new of the account acme, or an operator. */
async function newPerson<R extends string>(realm: Realm<R>, place: string, role: R): Promise<string> {
  const id = newId(realm.prefix);
  await new MemberStore(redis, realm).change(place, (roster) =>
    roster.accept(roster.invite(newAddress(), role, id).id, id, 'Somebody', null),
  );
  return id;
}
/** Another passkey of somebody who is signed in, or another session. */
const newPasskey = async (id: string) => {
  const passkey = { id: newId('mem'), publicKey: '', counter: 0, transports: [], name: 'Another' };
  const made = { ...passkey, createdAt: new Date().toISOString(), lastUsedAt: null };
  const place = isOperator(id) ? NO_ACCOUNT : 'acme';
  const store = new MemberStore(redis, isOperator(id) ? operatorRealm : memberRealm);
  await store.change(place, (roster) => roster.addPasskey(id, made));
  return made.id;
};
const newSession = async (id: string) => {
  const { sessions } = isOperator(id) ? operators : members;
  const subject = subjectOf(isOperator(id) ? NO_ACCOUNT : 'acme', id);
  return Sessions.listedIdOf((await sessions.begin(subject, { address: '', agent: '' })).id);
};
const isOperator = (id: string) => id.startsWith(operatorRealm.prefix);
const newAddress = () => `${newId('mem')}@people.example`;
const member = async () => ({ member: await newPerson(memberRealm, 'acme', 'developer') });
const operator = async () => ({ operator: await newPerson(operatorRealm, NO_ACCOUNT, 'support') });
const newKey = { name: 'mine', environment: 'test', type: 'sk' };

/** What each operation is sent, by its name for operators, or for members if they alone have it. It must be done afresh for each call. */
const calls: Readonly<Record<string, (page: Page) => Promise<Sent>>> = {
  listOperatorPasskeys: async () => ({}),
  removeOperatorPasskey: async ({ id }) => ({ params: { passkey: await newPasskey(id) } }),
  listOperatorSessions: async () => ({}),
  endOperatorSession: async ({ id }) => ({ params: { session: await newSession(id) } }),
  listPlans: async () => ({}),
  listAccounts: async () => ({ query: { search: 'acme' } }),
  createAccount: async () => ({ body: { name: 'New', plan: 'free' } }),
  getAccount: about(),
  exportAccount: about(),
  renameAccount: about({ body: { name: 'Other' } }),
  setPlan: about({ body: { plan: 'free' } }),
  setLimit: about({ params: { limit: 'perHour' }, body: { value: 5 } }),
  removeLimit: about({ params: { limit: 'perHour' } }),
  setIsolation: about({ body: { isolation: 'document' } }),
  suspendAccount: about(),
  resumeAccount: about({}, (id) => service.suspend(id)),
  deleteAccount: about(),
  restoreAccount: about({}, (id) => service.perform(deleteAccount, { account: id })),
  getMaintenance: async () => ({}),
  setMaintenance: async () => ({ body: { on: false } }),
  getBanner: async () => ({}),
  setBanner: async () => ({ body: { text: 'Hello' } }),
  removeBanner: async () => {
    await banner.set({ text: 'Hello', until: null });
    return {};
  },
  getAccountUsage: async () => ({ query: { month: '2026-11' } }),
  getLedger: async () => ({ query: { month: '2026-11' } }),
  getContactsOf: async () => ({}),
  setContactsOf: async () => ({ body: { warnings: true } }),
  listAudit: async () => ({ query: { limit: 1 } }),
  exportAudit: async () => ({ query: { who: 'nobody' } }),
  listMembersOf: async () => ({}),
  inviteMemberTo: async () => ({ body: { email: newAddress(), role: 'billing' } }),
  withdrawInvitationOf: async () => {
    const { id: invitation } = await members.invite(service.actor, 'acme', newAddress(), 'billing');
    return { params: { invitation } };
  },
  inviteMemberAgain: async () => ({ params: await member() }),
  setMemberRole: async () => ({ params: await member(), body: { role: 'billing' } }),
  removeMemberOf: async () => ({ params: await member() }),
  endSessionsOf: async () => ({ params: await member() }),
  listOperators: async () => ({}),
  inviteOperator: async () => ({ body: { email: newAddress(), role: 'support' } }),
  withdrawOperatorInvitation: async () => {
    const { id: invitation } = await operators.invite(service.actor, NO_ACCOUNT, newAddress(), 'support');
    return { params: { invitation } };
  },
  inviteOperatorAgain: async () => ({ params: await operator() }),
  setOperatorRole: async () => ({ params: await operator(), body: { role: 'admin' } }),
  removeOperator: async () => ({ params: await operator() }),
  endSessionsOfOperator: async () => ({ params: await operator() }),
  listKeys: async () => ({ query: { limit: 1 } }),
  findKeys: async () => ({ query: { ending: 'abcd' } }),
  listExpiringKeys: async () => ({ query: { days: 3 } }),
  createKey: async () => ({ body: newKey }),
  getKey: async () => ({ params: await key() }),
  changeKey: async () => ({ params: await key(), body: { name: 'other' } }),
  revokeKey: async () => ({ params: await key() }),
  listRequests: about(),
  listAllRequests: async () => ({ query: { outcome: 'success', limit: 1 } }),
  getRequest: async () => ({ params: { requestId } }),
  getOwnConversion: async () => ({ params: { requestId } }),
  listJobsOf: async () => ({}),
  getJobOf: async () => ({ params: { job } }),
  getOwnPicture: async () => ({ params: { job, file: '1' } }),
  cancelJobOf: async () => ({ params: { job } }),
  listWebhooksOf: async () => ({}),
  disableWebhookOf: async () => ({ params: { id: (await endpoint()).webhook } }),
  listOwnWebhooks: async () => ({}),
  createOwnWebhook: about({ body: { environment: 'live', ...settings } }, removeEndpoints),
  getOwnWebhook: async () => ({ params: await endpoint() }),
  changeOwnWebhook: async () => ({ params: await endpoint(), body: { events: ['job.expired'] } }),
  deleteOwnWebhook: async () => ({ params: await endpoint() }),
  disableOwnWebhook: async () => ({ params: await endpoint() }),
  enableOwnWebhook: async () => ({ params: await endpoint() }),
  rotateOwnWebhookSecret: async () => ({ params: await endpoint() }),
  rotateOwnJobSecret: async () => ({ body: { environment: 'live' } }),
  testOwnWebhook: async () => ({ params: await endpoint(), body: {} }),
  listOwnDeliveries: async () => ({ params: await endpoint() }),
  retryOwnDelivery: async () => {
    const { webhook } = await endpoint();
    return { params: { webhook, delivery: await webhooks.test({ ...owner, id: webhook }) } };
  },
  listOwnJobDeliveries: async () => ({ params: { job } }),
  retryOwnJobDelivery: async () => ({ params: { job, delivery: jobMessage } }),
  getOwnMessage: async () => ({ params: { message: jobMessage } }),
  rotateKeyOf: async () => ({ params: await key(), body: { overlapSeconds: 60 } }),
};

const nameOf = ({ operator, member }: Operation) => operator?.id ?? member?.id ?? '';

/** Sends a call to a door as somebody. */
async function ask(door: Door<string>, operation: Operation, page: Page, headers = {}, other = {}) {
  const { path, method } = contractAt(door, operation) ?? { path: '', method: 'GET' };
  const { params = {}, query = {}, body } = (await calls[nameOf(operation)]?.(page)) ?? {};
  const values: Readonly<Record<string, string>> = { account: 'acme', ...params, ...other };
  const url = path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? '');
  const named =
    door.namesAccounts && operation.account === 'body' ? { account: 'acme', ...body, ...other } : body;
  // What members do with sessions is in the audit of their account only.
  const read = async (most: number) =>
    (await (door.namesAccounts ? audit.list(undefined, most) : audit.listOf('acme', undefined, most)))
      .entries;
  const entries = await read(1);
  const answer = await page.ask(method, `${url}?${new URLSearchParams({ ...query })}`, named, headers);
  const left = await read(10);
  const since = left.slice(
    0,
    left.findIndex(({ id }) => id === entries[0]?.id),
  );
  return { ...answer, audited: since.map(({ action, by }) => `${action} by ${by}`) };
}

function isMatrix<R extends string>(door: Door<R>, by: string, pages: ReadonlyMap<R, Page>) {
  for (const operation of operations) {
    const at = door.at(operation);
    if (!at) continue;
    t.test(`${door.prefix}: ${at.id}`, async (t) => {
      t.ok(calls[nameOf(operation)], 'this test knows what it is sent');
      for (const [role, page] of pages) {
        const { status, body, audited } = await ask(door, operation, page);
        if (!at.roles.includes(role)) {
          t.match([status, body], [403, { code: 'INSUFFICIENT_PERMISSIONS' }], role);
          t.same(audited, [], role);
          continue;
        }
        t.equal(status, operation.answers.status ?? 200, `${role}: ${JSON.stringify(body)}`);
        const answer = operation.answers.body as Partial<Record<'properties' | 'required', object>>;
        const { properties = {}, required = [] } = answer;
        const names = Object.keys(properties).filter(
          (name) => Object.values(required).includes(name) || name in Object(body),
        );
        t.same(Object.keys(body ?? {}).sort(), names.sort(), role);
        t.same(audited, operation.audit ? [`${operation.audit} by ${by}`] : [], role);
        if (door.namesAccounts && operation.account) {
          const nowhere = await ask(door, operation, page, {}, { account: 'nobody' });
          t.match(
            [nowhere.status, nowhere.body, nowhere.audited],
            [404, { code: 'NOT_FOUND' }, []],
            'no account',
          );
        }
        const refused = await ask(door, operation, page, { cookie: '' });
        t.match([refused.status, refused.audited], [401, []], 'without a session');
        if (operation.method === 'GET') continue;
        const forged = await ask(door, operation, page, { 'x-csrf-token': 'x' });
        t.match([forged.status, forged.audited], [403, []], 'from another page');
      }
    });
  }
}

const join = async <R extends string>(all: readonly R[], page: (role: R) => Promise<Page>) =>
  new Map(await Promise.all(all.map(async (role) => [role, await page(role)] as const)));
const operatorPages = await join(operatorRoles, (role) => OperatorPage.join(service, role));
const memberPages = await join(roles, (role) => MemberPage.join(service, 'acme', role));
isMatrix(operatorDoor, 'operator', operatorPages);
isMatrix(memberDoor, 'member', memberPages);
