/** The codes of warnings, and how much each matters to the reader of a PDF. Pages read it as well, so it imports nothing. */

export const warningLevels = ['loss', 'note'] as const;
/** Whether the reader of the PDF lacks something that the document shows, or should only know something. */
export type WarningLevel = (typeof warningLevels)[number];

const levels = {
  TEXT_MISSING: 'loss',
  CONTENT_OMITTED: 'loss',
  GLYPHS_MISSING: 'loss',
  EXTERNAL_CONTENT_OMITTED: 'loss',
  NONCONFORMING: 'loss',
  PAGE_COUNT_DIFFERS: 'note',
  PAGES_CLAMPED: 'note',
  UNTAGGED: 'note',
  TRACKED_CHANGES_APPLIED: 'note',
  TRACKED_CHANGES_OMITTED: 'note',
  COMMENTS_OMITTED: 'note',
  FONT_SUBSTITUTED: 'note',
} as const satisfies Record<string, WarningLevel>;

export type WarningCode = keyof typeof levels;

/** In the order of the warnings. */
export const warningCodes = Object.keys(levels) as WarningCode[];

/** `note` for a code of a later version. */
export function levelOf(code: string): WarningLevel {
  return Object.hasOwn(levels, code) ? levels[code as WarningCode] : 'note';
}

/** Whether a PDF with these warnings lacks something. */
export function isLossy(codes: readonly string[] | null): boolean {
  return codes?.some((code) => levelOf(code) === 'loss') ?? false;
}
