/** Layouts of the engine, as its destinations tell of them. */
import type { Section } from '../../../../src/convert/document/sections.ts';
import { anchorName } from '../../../../src/convert/pagination/page-anchors.ts';
import type { PageStart, PageStarts } from '../../../../src/convert/pagination/page-starts.ts';
import type { Destination } from '../../../../src/convert/pdf/destinations.ts';

/** A page of 800 points, whose body is 600 points high and may grow by as much as any. */
export const section: Section = {
  beginsPage: true,
  pageHeight: 800,
  top: 100,
  bottom: 100,
  hasMargins: true,
  footer: 36,
  columns: 1,
  gridStep: 0,
};

/** Where something is: the page, from 0, and points from the top of the body. */
export type At = readonly [page: number, y: number];

/** A page start, and where the engine has it. */
export interface Laid extends Partial<PageStart> {
  /** Where its first line begins. */
  readonly at?: At;
  /** Where the last line before it begins; none where it is in the same paragraph. */
  readonly end?: At;
}

/** What a document says, and the destinations of its PDF. */
interface Layout {
  readonly starts: PageStarts;
  readonly destinations: ReadonlyMap<string, Destination>;
}

/** @param end where the last line of the document begins. */
export function laidOut(laid: readonly Laid[], end?: At, sections: readonly Section[] = [section]): Layout {
  const starts = laid.map(
    ({
      kind = 'mark',
      section: index = 0,
      sectionAbove = index,
      isBreakable = kind !== 'own',
      isBlank = kind === 'empty',
      clearsDrawing = false,
    }): PageStart => {
      return { kind, section: index, sectionAbove, isBreakable, isBlank, clearsDrawing };
    },
  );
  const destinations = new Map<string, Destination>();
  const add = (name: string, place: At | undefined, index: number) => {
    if (!place) return;
    const { pageHeight, top } = sections[index] as Section;
    destinations.set(name, { page: place[0], y: pageHeight - top - place[1] });
  };
  for (const [i, { at, end: before, section: index = 0, sectionAbove = index }] of laid.entries()) {
    add(anchorName(i, 'begin'), at, index);
    add(anchorName(i, 'previous-end'), before, sectionAbove);
  }
  add(anchorName(laid.length, 'previous-end'), end, sections.length - 1);
  return { starts: { starts, sections }, destinations };
}
