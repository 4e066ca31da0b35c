/** Names of the operator's data in Redis. One hash tag, so one slot of a Redis Cluster. */
import type { AuditListName } from './audit-entry.ts';
import type { RequestListName } from './request-record.ts';

export const operatorKeys = {
  /** Hash: sessions of the operator, by the SHA-256 of their ids. It expires with the last. */
  sessions: 'platen:operator:sessions',
  /** Streams: the audit. Separate, so that others' repeated actions cannot push out those of operators. */
  audit: (list: AuditListName) => `platen:{audit}:${list}`,
  /** Stream: what was done in and to an account. It expires some time after the last. */
  accountAudit: (account: string) => `platen:{${account}}:audit`,
  /** Hash: the entry that collects a network's refusals. It expires. */
  auditRefusals: (action: string, network: string) => `platen:{audit}:refusals:${action}:${network}`,
  /** Hash: figures of all servers for an interval that began at this time (Unix seconds). It expires. */
  statistics: (stepSeconds: number, start: number) => `platen:{statistics}:${stepSeconds}:${start}`,
  /** String: number of the last batch that a server wrote. It expires. */
  statisticsWriter: (id: string) => `platen:{statistics}:writer:${id}`,
  /** Set: ids of servers that gave a sign of life. */
  servers: 'platen:{servers}:ids',
  /** String: the state of a server, as JSON. It expires without signs of life. */
  server: (id: string) => `platen:{servers}:state:${id}`,
  /** Stream: the recent requests of an account that were admitted, or refused. It expires after the last. */
  requests: (account: string, list: RequestListName) => `platen:{${account}}:requests:${list}`,
  /** Stream: as above, of all accounts. */
  requestsOfAll: (list: RequestListName) => `platen:{requests}:all:${list}`,
  /** String "ACCOUNT LIST ENTRY": where the request of this id is among those of its account. It expires with it. */
  requestPlace: (requestId: string) => `platen:request:${requestId}`,
} as const;
