/** The header `X-Conversion-Warnings`: a List of Tokens with Parameters (RFC 9651, 3.1). */
import { DisplayString, type Item, serializeItem, Token } from 'structured-headers';
import type { Warning } from '../../convert/report/warnings.ts';

export const WARNINGS_HEADER = 'x-conversion-warnings';
/** What proxies and clients take beside all other headers. */
export const MAX_WARNINGS_BYTES = 2_048;
/** Stands for the warnings that do not fit. */
export const MORE_WARNINGS = 'MORE_WARNINGS';
const SEPARATOR = ', ';
/** `MORE_WARNINGS;count=…` and what separates it. */
const RESERVED = 32;

/** The value of the header; undefined where there are no warnings. */
export function warningsHeader(warnings: readonly Warning[]): string | undefined {
  if (warnings.length === 0) return undefined;
  const members: string[] = [];
  let bytes = 0;
  for (const warning of warnings) {
    const member = serializeItem(itemOf(warning));
    bytes += member.length + SEPARATOR.length;
    if (bytes > MAX_WARNINGS_BYTES - RESERVED) {
      const count = warnings.length - members.length;
      members.push(serializeItem([new Token(MORE_WARNINGS), new Map([['count', count]])]));
      break;
    }
    members.push(member);
  }
  return members.join(SEPARATOR);
}

function itemOf({ code, percent, kind, pages, wordPages, count, scripts, font, by }: Warning): Item {
  const parameters = Object.entries({
    percent,
    kind: kind === undefined ? undefined : new Token(kind),
    pages,
    'word-pages': wordPages,
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
