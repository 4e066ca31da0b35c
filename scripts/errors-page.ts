/** The sections of the guide's page about errors, from the error catalogue. */
import { type CatalogueEntry, sections } from '../src/shared/error-catalogue.ts';

/**
 * The page with its sections made anew. What stands above the first of them is written by hand.
 *
 * @param page docs/guide/errors.md
 */
export function withSections(page: string): string {
  const made = Object.entries(sections).map(([title, entries]) =>
    [`## ${title}`, ...Object.entries(entries).flatMap(([code, entry]) => sectionOf(code, entry))].join(
      '\n\n',
    ),
  );
  return `${page.slice(0, page.indexOf('\n## ') + 1)}${made.join('\n\n')}\n`;
}

function sectionOf(code: string, entry: CatalogueEntry): string[] {
  const { status, otherStatuses = [], retry = retryOf(status), cause, details = '', advice } = entry;
  const statuses = [status, ...otherStatuses].join(', ').replace(/, (\d+)$/, ' or $1');
  return [
    `### \`${code}\``,
    `**Status** ${statuses}. **Retry** ${retry}.`,
    `**Cause.** ${cause} ${details}`.trimEnd(),
    `**What to do.** ${advice}`,
  ];
}

/** The answers with these statuses say when. */
function retryOf(status: number): string {
  return [409, 429, 503].includes(status) ? 'yes, after `Retry-After`' : 'no';
}
