/** What customers do about an outcome of a request. */
import { entryOf, plainText } from '../../shared/error-catalogue.ts';

/** Of outcomes that are no error. */
const advice: Readonly<Record<string, string>> = {
  success: 'The PDF was delivered.',
  client_left:
    'Your program closed the connection before it had the whole answer. Let it wait for 180 seconds.',
  simulated: 'A test key asked for this answer. Nothing went wrong.',
};

export const adviceOn = (outcome: string): string =>
  advice[outcome] ?? plainText(entryOf(outcome)?.advice ?? '');

/** What the guide says about an error. */
export const guideUrlOf = (code: string): string => `/v1/docs/guide/errors#${code.toLowerCase()}`;

/** Whether an outcome is the code of an error. */
export const isCode = (outcome: string): boolean => /^[A-Z_]+$/.test(outcome);
