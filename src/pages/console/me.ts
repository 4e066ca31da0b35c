/** Who is signed in, and what their role allows. */
import type { ConsoleSession } from '../app/api-types.ts';

export interface Me {
  readonly id: string;
  /** @param operation its `operationId`. */
  may(operation: string): boolean;
}

export function meOf({ member, may }: ConsoleSession): Me {
  return { id: member.id, may: (operation) => may.includes(operation) };
}
