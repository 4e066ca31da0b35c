/** The warnings of a conversion, for models: losses first, and names of the document as data. */
import { Type } from 'typebox';
import { levelMeanings } from '../convert/report/warning-catalogue.ts';
import { type ReadWarning, warningText } from '../http/conversion/warnings-header.ts';
import { type WarningLevel, warningLevels } from '../shared/warning-levels.ts';
import { asData, DATA_NOTE, quoted } from './data.ts';

/** More than a document can have: one for each of 50 fonts, each kind of omitted content, and the others. */
const MAX_WARNINGS = 100;

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

function describe({ level: _, message: __, font, by, ...warning }: ReadWarning) {
  const { code, scripts, ...details } = warning;
  const text = warningText({
    ...warning,
    ...(font !== undefined && { font: quoted(font) }),
    ...(by !== undefined && { by: quoted(by) }),
  });
  return {
    ...Object.fromEntries(Object.entries(details).map(([name, value]) => [name, bounded(value)])),
    ...(scripts && { scripts: scripts.slice(0, MAX_WARNINGS).map((script) => asData(script)) }),
    ...(font !== undefined && { font: asData(font) }),
    ...(by !== undefined && { by: asData(by) }),
    code: asData(code),
    message: asData(text, 500),
  };
}

/** A service sends what it wants. */
const bounded = (value: unknown): unknown => (typeof value === 'string' ? asData(value) : value);
