/** Translates messages for programs into messages for people. */
import { formatWait } from '../format.ts';

/** A header and a field that people never see. */
const FOR_PROGRAMS = /\b(Retry-After|retryAfter)\b/;

/**
 * The message of an error. A reference to the header with the waiting time is replaced by the time.
 *
 * @param retryAfter seconds; undefined where the answer does not say it.
 */
export function messageForPeople(message: string, retryAfter: number | undefined): string {
  const sentences = message.split(/(?<=\.) /);
  const others = sentences.filter((sentence) => !FOR_PROGRAMS.test(sentence));
  if (others.length === sentences.length) return message;
  const when = retryAfter === undefined ? 'in a moment' : `in ${formatWait(retryAfter)}`;
  return [...others, `Try again ${when}.`].join(' ');
}
