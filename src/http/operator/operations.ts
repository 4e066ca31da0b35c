/** The operator API: every operation of its OpenAPI document, in its order. */
import { operations } from '../../operations/operations.ts';
import { contractsAt, operatorDoor } from './door.ts';
import type { OperatorOperation } from './operation.ts';
import { addOperatorPasskey, startOperatorPasskey } from './own.contract.ts';
import { getEvents, getOperatorHealth, getOverview } from './service.contract.ts';
import { getSession, signIn, signOut } from './session.contract.ts';
import {
  acceptOperatorInvitation,
  beginOperatorOidc,
  beginOperatorSession,
  readOperatorInvitation,
  signInOperatorByOidc,
  startOperatorSignIn,
} from './sign-in.contract.ts';

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
  getOverview,
  getEvents,
  getOperatorHealth,
  ...contractsAt(operatorDoor, operations),
];
