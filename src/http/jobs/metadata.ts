/** The client's own data about a job: a few short texts. */
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { PlatenError } from '../../errors.ts';

const MAX_ENTRIES = 16;
const MAX_KEY = 40;
const MAX_VALUE = 200;

export const METADATA_RULE =
  `a JSON object with up to ${MAX_ENTRIES} texts of up to ${MAX_VALUE} characters, under names of up to ${MAX_KEY} letters, ` +
  'digits, "_", "-" and "."';

const schema = Compile(
  Type.Record(Type.String({ pattern: `^[\\w.-]{1,${MAX_KEY}}$` }), Type.String({ maxLength: MAX_VALUE }), {
    maxProperties: MAX_ENTRIES,
    additionalProperties: false,
  }),
);

/** @throws PlatenError `INVALID_PARAMETER` */
export function parseMetadata(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Refused below.
  }
  return checkedMetadata(value);
}

/** @throws PlatenError `INVALID_PARAMETER` */
export function checkedMetadata(value: unknown): Record<string, string> {
  // Its values are put into an answer by name.
  if (schema.Check(value) && !Object.hasOwn(value, '__proto__')) return value;
  throw new PlatenError('INVALID_PARAMETER', { message: `metadata must be ${METADATA_RULE}.` });
}
