/** The console API: every operation of its OpenAPI document, in its order. */

import type { OpenAPIV3 } from 'openapi-types';
import { Account, AccountDetail, accountOperations } from '../../operations/accounts.ts';
import { AuditEntry, AuditList, auditOperations } from '../../operations/audit.ts';
import { Contacts, contactOperations } from '../../operations/contacts.ts';
import { Conversion } from '../../operations/conversion-schema.ts';
import { AccountExport, exportOperations } from '../../operations/export.ts';
import { jobOperations, OperatorJob, OperatorJobList, OperatorJobSummary } from '../../operations/jobs.ts';
import { RotatedKey } from '../../operations/key-schema.ts';
import { CreatedKey, Key, KeyList, keyOperations } from '../../operations/keys.ts';
import {
  CreatedInvitation,
  Invitation,
  Member,
  MemberList,
  memberOperations,
} from '../../operations/members.ts';
import { OwnSession, ownOperations, Passkey, PasskeyList, SessionList } from '../../operations/own.ts';
import { RequestList, RequestRecord, requestOperations } from '../../operations/requests.ts';
import { Usage, usageOperations } from '../../operations/usage.ts';
import { webhookSchemas } from '../../operations/webhook-schema.ts';
import {
  JobDelivery,
  JobDeliveryList,
  Message,
  MessageDelivery,
  OwnWebhookList,
  webhookOperations,
} from '../../operations/webhooks.ts';
import { ErrorObject } from '../core/error-object.ts';
import { contractsAt } from '../operator/door.ts';
import { OidcStart, RegistrationOptions, SignInOptions } from '../operator/sign-in/bodies.contract.ts';
import { memberDoor } from './door.ts';
import { beginOidc, chooseAccount, logoutByIssuer, OidcChoices, signInByOidc } from './oidc.contract.ts';
import type { ConsoleOperation } from './operation.ts';
import { addPasskey, startPasskey } from './own.contract.ts';
import {
  acceptInvitation,
  beginSession,
  ConsoleSession,
  endOwnSession,
  getOwnSession,
  OpenInvitation,
  readInvitation,
  startSignIn,
} from './session.contract.ts';

export const consoleOperations: readonly ConsoleOperation[] = [
  startSignIn,
  beginSession,
  beginOidc,
  signInByOidc,
  chooseAccount,
  logoutByIssuer,
  getOwnSession,
  endOwnSession,
  readInvitation,
  acceptInvitation,
  startPasskey,
  addPasskey,
  ...contractsAt(memberDoor, ownOperations),
  ...contractsAt(memberDoor, accountOperations),
  ...contractsAt(memberDoor, exportOperations),
  ...contractsAt(memberDoor, contactOperations),
  ...contractsAt(memberDoor, usageOperations),
  ...contractsAt(memberDoor, keyOperations),
  ...contractsAt(memberDoor, requestOperations),
  ...contractsAt(memberDoor, jobOperations),
  ...contractsAt(memberDoor, webhookOperations),
  ...contractsAt(memberDoor, memberOperations),
  ...contractsAt(memberDoor, auditOperations),
];

/** The schemas that only the console and the operator have. */
export const consoleSchemas = [
  ConsoleSession,
  SignInOptions,
  OidcStart,
  OidcChoices,
  RegistrationOptions,
  OpenInvitation,
  Passkey,
  PasskeyList,
  OwnSession,
  SessionList,
  Account,
  AccountDetail,
  AccountExport,
  Contacts,
  Key,
  KeyList,
  CreatedKey,
  RequestRecord,
  RequestList,
  OperatorJobSummary,
  OperatorJob,
  OperatorJobList,
  OwnWebhookList,
  JobDelivery,
  JobDeliveryList,
  MessageDelivery,
  Message,
  Member,
  Invitation,
  MemberList,
  CreatedInvitation,
  AuditEntry,
  AuditList,
];

/** All schemas that the operations refer to by name. */
export const consoleNamedSchemas = [
  ErrorObject,
  Usage,
  RotatedKey,
  Conversion,
  ...webhookSchemas,
  ...consoleSchemas,
];

export const consoleTags: OpenAPIV3.TagObject[] = [
  { name: 'session', description: 'Signing in and out, passkeys and sessions.' },
  { name: 'account', description: 'What the account may use, and has used.' },
  { name: 'keys', description: 'API keys.' },
  { name: 'requests', description: 'Recent requests with keys, and their responses.' },
  { name: 'jobs', description: 'Jobs, without the names of their files.' },
  { name: 'webhooks', description: 'Who is told what happens.' },
  { name: 'members', description: 'Who may sign in.' },
  { name: 'audit', description: 'Who did what, and when.' },
];
