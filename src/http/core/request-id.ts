/** Request ids. They are never the client's, which could otherwise write into our logs. */
import { randomUUID } from 'node:crypto';

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}
