/** Keys that had better be rotated. */
import type { Key } from '../app/api-types.ts';

/** Age of a key that is pointed out. */
export const OLD_DAYS = 90;
const DAY_MS = 86_400_000;

export function isOld({ state, createdAt, successor }: Key, now = Date.now()): boolean {
  return state === 'valid' && successor === null && now - Date.parse(createdAt) > OLD_DAYS * DAY_MS;
}
