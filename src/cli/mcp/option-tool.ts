/** The tool that lists the options of a conversion. */
import { type TSchema, Type } from 'typebox';
import { plainText } from '../../shared/error-catalogue.ts';
import { withoutPlans } from '../batch/option-flags.ts';
import { pdfOptionsSchema } from './pdf-options.ts';
import type { Tool } from './tool.ts';

const inputSchema = Type.Object({}, { additionalProperties: false });

const outputSchema = Type.Object({
  options: Type.Array(
    Type.Object({
      name: Type.String(),
      values: Type.String({ description: 'Its values in words.' }),
      description: Type.String(),
    }),
  ),
});

/** What is read of the schema of an option. */
interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly title?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

const list = Object.entries(pdfOptionsSchema.properties as Readonly<Record<string, TSchema>>).map(
  ([name, schema]) => ({
    name,
    values: valuesOf(schema),
    description: plainText(withoutPlans((schema as Schema).description ?? '')),
  }),
);

export const optionTool: Tool<typeof inputSchema> = {
  name: 'list_options',
  title: 'List the options of a conversion',
  description: 'Lists what convert_document takes as options: their names, values and meanings.',
  input: inputSchema,
  output: outputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run() {
    const lines = list.map(({ name, values, description }) => `- ${name} (${values}): ${description}`);
    return { text: lines.join('\n'), data: { options: list } };
  },
};

function valuesOf({ type, enum: values, title, minimum, maximum }: Schema): string {
  if (values) return values.join(', ');
  if (type === 'boolean') return 'true, false';
  return title ?? `a whole number from ${minimum} to ${maximum}`;
}
