/** Which sections of the guide a search finds. */

/** A section, as the index has it. */
export interface Section {
  readonly page: string;
  readonly title: string;
  readonly url: string;
  readonly text: string;
}

/** Those with every word; those with all of them in their titles first. */
export function sectionsWith(sections: readonly Section[], text: string): readonly Section[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (where: string) => words.every((word) => where.toLowerCase().includes(word));
  const isTitled = ({ page, title }: Section) => has(`${page} ${title}`);
  const fitting = sections.filter(({ page, title, text }) => has(`${page} ${title} ${text}`));
  return [...fitting.filter(isTitled), ...fitting.filter((section) => !isTitled(section))];
}
