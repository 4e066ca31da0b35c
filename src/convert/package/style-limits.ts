/** The styles of a part, as far as they cost the engine time: how many there are, and how they are based on each other. */
import { MAX_STYLE_CHAIN, MAX_STYLES } from './limits.ts';
import type { Tag } from './tag.ts';

/** Takes the tags of a part in their order; those that are neither a style nor its base are passed over. */
export class Styles {
  /** By id, what the style is based on. A part may define an id twice: then all counts. */
  readonly #bases = new Map<string, Set<string>>();
  /** The open elements of that name, from the outermost: a style may have foreign ones inside it. */
  #open: { readonly depth: number; readonly ids: readonly string[] }[] = [];
  #styles = 0;
  #links = 0;

  read(tag: Tag): void {
    if (tag.name === 'style') {
      this.#styles += 1;
      this.#open = this.#open.filter(({ depth }) => depth < tag.depth);
      this.#open.push({ depth: tag.depth, ids: tag.values('styleId') });
    } else if (tag.name === 'basedOn') {
      this.#links += 1;
      if (this.#links <= MAX_STYLES) this.#add(tag);
    }
  }

  /** Whether there are too many, or some are based on each other in a circle or in too many levels. */
  get areBeyondLimits(): boolean {
    if (this.#styles > MAX_STYLES || this.#links > MAX_STYLES) return true;
    const levels = new Map<string, number>();
    return [...this.#bases.keys()].some((id) => this.#levels(id, 1, levels) > MAX_STYLE_CHAIN);
  }

  #add(tag: Tag): void {
    const bases = tag.values('val');
    this.#open = this.#open.filter(({ depth }) => depth < tag.depth);
    for (const id of this.#open.flatMap(({ ids }) => ids)) {
      const known = this.#bases.get(id) ?? new Set();
      // A style that is based on itself alone does no harm.
      for (const base of bases) if (base !== id) known.add(base);
      this.#bases.set(id, known);
    }
  }

  /** How many levels of styles there are from this one on; endless where they are more than the limit. */
  #levels(id: string, above: number, known: Map<string, number>): number {
    const before = known.get(id);
    if (before !== undefined) return before;
    if (above > MAX_STYLE_CHAIN) return Number.POSITIVE_INFINITY;
    const bases = [...(this.#bases.get(id) ?? [])];
    const levels = 1 + Math.max(0, ...bases.map((base) => this.#levels(base, above + 1, known)));
    known.set(id, levels);
    return levels;
  }
}
