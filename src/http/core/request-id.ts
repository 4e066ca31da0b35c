/** Request ids: ours alone, so that a client cannot write into our logs. */
import { randomUUID } from 'node:crypto';

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
