/** Content that LibreOffice does not show, so the PDF lacks it. */
import { isSince } from '../../engine/libreoffice-version.ts';
import type { KeptParts } from './kept-parts.ts';
import { type Link, linksOf } from './links.ts';
import { attributeOf, type MarkupVisitor, qualified } from './markup.ts';
import { type OmittedKind, omittedKinds } from './omitted-kinds.ts';
import { localName, tagsIn } from './tags.ts';

/** Number of visible occurrences. */
export interface Omitted {
  readonly kind: OmittedKind;
  readonly count: number;
}

/** Content that LibreOffice omits up to some version. */
export interface OmittedBefore extends Omitted {
  /** The first version that shows it, for {@link isSince}; undefined if none does. */
  readonly shownSince: number | undefined;
}

/** LibreOffice reads inserted files of these types, web pages and RTF, from this version on. */
const TAKES_IN_MORE = 26.8;
const TAKEN_IN = /\.(x?html?|rtf)$/;

/** Collects the omitted content of all stories. */
export class OmittedContent {
  readonly #omitted: OmittedBefore[] = [];
  /** Number of PDFs shown as pictures. */
  pdfPictures = 0;

  /** @param shownSince the first version that shows it. */
  add(kind: OmittedKind, count = 1, shownSince?: number): void {
    if (count === 0) return;
    const at = this.#omitted.findIndex((each) => each.kind === kind && each.shownSince === shownSince);
    const known = this.#omitted[at];
    if (known) this.#omitted[at] = { ...known, count: known.count + count };
    else this.#omitted.push({ kind, count, shownSince });
  }

  /** Each kind once per version that first shows it. */
  get all(): readonly OmittedBefore[] {
    return this.#omitted;
  }
}

/**
 * What this LibreOffice version omits, in the order of the kinds.
 *
 * @param libreOffice its version, such as `26.8.2.2`; undefined if unknown.
 */
export function omittedBy(libreOffice: string | undefined, omitted: readonly OmittedBefore[]): Omitted[] {
  const left = omitted.filter(
    ({ shownSince }) => shownSince === undefined || !isSince(libreOffice, shownSince),
  );
  return omittedKinds.flatMap((kind) => {
    const count = left.filter((each) => each.kind === kind).reduce((sum, each) => sum + each.count, 0);
    return count > 0 ? [{ kind, count }] : [];
  });
}

/** An object, shown by its picture. */
interface EmbeddedObject {
  hasPicture: boolean;
  isEmbedded: boolean;
}

/** Reads a story. External links are counted elsewhere. */
export class OmittedContentReader implements MarkupVisitor {
  readonly #parts: KeptParts;
  readonly #omitted: OmittedContent;
  readonly names: ReadonlyMap<string, string>;
  readonly #objects: EmbeddedObject[] = [];
  readonly #links: ReadonlyMap<string, Link>;
  /** Ids of the links to drawings of diagrams that exist. */
  readonly #drawings: ReadonlySet<string>;
  /** Diagrams that were looked at, by the names of their data. */
  readonly #drawn = new Map<string, boolean>();

  /** @param part name of the story's part. */
  constructor(part: string, parts: KeptParts, prefix: string, omitted: OmittedContent) {
    this.#links = new Map(linksOf(parts, part).map((link) => [link.id, link]));
    const drawings = [...this.#links.values()].filter(
      ({ type, target }) => type === 'diagramDrawing' && parts.content(target),
    );
    this.#drawings = new Set(drawings.map(({ id }) => id));
    this.#parts = parts;
    this.#omitted = omitted;
    this.names = new Map([
      ...['a:blip', 'v:imagedata', 'o:OLEObject', 'dgm:relIds'].map((name) => [name, name] as const),
      ...qualified(prefix, ['altChunk', 'subDoc', 'object']),
    ]);
  }

  open(name: string, attributes: string, isEmpty: boolean): void {
    switch (this.names.get(name)) {
      case 'altChunk':
        this.#readChunk(attributes);
        return;
      case 'subDoc':
        if (!this.#link(attributes, 'r:id')?.isExternal) this.#omitted.add('subdocument');
        return;
      case 'object':
        if (!isEmpty) this.#objects.push({ hasPicture: false, isEmbedded: false });
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
    if (this.names.get(name) !== 'object') return;
    const object = this.#objects.pop();
    if (object?.isEmbedded && !object.hasPicture) this.#omitted.add('ole-object');
  }

  /** LibreOffice up to 26.2 inserts DOCX only. */
  #readChunk(attributes: string): void {
    const link = this.#link(attributes, 'r:id');
    if (link?.isExternal) return;
    const content = link && this.#parts.content(link.target);
    if (content?.kind === 'package') return;
    this.#omitted.add('alt-chunk', 1, content && TAKEN_IN.test(link.target) ? TAKES_IN_MORE : undefined);
  }

  #readObject(attributes: string): void {
    const object = this.#objects.at(-1);
    const link = this.#link(attributes, 'r:id');
    if (object && !link?.isExternal) object.isEmbedded = true;
  }

  #readPicture(attributes: string, own: string, outside: string): void {
    const id = attributeOf(attributes, own) ?? '';
    // Without an id there is no picture, or it is external.
    if (id === '' || attributeOf(attributes, outside) !== undefined) return;
    const link = this.#links.get(id);
    if (link?.isExternal) return;
    const content = link && this.#parts.content(link.target);
    const object = this.#objects.at(-1);
    if (object) object.hasPicture = content !== undefined;
    if (content?.kind === 'pdf') this.#omitted.pdfPictures += 1;
    if (content?.undrawn) this.#omitted.add(content.undrawn);
    else if (!content && !object) this.#omitted.add('missing-picture');
  }

  /** LibreOffice draws SmartArt without a drawing by its layout. */
  #readDiagram(attributes: string): void {
    const data = this.#link(attributes, 'r:dm');
    const layout = this.#link(attributes, 'r:lo');
    const isDrawn =
      data &&
      this.#parts.content(data.target) &&
      (this.#hasDrawing(data.target) || (layout && this.#parts.content(layout.target)));
    if (!isDrawn) this.#omitted.add('smartart');
  }

  /** @param data name of the part; it is read once, however many diagrams name it. */
  #hasDrawing(data: string): boolean {
    const known = this.#drawn.get(data) ?? this.#findDrawing(this.#parts.text(data));
    this.#drawn.set(data, known);
    return known;
  }

  /** The diagram's data name the link to its drawing ([MS-ODRAWXML], 2.3.2). If in doubt, the drawing exists. */
  #findDrawing(data: string): boolean {
    const [model] = tagsIn(data, (name) => localName(name) === 'dataModelExt');
    const id = model && attributeOf(model.attributes, 'relId');
    return id === undefined ? data === '' || this.#drawings.size > 0 : this.#drawings.has(id);
  }

  #link(attributes: string, name: string): Link | undefined {
    return this.#links.get(attributeOf(attributes, name) ?? '');
  }
}
