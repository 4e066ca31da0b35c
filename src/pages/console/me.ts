/** Who is signed in, and what their role and their account allow. */
import type { ConsoleSession } from '../app/api-types.ts';

export interface Me {
  readonly id: string;
  /** Whether the account is suspended or will be deleted: then it can be read only. */
  readonly isHeld: boolean;
  /** @param operation its `operationId`. */
  may(operation: string): boolean;
}

export function meOf({ account, member, may }: ConsoleSession): Me {
  const isHeld = account.suspendedAt !== null || account.deletesAt !== null;
  return { id: member.id, isHeld, may: (operation) => may.includes(operation) };
}
