/** /account/v1/account: where the account stands, what it used, and its audit. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { readCursor } from '../../operations/schema.ts';
import { Audit } from '../../operator/audit.ts';
import type { AuditEntry } from '../../operator/audit-entry.ts';
import { answerOf } from '../operator/answer.ts';
import {
  getOwnContacts,
  getOwnLedger,
  getOwnUsage,
  listOwnAudit,
  setOwnContacts,
} from './account.contract.ts';
import { scopeOf } from './authentication.ts';
import { routeOf } from './operation.ts';

const PAGE = 100;

/** Register it in a scope that only members enter. */
export const accountRoutes: FastifyPluginAsyncTypebox = async (app) => {
  app.get(getOwnContacts.path, routeOf(getOwnContacts), async (request) =>
    answerOf(request, scopeOf(request).contacts()),
  );

  app.put(setOwnContacts.path, routeOf(setOwnContacts), async (request) =>
    answerOf(request, scopeOf(request).setContacts(request.body)),
  );

  app.get(getOwnUsage.path, routeOf(getOwnUsage), async (request) =>
    answerOf(request, scopeOf(request).usage(request.query)),
  );

  app.get(
    getOwnLedger.path,
    // A HEAD request would read everything for nothing.
    { ...routeOf(getOwnLedger), exposeHeadRoute: false },
    async (
      request: FastifyRequest<{ Querystring: Static<typeof getOwnLedger.schema.querystring> }>,
      reply: FastifyReply,
    ) => scopeOf(request).sendLedger(reply, request.query.month),
  );

  app.get(listOwnAudit.path, routeOf(listOwnAudit), async (request) => {
    const { after, limit = PAGE } = request.query;
    const page = scopeOf(request).audit(readCursor(after, Audit.isCursor), limit);
    const { entries, next } = await answerOf(request, page);
    return { entries: entries.map(withoutOperator), next };
  });
};

const operators: readonly string[] = ['cli', 'operator', 'session', 'token'];

/** Customers do not see the addresses of operators. */
function withoutOperator(entry: AuditEntry): AuditEntry {
  return operators.includes(entry.by) ? { ...entry, who: 'operator' } : entry;
}
