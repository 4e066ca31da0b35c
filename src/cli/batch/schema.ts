/** Schemas of what commands are asked, and what is wrong with a value, in the words of the service. */
import { closest } from 'fastest-levenshtein';
import { type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';
import { PlatenError } from '../../errors.ts';
import { options, pageNumbers } from '../../http/conversion/options.contract.ts';
import { describeMismatch } from '../../http/core/validation.ts';

/** Characters of an unknown name that are repeated. */
const MAX_SHOWN = 40;

/** The options of the API, and nothing else. */
export const optionsSchema = Type.Object({ ...options, pageNumbers }, { additionalProperties: false });

/** What is read of a schema. */
interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** @throws PlatenError `INVALID_PARAMETER` if the value does not match the schema. */
export function assertMatches(schema: TSchema, value: unknown): void {
  // An unknown property has two errors; that of the schema `false` says less.
  const issue = Value.Errors(schema, value).find(({ keyword }) => keyword !== 'boolean');
  if (!issue) return;
  const { schemaPath, keyword, params } = issue;
  const names = schemaPath.split('/').slice(1);
  const parentSchema = at(schema, names);
  if (keyword === 'additionalProperties') {
    const known = Object.keys(parentSchema.properties ?? {});
    throw invalid(unknownName(String(params.additionalProperties[0]), known));
  }
  const isRequired = at(schema, names.slice(0, -2)).required?.includes(String(names.at(-1))) === true;
  const missingProperty = keyword === 'required' ? params.requiredProperties[0] : undefined;
  const mismatch = {
    validation: [{ ...issue, parentSchema, isRequired, params: { ...params, missingProperty } }],
  };
  throw invalid(describeMismatch(mismatch as unknown as Parameters<typeof describeMismatch>[0]));
}

/** The part of a schema at a path. */
function at(schema: TSchema, names: readonly string[]): Schema {
  let part: unknown = schema;
  for (const name of names) part = (part as Readonly<Record<string, unknown>>)[name];
  return part as Schema;
}

function unknownName(name: string, known: readonly string[]): string {
  const shown = name.slice(0, MAX_SHOWN);
  if (known.length === 0) return `There is no ${JSON.stringify(shown)} here; nothing is expected.`;
  return `There is no ${JSON.stringify(shown)} here. The nearest is ${closest(shown, known)}; there are: ${known.join(', ')}.`;
}

const invalid = (message: string): PlatenError => new PlatenError('INVALID_PARAMETER', { message });
