/** The table of the guide's page about warnings, from their catalogue. */
import { warningCatalogue } from '../src/convert/report/warning-catalogue.ts';
import { levelOf, warningLevels } from '../src/shared/warning-levels.ts';

const HEAD = '| code | parameters | what it means |\n|---|---|---|\n';
const titles = { loss: '**Loss**', note: '**Note**' } as const;

/**
 * The page with its table made anew. The rest is written by hand.
 *
 * @param page docs/guide/warnings.md
 */
export function withTable(page: string): string {
  const start = page.indexOf(HEAD) + HEAD.length;
  const end = page.indexOf('\n\n', start);
  return `${page.slice(0, start)}${rows().join('\n')}${page.slice(end)}`;
}

function rows(): string[] {
  return warningLevels.flatMap((level) => [
    `| ${titles[level]} | | |`,
    ...Object.entries(warningCatalogue)
      .filter(([code]) => levelOf(code) === level)
      .map(([code, { parameters, meaning }]) => `| \`${code}\` | ${namesOf(parameters)}| ${meaning} |`),
  ]);
}

const namesOf = (parameters: readonly string[]): string =>
  parameters.length === 0 ? '' : `${parameters.map((name) => `\`${name}\``).join(', ')} `;
