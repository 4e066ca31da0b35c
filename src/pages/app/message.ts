/** Translates messages for programs into messages for people. */
import { formatWait } from '../format.ts';

/** A header and a field that people never see. */
const FOR_PROGRAMS = /\b(Retry-After|retryAfter)\b/;

/**
 * The message of an error. A reference to the header with the waiting time is replaced by the time.
 *
 * @param retryAfter the header of the answer; null where it has none.
 */
export function messageForPeople(message: string, retryAfter: string | null): string {
  const sentences = message.split(/(?<=\.) /);
  const others = sentences.filter((sentence) => !FOR_PROGRAMS.test(sentence));
  if (others.length === sentences.length) return message;
  const seconds = Number(retryAfter);
  const when = retryAfter !== null && seconds > 0 ? `in ${formatWait(seconds)}` : 'in a moment';
  return [...others, `Try again ${when}.`].join(' ');
}
