/** Parameters and bodies that do not fit their schema, and what their client reads: what to send instead. */
import type { FastifyError, FastifyServerOptions } from 'fastify';

/** What {@link describeMismatch} needs of the validator. */
export const validation: NonNullable<FastifyServerOptions['ajv']> = {
  customOptions: {
    // null, "60" and true are no numbers: an overlap that is read as 0 would end a key at once.
    coerceTypes: false,
    removeAdditional: false,
    // Errors come with their schema.
    verbose: true,
  },
};

/** What of a schema says which values fit. */
interface Expectation {
  readonly type?: string;
  readonly enum?: readonly string[];
  /** What fits, in words: of a schema whose errors are told to clients. */
  readonly title?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, unknown>>;
}

/** A sentence that says which value was expected where, and shows nothing of the one that came. */
export function describeMismatch({ validation: issues, validationContext }: FastifyError): string {
  const [issue] = issues ?? [];
  if (!issue) return 'A parameter has a value that is not supported.';
  const { instancePath, keyword, params } = issue;
  const schema = (issue as { parentSchema?: Expectation }).parentSchema ?? {};
  if (keyword === 'additionalProperties') {
    const known = Object.keys(schema.properties ?? {});
    return `The body has a field that is not known. It may have: ${known.join(', ')}.`;
  }
  if (validationContext === 'body' && instancePath === '') {
    return 'The body must be a JSON object, or left out.';
  }
  const subject = subjectOf(validationContext, instancePath.slice(1));
  if (keyword === 'required') return `${subject}${params.missingProperty} is missing. Add it.`;
  // Of a parameter that is given twice, the value is a list.
  if (validationContext === 'querystring' && keyword === 'type' && schema.type !== 'integer') {
    return `${subject} must be given once, or left out.`;
  }
  return `${subject} must be ${expected(schema)}, or left out.`;
}

function subjectOf(context: string | undefined, path: string): string {
  const name = path.replaceAll('/', '.');
  return context === 'headers' ? `The header ${name}` : name;
}

function expected(schema: Expectation): string {
  const { type, enum: values, title, minimum, maximum, minLength = 0, maxLength } = schema;
  if (values) return `"${values.join('" or "')}"`;
  if (type === 'integer' && minimum !== undefined && maximum !== undefined) {
    return `a whole number from ${minimum} to ${maximum}`;
  }
  if (type === 'integer') return 'a whole number';
  if (title !== undefined) return title;
  if (maxLength !== undefined) return `a text of ${minLength} to ${maxLength} characters`;
  return 'a value that the OpenAPI document allows';
}
