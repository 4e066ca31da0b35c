/** The header `Platen-Simulate` of several files: errors that some of them are to have, to test clients. */
import type { FastifyRequest } from 'fastify';
import { PlatenError } from '../../errors.ts';
import { type SimulatedFileError, simulatedFileErrors } from '../../jobs/job.ts';

/** One error for all files, or errors of files by their numbers. */
const VALUE = /^([A-Z_]+|[1-9]\d{0,2}=[A-Z_]+(, *[1-9]\d{0,2}=[A-Z_]+){0,99})$/;

/** The error that a file is to have, by its number from 1; undefined: it is converted. */
type FileSimulation = (number: number) => SimulatedFileError | undefined;

/** Whether the header is of files by their numbers. */
export const isOfFiles = (value: string | string[]): boolean => value.includes('=');

/** @throws PlatenError `INVALID_PARAMETER` with a live key, or if it is malformed. */
export function readFileSimulation({ headers, state }: FastifyRequest): FileSimulation {
  const value = headers['platen-simulate'];
  if (value === undefined) return () => undefined;
  if (state.key?.environment !== 'test') {
    throw mistake('needs a test key. Leave the header out, or use a key that begins with svc_test_.');
  }
  const text = String(value);
  if (!VALUE.test(text)) {
    throw mistake(
      'must be a code of an error, such as CONVERSION_FAILED, or errors of files, such as 2=CONVERSION_FAILED.',
    );
  }
  if (!isOfFiles(text)) {
    const code = errorOf(text);
    return () => code;
  }
  const byNumber = new Map<number, SimulatedFileError>();
  for (const each of text.split(/, */)) {
    const [number, code = ''] = each.split('=');
    if (byNumber.has(Number(number))) throw mistake(`names file ${number} twice.`);
    byNumber.set(Number(number), errorOf(code));
  }
  return (number) => byNumber.get(number);
}

function errorOf(code: string): SimulatedFileError {
  const known = simulatedFileErrors.find((each) => each === code);
  if (known === undefined) throw mistake(`can be one of ${simulatedFileErrors.join(', ')} for files.`);
  return known;
}

const mistake = (what: string) =>
  new PlatenError('INVALID_PARAMETER', { message: `Platen-Simulate ${what}` });
