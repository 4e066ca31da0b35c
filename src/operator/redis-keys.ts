/** The names of what the operator's pages stand on in Redis. One hash tag, one slot of a Redis Cluster. */
import type { AuditListName } from './audit-entry.ts';
import type { RequestListName } from './request-record.ts';

export const operatorKeys = {
  /** Hash: a session, by the SHA-256 of its id. It expires with the session. */
  session: (hash: string) => `platen:operator:session:${hash}`,
  /** Streams: what was done. Apart, so that what others repeat at will pushes out nothing that operators did. */
  audit: (list: AuditListName) => `platen:{audit}:${list}`,
  /** Hash: the entry that gathers the refusals of a network. It expires. */
  auditRefusals: (action: string, network: string) => `platen:{audit}:refusals:${action}:${network}`,
  /** Hash: figures of all servers for a step of time that began at this moment (Unix seconds). It expires. */
  statistics: (stepSeconds: number, start: number) => `platen:{statistics}:${stepSeconds}:${start}`,
  /** String: the number of the last figures that a server wrote. It expires. */
  statisticsWriter: (id: string) => `platen:{statistics}:writer:${id}`,
  /** Stream: the recent requests of an account that were admitted, or refused. It expires after the last. */
  requests: (account: string, list: RequestListName) => `platen:{${account}}:requests:${list}`,
  /** String "ACCOUNT LIST ENTRY": where the request of this id is among those of its account. It expires with it. */
  requestPlace: (requestId: string) => `platen:request:${requestId}`,
} as const;
