/** Content that a document has and that its PDF lacks: what LibreOffice up to 25.2 does not show. */
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

/** Major version of LibreOffice that shows what 7.4 omits: SmartArt by its layout, a canvas without a fallback. */
const SHOWN_SINCE = 25;

/** Of all stories of a document. */
export class OmittedContent {
  /** By every version. */
  readonly #always = new Map<OmittedKind, number>();
  /** By those before {@link SHOWN_SINCE}. */
  readonly #once = new Map<OmittedKind, number>();
  /** PDFs that are shown as pictures, as they are. */
  pdfPictures = 0;

  add(kind: OmittedKind, count = 1): void {
    add(this.#always, kind, count);
  }

  /** What newer versions of LibreOffice show. */
  addShownSince(kind: OmittedKind, count = 1): void {
    add(this.#once, kind, count);
  }

  /** In the order of the kinds. */
  get all(): OmittedSomewhere {
    return { byAll: listed(this.#always), byOld: listed(this.#once) };
  }
}

/** What the versions of LibreOffice omit, in the order of the kinds. */
export interface OmittedSomewhere {
  readonly byAll: readonly Omitted[];
  /** By old versions, beside what all omit. */
  readonly byOld: readonly Omitted[];
}

/** @param libreOffice its version; undefined where that is not known, which counts as new. */
export function omittedBy({ byAll, byOld }: OmittedSomewhere, libreOffice: string | undefined): Omitted[] {
  const isOld = libreOffice !== undefined && Number.parseInt(libreOffice, 10) < SHOWN_SINCE;
  const counts = new Map<OmittedKind, number>();
  for (const { kind, count } of isOld ? [...byAll, ...byOld] : byAll) add(counts, kind, count);
  return listed(counts);
}

function add(counts: Map<OmittedKind, number>, kind: OmittedKind, count: number): void {
  if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
}

function listed(counts: ReadonlyMap<OmittedKind, number>): Omitted[] {
  return omittedKinds.flatMap((kind) => {
    const count = counts.get(kind);
    return count === undefined ? [] : [{ kind, count }];
  });
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
        this.#readDiagram(attributes);
    }
  }

  close(name: string): void {
    if (this.#names.get(name) !== 'object') return;
    const object = this.#objects.pop();
    if (!object || object.content === 'none' || object.picture === 'there') return;
    if (object.picture === 'none' || object.content === 'other') this.#omitted.add('ole-object');
  }

  /** LibreOffice takes in DOCX alone. */
  #readChunk(attributes: string): void {
    const link = this.#link(attributes, 'r:id');
    if (link?.isExternal) return;
    if (!link || this.#parts.content(link.target)?.kind !== 'package') this.#omitted.add('alt-chunk');
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
    if (content?.kind === 'pdf') this.#omitted.pdfPictures += 1;
    if (content?.undrawn) this.#omitted.add(content.undrawn);
    else if (!content && !object) this.#omitted.add('missing-picture');
  }

  /** Without its drawing, newer versions of LibreOffice draw SmartArt by its layout. */
  #readDiagram(attributes: string): void {
    const data = this.#link(attributes, 'r:dm');
    const layout = this.#link(attributes, 'r:lo');
    if (!data || !this.#parts.content(data.target)) this.#omitted.add('smartart');
    else if (this.#hasDrawing(data)) return;
    else if (layout && this.#parts.content(layout.target)) this.#omitted.addShownSince('smartart');
    else this.#omitted.add('smartart');
  }

  /** The data of a diagram name the link to its drawing ([MS-ODRAWXML], 2.3.2). In doubt it is there. */
  #hasDrawing(data: Link): boolean {
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
