/** All operations, in the order of the OpenAPI documents. */
import { accountOperations } from './accounts.ts';
import { keyOperations } from './keys.ts';
import type { Operation } from './operation.ts';
import { requestOperations } from './requests.ts';

export const operations: readonly Operation[] = [
  ...accountOperations,
  ...keyOperations,
  ...requestOperations,
];
