/** Content that a document has and that its PDF lacks: what LibreOffice does not show. */
import { undrawnFormats } from '../undrawn-formats.ts';
import type { KeptParts } from './kept-parts.ts';
import { type Link, linksOf } from './links.ts';
import { attributeOf, type MarkupVisitor, qualified } from './markup.ts';

export const omittedKinds = [
  ...(['alt-chunk', 'subdocument', 'smartart', 'ole-object', 'missing-picture'] as const),
  ...undrawnFormats,
  'alternate-content',
] as const;

export type OmittedKind = (typeof omittedKinds)[number];

/** How often it is where the document would show it. */
export interface Omitted {
  readonly kind: OmittedKind;
  readonly count: number;
}

/** What LibreOffice up to 26.2 leaves out. */
export interface LongOmitted extends Omitted {
  /** How many of them LibreOffice shows from 26.8 on. */
  readonly shownNow: number;
}

/**
 * What this LibreOffice leaves out.
 *
 * @param libreOffice its version, such as `26.8.2.2`; undefined where it is not known: it is taken for an old one.
 */
export function omittedBy(libreOffice: string | undefined, omitted: readonly LongOmitted[]): Omitted[] {
  // The year and the month, 2 or 8: as numbers they stand in their order.
  const isNew = Number.parseFloat(libreOffice ?? '0') >= 26.8;
  return omitted
    .map(({ kind, count, shownNow }) => ({ kind, count: isNew ? count - shownNow : count }))
    .filter(({ count }) => count > 0);
}

/** Names of inserted files that LibreOffice takes in from 26.8 on: web pages and RTF. */
const TAKEN_IN = /\.(x?html?|rtf)$/;

/** Of all stories of a document. */
export class OmittedContent {
  readonly #counts = new Map<OmittedKind, LongOmitted>();

  /** @param shownNow how many of them LibreOffice shows from 26.8 on. */
  add(kind: OmittedKind, count = 1, shownNow = 0): void {
    if (count === 0) return;
    const known = this.#counts.get(kind) ?? { count: 0, shownNow: 0 };
    this.#counts.set(kind, { kind, count: known.count + count, shownNow: known.shownNow + shownNow });
  }

  /** In the order of the kinds. */
  get all(): LongOmitted[] {
    return omittedKinds.flatMap((kind) => this.#counts.get(kind) ?? []);
  }
}

/** An object of another program, which is shown by a picture. */
interface EmbeddedObject {
  picture: 'none' | 'there' | 'missing';
  /** Whether the document has the object, and as a package, from which LibreOffice makes a picture that is missing. */
  content: 'none' | 'package' | 'other';
}

/** Reads a story. What is linked from outside of the package is another matter. */
export class OmittedContentReader implements MarkupVisitor {
  readonly #parts: KeptParts;
  readonly #omitted: OmittedContent;
  readonly #names: ReadonlyMap<string, string>;
  readonly #objects: EmbeddedObject[] = [];
  readonly #links: ReadonlyMap<string, Link>;

  /** @param part name of the story's part. */
  constructor(part: string, parts: KeptParts, prefix: string, omitted: OmittedContent) {
    this.#links = new Map(linksOf(parts, part).map((link) => [link.id, link]));
    this.#parts = parts;
    this.#omitted = omitted;
    this.#names = new Map([
      ...['a:blip', 'v:imagedata', 'o:OLEObject', 'dgm:relIds'].map((name) => [name, name] as const),
      ...qualified(prefix, ['altChunk', 'subDoc', 'object']),
    ]);
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    switch (this.#names.get(name)) {
      case 'altChunk':
        this.#readChunk(attributes);
        return;
      case 'subDoc':
        if (!this.#link(attributes, 'r:id')?.isExternal) this.#omitted.add('subdocument');
        return;
      case 'object':
        if (!isEmpty) this.#objects.push({ picture: 'none', content: 'none' });
        return;
      case 'o:OLEObject':
        this.#readObject(attributes);
        return;
      case 'a:blip':
        this.#readPicture(attributes, 'r:embed', 'r:link');
        return;
      case 'v:imagedata':
        this.#readPicture(attributes, 'r:id', 'r:href');
        return;
      case 'dgm:relIds':
        if (!this.#hasDrawing(attributes)) this.#omitted.add('smartart');
    }
  }

  close(name: string): void {
    if (this.#names.get(name) !== 'object') return;
    const object = this.#objects.pop();
    if (!object || object.content === 'none' || object.picture === 'there') return;
    if (object.picture === 'none' || object.content === 'other') this.#omitted.add('ole-object');
  }

  /** LibreOffice up to 26.2 takes in DOCX alone. */
  #readChunk(attributes: string): void {
    const link = this.#link(attributes, 'r:id');
    if (link?.isExternal) return;
    const content = link && this.#parts.content(link.target);
    if (content?.kind === 'package') return;
    this.#omitted.add('alt-chunk', 1, content && TAKEN_IN.test(link.target) ? 1 : 0);
  }

  #readObject(attributes: string): void {
    const object = this.#objects.at(-1);
    const link = this.#link(attributes, 'r:id');
    if (!object || link?.isExternal) return;
    const kind = link && this.#parts.content(link.target)?.kind;
    object.content = kind === 'package' ? 'package' : 'other';
  }

  #readPicture(attributes: string, own: string, outside: string): void {
    const id = attributeOf(attributes, own) ?? '';
    // Without an id there never was one, or it is outside.
    if (id === '' || attributeOf(attributes, outside) !== undefined) return;
    const link = this.#links.get(id);
    if (link?.isExternal) return;
    const content = link && this.#parts.content(link.target);
    const object = this.#objects.at(-1);
    if (object) object.picture = content ? 'there' : 'missing';
    if (content?.undrawn) this.#omitted.add(content.undrawn);
    else if (!content && !object) this.#omitted.add('missing-picture');
  }

  /**
   * The data of a diagram name the link to its drawing ([MS-ODRAWXML], 2.3.2). In doubt it is there: without it LibreOffice
   * 25.2 draws by the layout, if that is there; 7.4 does not.
   */
  #hasDrawing(attributes: string): boolean {
    const data = this.#link(attributes, 'r:dm');
    if (!data || !this.#parts.content(data.target)) return false;
    const layout = this.#link(attributes, 'r:lo');
    if (layout && this.#parts.content(layout.target)) return true;
    const drawings = [...this.#links.values()].filter(
      ({ type, target }) => type === 'diagramDrawing' && this.#parts.content(target),
    );
    const xml = this.#parts.text(data.target);
    const id = /<(?:\w+:)?dataModelExt\s[^>]{0,500}?relId\s*=\s*["']([^"']{1,100})["']/.exec(xml)?.[1];
    return id === undefined ? xml === '' || drawings.length > 0 : drawings.some((link) => link.id === id);
  }

  #link(attributes: string, name: string): Link | undefined {
    return this.#links.get(attributeOf(attributes, name) ?? '');
  }
}
