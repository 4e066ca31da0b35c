/** Limits on the styles of a part, which cost the engine time: their number, and their inheritance. */
import { MAX_STYLE_CHAIN, MAX_STYLES } from './limits.ts';
import type { Tag } from './tag.ts';

/** Takes the tags of a part in order; ignores all but styles and their bases. */
export class Styles {
  /** Bases by style id. A part may define an id twice; then all bases count. */
  readonly #bases = new Map<string, Set<string>>();
  /** Open style elements, the outermost first; a style may contain foreign ones. */
  #open: { readonly depth: number; readonly ids: readonly string[] }[] = [];
  #styles = 0;
  /** Pairs of a style and a base; a tag may have any number of ids or bases. */
  #links = 0;

  read(tag: Tag): void {
    if (tag.name === 'style') {
      this.#styles += 1;
      this.#open = this.#open.filter(({ depth }) => depth < tag.depth);
      this.#open.push({ depth: tag.depth, ids: tag.values('styleId') });
    } else if (tag.name === 'basedOn' && this.#links <= MAX_STYLES) this.#add(tag);
  }

  /** Whether there are too many styles, too many levels of inheritance, or cycles. */
  get areBeyondLimits(): boolean {
    if (this.#styles > MAX_STYLES || this.#links > MAX_STYLES) return true;
    const levels = new Map<string, number>();
    return [...this.#bases.keys()].some((id) => this.#levels(id, 1, levels) > MAX_STYLE_CHAIN);
  }

  #add(tag: Tag): void {
    const bases = tag.values('val');
    this.#open = this.#open.filter(({ depth }) => depth < tag.depth);
    const styles = this.#open.flatMap(({ ids }) => ids);
    // A tag without a style or a base costs as much.
    this.#links += Math.max(1, styles.length) * Math.max(1, bases.length);
    if (this.#links > MAX_STYLES) return;
    for (const id of styles) {
      const known = this.#bases.get(id) ?? new Set();
      // A style that is based only on itself does no harm.
      for (const base of bases) if (base !== id) known.add(base);
      this.#bases.set(id, known);
    }
  }

  /** Levels of inheritance from this style on; infinite if above the limit. */
  #levels(id: string, above: number, known: Map<string, number>): number {
    const before = known.get(id);
    if (before !== undefined) return before;
    if (above > MAX_STYLE_CHAIN) return Number.POSITIVE_INFINITY;
    let levels = 1;
    for (const base of this.#bases.get(id) ?? [])
      levels = Math.max(levels, 1 + this.#levels(base, above + 1, known));
    known.set(id, levels);
    return levels;
  }
}
