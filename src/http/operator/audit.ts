/** GET /operator/v1/audit: who did what, and when. */

import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static } from 'typebox';
import { readCursor } from '../../operations/schema.ts';
import { Audit, type AuditFilter } from '../../operator/audit.ts';
import { auditCsv } from '../../operator/audit-csv.ts';
import { answerOf } from './answer.ts';
import { exportAudit, listAudit } from './audit.contract.ts';

const PAGE = 100;
/** More entries than exist: a few MB. */
const ALL = 20_000;

type Filter = Static<typeof exportAudit.schema.querystring>;

/** Register it in a scope that only operators enter. */
export const auditRoute: FastifyPluginAsyncTypebox<{ readonly audit: Audit }> = async (app, { audit }) => {
  app.get(listAudit.path, { schema: listAudit.schema }, async (request) => {
    const { after, limit = PAGE, ...filter } = request.query;
    return answerOf(request, audit.list(readCursor(after, Audit.isCursor), limit, readFilter(filter)));
  });

  app.get(
    exportAudit.path,
    // A HEAD request would read everything for nothing.
    { exposeHeadRoute: false, schema: exportAudit.schema },
    async (request: FastifyRequest<{ Querystring: Filter }>, reply: FastifyReply) => {
      const { entries } = await answerOf(request, audit.list(undefined, ALL, readFilter(request.query)));
      return reply
        .type('text/csv; charset=utf-8')
        .header('content-disposition', 'attachment; filename="platen-audit.csv"')
        .send(auditCsv(entries));
    },
  );
};

function readFilter({ from, until, ...others }: Filter): AuditFilter {
  const time = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text));
  return { ...others, from: time(from), until: time(until) };
}
