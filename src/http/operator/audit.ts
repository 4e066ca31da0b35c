/** GET /operator/v1/audit: who did what, and when. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Audit } from '../../operator/audit.ts';
import { answerOf, readCursor } from './answer.ts';
import { listAudit } from './audit.contract.ts';

const PAGE = 100;

/** To be registered in a scope that only the operator enters. */
export const auditRoute: FastifyPluginAsyncTypebox<{ readonly audit: Audit }> = async (app, { audit }) => {
  app.get(listAudit.path, { schema: listAudit.schema }, async (request) => {
    const { after, limit = PAGE } = request.query;
    return answerOf(request, audit.list(readCursor(after, Audit.isCursor), limit));
  });
};
