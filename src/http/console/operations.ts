/** The console API: every operation of its OpenAPI document, in its order. */
import type { OpenAPIV3 } from 'openapi-types';
import { operations } from '../../operations/operations.ts';
import { contractsAt } from '../operator/door.ts';
import { memberDoor } from './door.ts';
import { beginOidc, chooseAccount, logoutByIssuer, signInByOidc } from './oidc.contract.ts';
import type { ConsoleOperation } from './operation.ts';
import { addPasskey, startPasskey } from './own.contract.ts';
import {
  acceptInvitation,
  beginSession,
  endOwnSession,
  getOwnSession,
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
  ...contractsAt(memberDoor, operations),
];

export const consoleTags: OpenAPIV3.TagObject[] = [
  { name: 'session', description: 'Signing in and out, passkeys and sessions.' },
  { name: 'account', description: 'What the account may use, and has used.' },
  { name: 'keys', description: 'API keys.' },
  { name: 'requests', description: 'Recent requests with keys, and their responses.' },
  { name: 'jobs', description: 'Jobs, without the names of their files.' },
  { name: 'webhooks', description: 'Endpoints that get messages, and these messages.' },
  { name: 'members', description: 'Who may sign in.' },
  { name: 'audit', description: 'Who did what, and when.' },
];
