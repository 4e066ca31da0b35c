/** The operator API: every operation of its OpenAPI document, in its order. */

import { RotatedKey } from '../account/rotate.contract.ts';
import { Usage } from '../account/usage.contract.ts';
import { ErrorObject } from '../core/error-object.ts';
import {
  Account,
  AccountDetail,
  AccountList,
  createAccount,
  deleteAccount,
  getAccount,
  getAccountUsage,
  getLedger,
  listAccounts,
  listPlans,
  PlanList,
  removeLimit,
  renameAccount,
  restoreAccount,
  resumeAccount,
  setLimit,
  setPlan,
  suspendAccount,
} from './accounts.contract.ts';
import { AuditEntry, AuditList, exportAudit, listAudit } from './audit.contract.ts';
import { BannerState, getBanner, removeBanner, setBanner } from './banner.contract.ts';
import { Contacts, getContactsOf, setContactsOf } from './contacts.contract.ts';
import {
  cancelJobOf,
  getJobOf,
  listJobsOf,
  OperatorJob,
  OperatorJobList,
  OperatorJobSummary,
} from './jobs.contract.ts';
import {
  CreatedKey,
  changeKey,
  createKey,
  ExpiringKeys,
  findKeys,
  getKey,
  Key,
  KeyList,
  KeyMatches,
  listExpiringKeys,
  listKeys,
  revokeKey,
  rotateKeyOf,
} from './keys.contract.ts';
import {
  CreatedInvitation,
  Invitation,
  inviteMemberAgain,
  inviteMemberTo,
  listMembersOf,
  Member,
  MemberList,
  removeMemberOf,
  setMemberRole,
  withdrawInvitationOf,
} from './members.contract.ts';
import type { OperatorOperation } from './operation.ts';
import { getRequest, listRequests, RequestList, RequestRecord } from './requests.contract.ts';
import {
  getEvents,
  getMaintenance,
  getOperatorHealth,
  getOverview,
  Maintenance,
  Overview,
  setMaintenance,
} from './service.contract.ts';
import { getSession, Session, signIn, signOut } from './session.contract.ts';
import { ServerSummary, ServiceStatus } from './status.contract.ts';
import {
  disableWebhookOf,
  listWebhooksOf,
  OperatorWebhook,
  OperatorWebhookList,
} from './webhooks.contract.ts';

export const operatorOperations: readonly OperatorOperation[] = [
  signIn,
  getSession,
  signOut,
  getOverview,
  getEvents,
  getOperatorHealth,
  getMaintenance,
  setMaintenance,
  getBanner,
  setBanner,
  removeBanner,
  listPlans,
  listAccounts,
  createAccount,
  getAccount,
  renameAccount,
  setPlan,
  setLimit,
  removeLimit,
  suspendAccount,
  resumeAccount,
  deleteAccount,
  restoreAccount,
  getAccountUsage,
  getLedger,
  getContactsOf,
  setContactsOf,
  listMembersOf,
  inviteMemberTo,
  withdrawInvitationOf,
  inviteMemberAgain,
  setMemberRole,
  removeMemberOf,
  listKeys,
  findKeys,
  listExpiringKeys,
  createKey,
  getKey,
  changeKey,
  revokeKey,
  rotateKeyOf,
  listRequests,
  getRequest,
  listJobsOf,
  getJobOf,
  cancelJobOf,
  listWebhooksOf,
  disableWebhookOf,
  listAudit,
  exportAudit,
];

/** The schemas that only this document has. */
export const operatorSchemas = [
  Session,
  ServiceStatus,
  ServerSummary,
  Overview,
  Maintenance,
  BannerState,
  PlanList,
  Account,
  AccountList,
  AccountDetail,
  Contacts,
  Member,
  Invitation,
  MemberList,
  CreatedInvitation,
  Key,
  KeyList,
  KeyMatches,
  ExpiringKeys,
  CreatedKey,
  RequestRecord,
  RequestList,
  OperatorJobSummary,
  OperatorJob,
  OperatorJobList,
  OperatorWebhook,
  OperatorWebhookList,
  AuditEntry,
  AuditList,
];

/** All schemas that the operations refer to by name. */
export const operatorNamedSchemas = [ErrorObject, Usage, RotatedKey, ...operatorSchemas];
