/** The header `X-Conversion-Warnings`: a List of Tokens with Parameters (RFC 9651, 3.1). */
import { DisplayString, type Item, parseList, serializeItem, Token } from 'structured-headers';
import { type DescribedWarning, messageOf } from '../../convert/report/warning-messages.ts';
import type { Warning } from '../../convert/report/warnings.ts';
import { levelOf, warningCodes } from '../../shared/warning-levels.ts';

export const WARNINGS_HEADER = 'x-conversion-warnings';
/** What proxies and clients take beside all other headers. */
export const MAX_WARNINGS_BYTES = 2_048;
/** Stands for the warnings that do not fit. */
const MORE_WARNINGS = 'MORE_WARNINGS';
const SEPARATOR = ', ';
/** `MORE_WARNINGS;count=…` and what separates it. */
const RESERVED = 32;

/** The value of the header; undefined where there are no warnings. @param more how many there are besides. */
export function warningsHeader(warnings: readonly Warning[], more = 0): string | undefined {
  if (warnings.length === 0) return undefined;
  const members: string[] = [];
  let bytes = 0;
  for (const warning of warnings) {
    const member = serializeItem(itemOf(warning));
    bytes += member.length + SEPARATOR.length;
    if (bytes > MAX_WARNINGS_BYTES - RESERVED) break;
    members.push(member);
  }
  const count = warnings.length - members.length + more;
  if (count > 0) members.push(serializeItem([new Token(MORE_WARNINGS), new Map([['count', count]])]));
  return members.join(SEPARATOR);
}

function itemOf({
  code,
  file,
  percent,
  kind,
  pages,
  wordPages,
  standard,
  count,
  scripts,
  font,
  by,
}: Warning): Item {
  const parameters = Object.entries({
    file,
    percent,
    kind: kind === undefined ? undefined : new Token(kind),
    pages,
    'word-pages': wordPages,
    standard,
    count,
    scripts: scripts?.join(' '),
    font: font === undefined ? undefined : text(font),
    by: by === undefined ? undefined : text(by),
  }).filter((entry): entry is [string, NonNullable<(typeof entry)[1]>] => entry[1] !== undefined);
  return [new Token(code), new Map(parameters)];
}

/** A String where it can be one, else a Display String (3.3.3, 3.3.8). */
function text(value: string): string | DisplayString {
  return /^[\x20-\x7e]*$/.test(value) ? value : new DisplayString(value);
}

/** A warning by any version. */
export interface ReadWarning extends Omit<Partial<DescribedWarning>, 'code'> {
  readonly code: string;
  readonly level: DescribedWarning['level'];
  readonly message: string;
}

/**
 * The warnings that a header names, with their texts; those of a later version have none.
 *
 * @returns none where the header is not well formed.
 */
export function readWarningsHeader(header: string): ReadWarning[] {
  let list: ReturnType<typeof parseList>;
  try {
    list = parseList(header);
  } catch {
    return [];
  }
  return list.map(([name, parameters]) => {
    const { scripts, ...others } = Object.fromEntries(
      [...parameters].map(([key, value]) => [
        key === 'word-pages' ? 'wordPages' : key,
        typeof value === 'number' ? value : String(value),
      ]),
    );
    const code = String(name);
    const details = { ...others, ...(scripts !== undefined && { scripts: String(scripts).split(' ') }) };
    return { ...details, code, level: levelOf(code), message: warningText({ ...details, code }) };
  });
}

/** The text of a warning by any version; its code, if this version knows none. */
export function warningText(details: Pick<ReadWarning, 'code'>): string {
  const warning = details as Warning;
  if (!warningCodes.includes(warning.code)) return warning.code;
  try {
    return messageOf(warning);
  } catch {
    // A later version may have other kinds of contents.
    return warning.code;
  }
}
