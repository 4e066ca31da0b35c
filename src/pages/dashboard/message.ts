/** What the service says to programs, for people. */
import { formatWait } from '../format.ts';

/** Names of a header and of a field, which a person never sees. */
const FOR_PROGRAMS = /\b(Retry-After|retryAfter)\b/;

/**
 * The message of an error: a sentence that tells a program where it finds how long to wait says how long that is.
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
