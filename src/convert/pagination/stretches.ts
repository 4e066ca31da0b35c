/** What stands between the page starts of Word's, in a layout. */
import type { PageLayout, Place, Stretch } from './page-layout.ts';

/** In the order of the document; the last one ends with it. */
export function stretchesOf(layout: PageLayout): Stretch[] {
  let from: Place | undefined = { page: 0, y: 0 };
  let after = -1;
  const stretches: Stretch[] = [];
  for (const to of layout.boundaries()) {
    const section = to.start?.sectionAbove ?? layout.lastSection;
    stretches.push({ from, to, section, after });
    from = to.begin;
    after = to.index;
  }
  return stretches;
}

/** How many empty pages, such as empty paragraphs fill, follow a stretch before a break of the document's own. */
export function blankPagesAfter({ to: { start, end, begin } }: Stretch): number {
  return start?.kind === 'own' && end && begin ? Math.max(0, begin.page - end.page - 1) : 0;
}
