/** The operator API: every operation of its OpenAPI document, in its order. */
import { ErrorObject } from '../../error-object.ts';
import { RotatedKey } from '../rotate.ts';
import { Usage } from '../usage.ts';
import {
  Account,
  AccountDetail,
  AccountList,
  createAccount,
  getAccount,
  getAccountUsage,
  getLedger,
  listAccounts,
  listPlans,
  PlanList,
  setPlan,
} from './accounts.ts';
import { AuditEntry, AuditList, listAudit } from './audit.ts';
import {
  CreatedKey,
  createKey,
  ExpiringKeys,
  getKey,
  Key,
  KeyList,
  listExpiringKeys,
  listKeys,
  revokeKey,
  rotateKeyOf,
} from './keys.ts';
import type { OperatorOperation } from './operation.ts';
import { getRequest, listRequests, RequestList, RequestRecord } from './requests.ts';
import {
  getEvents,
  getMaintenance,
  getOperatorHealth,
  getOverview,
  Maintenance,
  Overview,
  setMaintenance,
} from './service.ts';
import { getSession, Session, signIn, signOut } from './session.ts';
import { ServiceStatus } from './status.ts';

export const operatorOperations: readonly OperatorOperation[] = [
  signIn,
  getSession,
  signOut,
  getOverview,
  getEvents,
  getOperatorHealth,
  getMaintenance,
  setMaintenance,
  listPlans,
  listAccounts,
  createAccount,
  getAccount,
  setPlan,
  getAccountUsage,
  getLedger,
  listKeys,
  listExpiringKeys,
  createKey,
  getKey,
  revokeKey,
  rotateKeyOf,
  listRequests,
  getRequest,
  listAudit,
];

/** The schemas that only this document has. */
export const operatorSchemas = [
  Session,
  ServiceStatus,
  Overview,
  Maintenance,
  PlanList,
  Account,
  AccountList,
  AccountDetail,
  Key,
  KeyList,
  ExpiringKeys,
  CreatedKey,
  RequestRecord,
  RequestList,
  AuditEntry,
  AuditList,
];

/** All schemas that the operations refer to by name. */
export const operatorNamedSchemas = [ErrorObject, Usage, RotatedKey, ...operatorSchemas];
