/** Times on the command line. */
import { InvalidArgumentError } from 'commander';

/** @throws InvalidArgumentError unless it is ISO 8601 with a zone. */
export function readTime(text: string): Date {
  const time = new Date(text);
  // A date without a zone would depend on the machine.
  if (Number.isNaN(time.getTime()) || !/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(text)) {
    throw new InvalidArgumentError('Use an ISO 8601 time with its zone, such as 2030-12-31T00:00:00Z.');
  }
  // Date accepts the 31st of any month, and overflows into the next.
  const day = text.slice(0, 10);
  if (!new Date(day).toISOString().startsWith(day)) throw new InvalidArgumentError('There is no such day.');
  return time;
}
