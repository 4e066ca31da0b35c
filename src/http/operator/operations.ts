/** The operator API: every operation of its OpenAPI document, in its order. */

import {
  Account,
  AccountDetail,
  AccountList,
  accountOperations,
  PlanList,
} from '../../operations/accounts.ts';
import { AuditEntry, AuditList, auditOperations } from '../../operations/audit.ts';
import { Contacts, contactOperations } from '../../operations/contacts.ts';
import { AccountExport, exportOperations } from '../../operations/export.ts';
import { jobOperations, OperatorJob, OperatorJobList, OperatorJobSummary } from '../../operations/jobs.ts';
import { RotatedKey } from '../../operations/key-schema.ts';
import { CreatedKey, ExpiringKeys, Key, KeyList, KeyMatches, keyOperations } from '../../operations/keys.ts';
import {
  CreatedInvitation,
  Invitation,
  Member,
  MemberList,
  memberOperations,
} from '../../operations/members.ts';
import {
  CreatedOperatorInvitation,
  OperatorInvitation,
  OperatorList,
  OperatorPerson,
  operatorPersonOperations,
} from '../../operations/operators.ts';
import { OwnSession, ownOperations, Passkey, PasskeyList, SessionList } from '../../operations/own.ts';
import { RequestList, RequestRecord, requestOperations } from '../../operations/requests.ts';
import { BannerState, Maintenance, serviceOperations } from '../../operations/service.ts';
import { Usage, usageOperations } from '../../operations/usage.ts';
import { OperatorWebhook, OperatorWebhookList, webhookOperations } from '../../operations/webhooks.ts';
import { ErrorObject } from '../core/error-object.ts';
import { contractsAt, operatorDoor } from './door.ts';
import type { OperatorOperation } from './operation.ts';
import { addOperatorPasskey, startOperatorPasskey } from './own.contract.ts';
import { getEvents, getOperatorHealth, getOverview, Overview } from './service.contract.ts';
import { getSession, Session, signIn, signOut } from './session.contract.ts';
import { OidcStart, RegistrationOptions, SignInOptions } from './sign-in/bodies.contract.ts';
import {
  acceptOperatorInvitation,
  beginOperatorOidc,
  beginOperatorSession,
  OpenOperatorInvitation,
  readOperatorInvitation,
  signInOperatorByOidc,
  startOperatorSignIn,
} from './sign-in.contract.ts';
import { ServerSummary, ServiceStatus } from './status.contract.ts';

export const operatorOperations: readonly OperatorOperation[] = [
  signIn,
  getSession,
  signOut,
  startOperatorSignIn,
  beginOperatorSession,
  beginOperatorOidc,
  signInOperatorByOidc,
  readOperatorInvitation,
  acceptOperatorInvitation,
  startOperatorPasskey,
  addOperatorPasskey,
  ...contractsAt(operatorDoor, ownOperations),
  ...contractsAt(operatorDoor, operatorPersonOperations),
  getOverview,
  getEvents,
  getOperatorHealth,
  ...contractsAt(operatorDoor, serviceOperations),
  ...contractsAt(operatorDoor, accountOperations),
  ...contractsAt(operatorDoor, exportOperations),
  ...contractsAt(operatorDoor, usageOperations),
  ...contractsAt(operatorDoor, contactOperations),
  ...contractsAt(operatorDoor, memberOperations),
  ...contractsAt(operatorDoor, keyOperations),
  ...contractsAt(operatorDoor, requestOperations),
  ...contractsAt(operatorDoor, jobOperations),
  ...contractsAt(operatorDoor, webhookOperations),
  ...contractsAt(operatorDoor, auditOperations),
];

/** Schemas that only this document has. */
export const operatorSchemas = [
  Session,
  OperatorPerson,
  OperatorInvitation,
  OperatorList,
  CreatedOperatorInvitation,
  OpenOperatorInvitation,
  SignInOptions,
  RegistrationOptions,
  OidcStart,
  Passkey,
  PasskeyList,
  OwnSession,
  SessionList,
  ServiceStatus,
  ServerSummary,
  Overview,
  Maintenance,
  BannerState,
  PlanList,
  Account,
  AccountList,
  AccountDetail,
  AccountExport,
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

/** Schemas that the operations refer to by name. */
export const operatorNamedSchemas = [ErrorObject, Usage, RotatedKey, ...operatorSchemas];
