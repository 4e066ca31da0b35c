/** Messages for parameters and bodies that do not match their schema: what to send instead. */
import type { AnySchemaObject, ErrorObject, ValidateFunction } from 'ajv';
import { closest } from 'fastest-levenshtein';
import type { FastifyError, FastifyServerOptions } from 'fastify';

/** Characters of an unknown name that are repeated to the client. */
const MAX_SHOWN = 40;
/** What other services call a key in an address. */
const KEY_NAME = /^(?:(?:api[-_]?)?key|(?:access[-_]?)?token|authorization)$/i;

/** Options of the validator for {@link describeMismatch}. */
export const validation: NonNullable<FastifyServerOptions['ajv']> = {
  customOptions: {
    // No coercion: null, "60" and true are not numbers, and an overlap read as 0 would end a key at once.
    coerceTypes: false,
    removeAdditional: false,
    // Errors include their schema.
    verbose: true,
    // They are checked as parts of the OpenAPI documents, by the tests: at start it would take as long as compiling them.
    validateSchema: false,
  },
  // A schema is compiled for the first request that needs it: most servers never need most of them, and a start need not wait.
  onCreate(ajv) {
    const compile = ajv.compile.bind(ajv);
    ajv.compile = ((schema: AnySchemaObject) => {
      let compiled: ValidateFunction | undefined;
      const validate = (data: unknown) => {
        compiled ??= compile(schema);
        const isValid = compiled(data);
        const errors = compiled.errors?.map((error) => ({ ...error, isRequired: isRequired(schema, error) }));
        Object.assign(validate, { errors });
        return isValid;
      };
      return validate;
    }) as typeof ajv.compile;
  },
};

/** Whether the value that an error is about cannot be left out, by the path to its schema, such as `#/properties/url/type`. */
function isRequired(root: AnySchemaObject, { schemaPath }: ErrorObject): boolean {
  // The last name is the keyword that failed.
  const names = schemaPath.split('/').slice(1, -1).map(decodeURIComponent);
  if (names.length === 0) return root.required?.length > 0;
  let schema: AnySchemaObject | undefined = root;
  for (const name of names.slice(0, -2)) schema = schema?.[name];
  return names.at(-2) === 'properties' && schema?.required?.includes(names.at(-1)) === true;
}

/** The part of a schema that says which values are valid. */
interface Expectation {
  readonly type?: string;
  readonly enum?: readonly string[];
  /** Describes the valid values of a schema in words. */
  readonly title?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** What Ajv adds to an error, and {@link validation}. */
interface Issue {
  readonly parentSchema: Expectation;
  readonly isRequired: boolean;
}

/** A sentence that says what was expected where, without showing the received value. */
export function describeMismatch({ validation: issues, validationContext }: FastifyError): string {
  const [issue] = issues ?? [];
  if (!issue) return 'A parameter has a value that is not supported.';
  const { instancePath, keyword, params } = issue;
  const { parentSchema: schema = {}, isRequired: isNeeded } = issue as Partial<Issue>;
  const end = isNeeded ? '.' : ', or left out.';
  if (keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {});
    if (validationContext === 'querystring')
      return unknownParameter(String(params.additionalProperty), known);
    return `The body has a field that is not known. It may have: ${known.join(', ')}.`;
  }
  if (validationContext === 'body' && instancePath === '' && keyword !== 'required') {
    return `The body must be a JSON object${end}`;
  }
  const subject = subjectOf(validationContext, instancePath.slice(1));
  if (keyword === 'required') {
    const dot = subject === '' || validationContext === 'headers' ? '' : '.';
    return `${subject}${dot}${params.missingProperty} is missing. Add it.`;
  }
  // Of a parameter that is given twice, the value is a list.
  if (validationContext === 'querystring' && keyword === 'type' && schema.type === 'string') {
    return `${subject} must be given once${end}`;
  }
  return `${subject} must be ${expected(schema)}${end}`;
}

/** A misspelt option must not be ignored. */
function unknownParameter(name: string, known: readonly string[]): string {
  const shown = JSON.stringify(name.slice(0, MAX_SHOWN));
  if (KEY_NAME.test(name)) {
    return `A key does not go into the address, which many programs log. Send it as "Authorization: Bearer svc_…", without ${shown}.`;
  }
  return `There is no parameter ${shown} here. The nearest is ${closest(name.slice(0, MAX_SHOWN), known)}; there are: ${known.join(', ')}.`;
}

function subjectOf(context: string | undefined, path: string): string {
  const name = path.replaceAll('/', '.');
  return context === 'headers' ? `The header ${name}` : name;
}

function expected(schema: Expectation): string {
  const { type, enum: values, title, minimum, maximum, minLength = 0, maxLength } = schema;
  if (type === 'boolean') return 'true or false';
  if (type === 'integer' && values) return values.join(' or ');
  if (values) return `"${values.join('" or "')}"`;
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return `a whole number from ${minimum} to ${maximum}`;
  }
  if (type === 'integer') return 'a whole number';
  if (title !== undefined) return title;
  if (maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
  return 'a value that the OpenAPI document allows';
}
