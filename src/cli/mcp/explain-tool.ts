/** The tool that explains warnings. */
import { Type } from 'typebox';
import { warningCatalogue } from '../../convert/report/warning-catalogue.ts';
import { plainText } from '../../shared/error-catalogue.ts';
import { levelOf, warningCodes } from '../../shared/warning-levels.ts';
import { asData } from './data.ts';
import type { Tool } from './tool.ts';

const MAX_CODES = 50;
const UNKNOWN = 'This version does not know the code. Take it for a note.';

const inputSchema = Type.Object(
  {
    codes: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
        maxItems: MAX_CODES,
        title: `a list of up to ${MAX_CODES} codes`,
        description: 'Codes of warnings, such as TEXT_MISSING. Default: all.',
      }),
    ),
  },
  { additionalProperties: false },
);

const outputSchema = Type.Object({
  warnings: Type.Array(Type.Object({ code: Type.String(), level: Type.String(), meaning: Type.String() })),
});

export const explainTool: Tool<typeof inputSchema> = {
  name: 'explain_warnings',
  title: 'Explain warnings',
  description: 'Explains what the warnings of convert_document mean, by their codes.',
  input: inputSchema,
  output: outputSchema,
  annotations: { readOnlyHint: true, openWorldHint: false },
  async run({ codes = warningCodes }) {
    const warnings = codes.map((code) => ({
      code: asData(code),
      level: levelOf(code),
      meaning: meaningOf(code),
    }));
    const lines = warnings.map(({ code, level, meaning }) => `- ${code} (${level}): ${meaning}`);
    return { text: lines.join('\n'), data: { warnings } };
  },
};

function meaningOf(code: string): string {
  const known = Object.hasOwn(warningCatalogue, code);
  return known ? `${plainText(warningCatalogue[code as keyof typeof warningCatalogue].meaning)}.` : UNKNOWN;
}
