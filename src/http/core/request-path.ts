/** The path of a request as sent, not decoded. */

/** @param target in origin form or absolute form (RFC 9112, section 3.2). */
export function pathOf(target: string): string {
  return target.replace(/^https?:\/\/[^/?#]*/i, '').replace(/\?.*$/s, '');
}

/** Whether a path is this one or below it. */
export function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(`${root}/`);
}
