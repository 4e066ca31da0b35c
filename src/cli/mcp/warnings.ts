/** The warnings of a conversion, for models: losses first, and names of the document as data. */
import { Type } from 'typebox';
import { levelMeanings } from '../../convert/report/warning-catalogue.ts';
import { type ReadWarning, warningText } from '../../http/conversion/warnings-header.ts';
import { type WarningLevel, warningLevels } from '../../shared/warning-levels.ts';
import { asData, DATA_NOTE, quoted } from './data.ts';

/** More than a document can have: one for each of 50 fonts, each kind of omitted content, and the others. */
const MAX_WARNINGS = 100;
/** As much of a text as a client is told, in characters. */
const MAX_MESSAGE = 500;

const warning = Type.Object({
  code: Type.String({ description: 'The code. explain_warnings says what it means.' }),
  message: Type.String({ description: 'The warning as a text.' }),
});

export const warningsSchema = Type.Object({
  loss: Type.Array(warning, { description: levelMeanings.loss }),
  note: Type.Array(warning, { description: levelMeanings.note }),
});

/** @returns lines of text, and the warnings by level. */
export function describeWarnings(warnings: readonly ReadWarning[]): {
  readonly lines: string[];
  readonly data: Record<WarningLevel, object[]>;
} {
  const data: Record<WarningLevel, object[]> = { loss: [], note: [] };
  const lines = warningLevels.flatMap((level) => {
    const described = warnings
      .slice(0, MAX_WARNINGS)
      .filter((each) => each.level === level)
      .map(describe);
    data[level].push(...described);
    if (described.length === 0) return [];
    return [
      `${level}: ${levelMeanings[level]}.`,
      ...described.map(({ code, message }) => `- ${code}: ${message}`),
    ];
  });
  if (lines.length === 0) lines.push('There are no warnings.');
  if (lines.some((line) => line.includes('"'))) lines.push(DATA_NOTE);
  return { lines, data };
}

function describe({ level: _, message: __, ...given }: ReadWarning) {
  const entries = Object.entries(given).map(([name, value]) => [name, bounded(value)]);
  const details = Object.fromEntries(entries) as typeof given;
  const { code, font, by } = details;
  const text = warningText({
    ...details,
    ...(typeof font === 'string' && { font: quoted(font) }),
    ...(typeof by === 'string' && { by: quoted(by) }),
  });
  return { ...details, code, message: asData(text, MAX_MESSAGE) };
}

/** A detail of a warning. A service sends what it wants. */
function bounded(value: unknown): unknown {
  if (typeof value === 'string') return asData(value);
  if (Array.isArray(value))
    return value
      .slice(0, MAX_WARNINGS)
      .filter(isText)
      .map((text) => asData(text));
  return typeof value === 'number' || typeof value === 'boolean' ? value : undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string';
