/** Formats figures, times and codes for operators. */
import { entryOf, plainText } from '../../shared/error-catalogue.ts';
import { isLossy } from '../../shared/warning-levels.ts';
import type { RequestRecord } from './api-types.ts';

const numbers = new Intl.NumberFormat('en');
const fewDigits = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 });
const dateTimes = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
});
const dateTimesWithSeconds = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const clockTimes = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const months = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export const formatNumber = (number: number) => numbers.format(number);
/** Such as `0.733` or `12.5`. */
export const formatRate = (number: number) => fewDigits.format(number);
export const formatDateTime = (time: Date) => dateTimes.format(time);
export const formatSeconds = (time: Date) => dateTimesWithSeconds.format(time);
export const formatClock = (time: Date) => clockTimes.format(time);
/** @param month YYYY-MM */
export const formatMonth = (month: string) => months.format(new Date(`${month}-01T00:00:00Z`));
export const formatUtc = (time: Date) => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
/** Such as `1 Nov 2026, 09:00 (00:00 UTC)`, where there is nothing to point at. */
export const formatWithUtc = (time: Date) =>
  `${formatDateTime(time)} (${time.toISOString().slice(11, 16)} UTC)`;

/** Such as `0.4 ms`, `38 ms` or `1.2 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${fewDigits.format(Math.round(milliseconds * 10) / 10)} ms`;
  if (milliseconds < 999.5) return `${Math.round(milliseconds)} ms`;
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

/** Such as `2 minutes ago` or `in 3 days`. */
export function formatRelative(time: Date, now = Date.now()): string {
  const distance = time.getTime() - now;
  const size = Math.abs(distance);
  if (size < MINUTE_MS) return distance <= 0 ? 'just now' : 'in less than a minute';
  if (size < HOUR_MS) return relative.format(Math.trunc(distance / MINUTE_MS), 'minute');
  if (size < 2 * DAY_MS) return relative.format(Math.trunc(distance / HOUR_MS), 'hour');
  return relative.format(Math.trunc(distance / DAY_MS), 'day');
}

/** The last months, the running one first: YYYY-MM, UTC. */
export function lastMonths(count: number, now = new Date()): string[] {
  return Array.from({ length: count }, (_, i) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - i)).toISOString().slice(0, 7),
  );
}

/** Keys that end within so long are pointed out. */
export const SOON_DAYS = 30;

export function isSoon(time: string, now = Date.now()): boolean {
  return Date.parse(time) - now < SOON_DAYS * DAY_MS;
}

/** What became of a request, in a few words. */
export function outcomeTitle(outcome: string, warnings: readonly string[] | null = null): string {
  if (outcome === 'success') return isLossy(warnings) ? 'Success, with loss' : 'Success';
  if (outcome === 'client_left') return 'Client left';
  if (outcome === 'simulated') return 'Simulated';
  return outcome;
}

/** Of outcomes that are no error. */
const explanations: Readonly<Record<string, string>> = {
  success: 'The request succeeded.',
  client_left:
    'The client closed the connection before it had the whole answer. Often its own time limit is too short.',
  simulated: 'A test key asked for this answer, to test its program. Nothing went wrong.',
};

const windows: Readonly<Record<string, string>> = { second: 'a second', hour: 'an hour', day: 'a day' };

/** What an outcome means; empty for an unknown one. */
export function explanationOf(outcome: string): string {
  const { cause = '', operators = '' } = entryOf(outcome) ?? {};
  return explanations[outcome] ?? plainText(`${cause} ${operators}`).trim();
}

const warnings: Readonly<Record<string, string>> = {
  TEXT_MISSING: 'The PDF lacks some of the text of the document.',
  CONTENT_OMITTED: 'The PDF lacks objects that LibreOffice does not draw, such as SmartArt.',
  GLYPHS_MISSING: 'No font has some of its characters: the PDF shows boxes. Install a font for them.',
  PAGE_COUNT_DIFFERS: 'The PDF has another number of pages than Word stored in the document.',
  PAGES_CLAMPED: 'The document lacks some of the requested pages.',
  UNTAGGED: 'LibreOffice could not tag the PDF, so it was made without tags.',
  EXTERNAL_CONTENT_OMITTED: 'The document links to external content, which the PDF lacks.',
  NONCONFORMING: 'The PDF breaks rules of the PDF/A or PDF/UA that was asked for.',
  TRACKED_CHANGES_APPLIED: 'The PDF shows tracked changes as accepted.',
  TRACKED_CHANGES_OMITTED: 'The PDF shows the document before its tracked changes.',
  COMMENTS_OMITTED: 'The PDF lacks the comments of the document.',
  FONT_SUBSTITUTED: 'The server lacks a font; another font, with other widths, replaces it.',
};

/** What a warning means; empty for an unknown one. */
export const warningTextOf = (code: string): string => warnings[code] ?? '';

/** What became of a request, as a sentence for the operator. */
export function explain({ outcome, reason, environment }: RequestRecord): string {
  const window = outcome === 'RATE_LIMIT_EXCEEDED' && reason !== null ? windows[reason] : undefined;
  if (window === undefined) return explanationOf(outcome);
  return environment === 'test'
    ? `This test key’s own window of ${window} was full. No plan changes it.`
    : `The window of ${window} was full; all live keys of the account share it. A larger plan has a larger window.`;
}

/** The short form of a key, `svc_live_sk_…a1B2`, is none: the pages show it. */
const secrets = { key: /svc_(test|live)_(?!(pk|sk)_…)/, token: /platen_op_/ } as const;

/** Detects pasted secrets, which must not get into a URL: a key, or the operator's token. */
export function secretIn(text: string): keyof typeof secrets | undefined {
  if (secrets.token.test(text)) return 'token';
  return secrets.key.test(text) ? 'key' : undefined;
}

/** The last four characters of a key, if its short form is in the text: `svc_live_sk_…a1B2`, `…a1B2` or `...a1B2`. */
export function endingIn(text: string): string | undefined {
  return /(?:…|\.\.\.)([0-9A-Za-z]{4})\b/.exec(text)?.[1];
}

/** What to search for: nothing where it is a secret. */
export function searchable(text: string): string {
  return secretIn(text) ? '' : text.trim();
}
