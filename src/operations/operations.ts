/** All operations, in the order of the OpenAPI documents. */
import { accountOperations } from './accounts.ts';
import { auditOperations } from './audit.ts';
import { contactOperations } from './contacts.ts';
import { exportOperations } from './export.ts';
import { jobOperations } from './jobs.ts';
import { keyOperations } from './keys.ts';
import { memberOperations } from './members.ts';
import type { Operation } from './operation.ts';
import { operatorPersonOperations } from './operators.ts';
import { ownOperations } from './own.ts';
import { requestOperations } from './requests.ts';
import { serviceOperations } from './service.ts';
import { usageOperations } from './usage.ts';
import { webhookOperations } from './webhooks.ts';

export const operations: readonly Operation[] = [
  ...ownOperations,
  ...operatorPersonOperations,
  ...serviceOperations,
  ...accountOperations,
  ...exportOperations,
  ...usageOperations,
  ...contactOperations,
  ...memberOperations,
  ...keyOperations,
  ...requestOperations,
  ...jobOperations,
  ...webhookOperations,
  ...auditOperations,
];
