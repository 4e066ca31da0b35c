/** Versions of LibreOffice: the year and the month, 2 or 8, which as one number stand in their order. */

/**
 * Whether a LibreOffice is this version or a later one.
 *
 * @param libreOffice its version, such as `26.8.2.2`; undefined where it is not known: it is taken for the oldest that runs.
 * @param version such as 26.8.
 */
export function isSince(libreOffice: string | undefined, version: number): boolean {
  return Number.parseFloat(libreOffice ?? '0') >= version;
}
