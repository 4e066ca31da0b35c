/**
 * Objects whose size or place is known from the page, as on Word's cover pages and in the footers of its gallery.
 *
 * - A size may be a share of the page (`wp14:sizeRelH` and `wp14:sizeRelV` with `relativeFrom="page"`, [MS-DOCX] 2.6.3). LibreOffice
 *   counts the border that it draws around a page on the screen as a part of it, so that objects are 2 % larger, and leaves groups as
 *   they are. So they get their size in lengths. An object as high as its text keeps that height.
 * - The text of a group that is aligned (`wp:align`, ISO/IEC 29500-1, 20.4.2.1) stands elsewhere in LibreOffice, or beyond the page. So
 *   such groups get their place in lengths.
 * - A place of VML may be a share of the page (`mso-top-percent` and `mso-left-percent`), as on covers of Word
 *   2007. LibreOffice does not know it, so it becomes a length.
 */
import { withValues } from '../document/attributes.ts';
import { type Edit, withEdits } from '../document/edits.ts';
import { attributeOf, type MarkupVisitor, visitMarkup } from '../document/markup.ts';
import type { Rooms, SectionWidth } from '../document/section-widths.ts';
import { editAttributes, localName, type Tag } from '../document/tags.ts';
import type { Bytes } from '../text/bytes.ts';

const EMU_PER_TWIP = 635;
const TWIPS_PER_POINT = 20;
const WHOLE = 100_000;
/** Of VML. */
const WHOLE_PAGE = 1_000;
/** Of a thousandth of a percent; Word allows no more than ten pages. */
const SHARE = /^\d{1,6}$/;
const LENGTH = /^\d{1,9}$/;

/** An element with a value, and where it is. */
interface Written {
  readonly start: number;
  end: number;
  value: string;
}

/** What is known of an object along one axis. */
interface Axis {
  /** Its share of the page, in thousandths of a percent. */
  share?: Written;
  position?: Tag;
  align?: Written;
}

interface Anchored {
  readonly start: number;
  readonly across: Axis;
  readonly down: Axis;
  /** The elements that have its size: of the object, and of the shape, picture or group in it. */
  extent?: Tag;
  shape?: Tag;
  /** Whether it is as high as its text. */
  isFitted: boolean;
  isGroup: boolean;
  hasText: boolean;
}

/** The edges of VML that may have a share of the page, and the axes that they lie on. */
const edges = [
  ['left', 'horizontal'],
  ['top', 'vertical'],
] as const;
const THOUSANDTHS = /^[1-9]\d{0,2}$/;

/**
 * The part with such objects in Word's size, at Word's place, in linear time.
 *
 * @param sectionAt the section of what begins there; it is asked in the order of the part.
 */
export function withPageObjects(xml: Bytes, sectionAt: (start: number) => SectionWidth | undefined): Bytes {
  const reader = new ObjectReader();
  visitMarkup(xml, reader);
  const objects = reader.objects.sort((one, other) => one.start - other.start);
  return withEdits(
    xml,
    objects.flatMap((object) => {
      const section = sectionAt(object.start);
      return section ? object.edits(section) : [];
    }),
  );
}

interface Found {
  readonly start: number;
  readonly edits: (section: SectionWidth) => Edit[];
}

class ObjectReader implements MarkupVisitor {
  readonly objects: Found[] = [];
  /** Those that are open: text boxes may have pictures. */
  readonly #open: Anchored[] = [];
  #axis: Axis | undefined;
  /** The element whose value is read. */
  #written: Written | undefined;

  open(name: string, attributes: string, isEmpty: boolean, start: number, end: number): void {
    const local = localName(name);
    const object = this.#open.at(-1);
    const tag = { name, attributes, isEmpty, start, end };
    if (attributes.includes('-percent'))
      this.objects.push({ start, edits: (section) => styling(tag, section) });
    if (local === 'anchor') {
      const axes = { across: {}, down: {} };
      if (!isEmpty) this.#open.push({ start, ...axes, isFitted: false, isGroup: false, hasText: false });
    } else if (!object) return;
    else if (local === 'extent') object.extent ??= tag;
    else if (local === 'ext') {
      if (attributeOf(attributes, 'cx') !== undefined) object.shape ??= tag;
    } else if (local === 'spAutoFit') object.isFitted = true;
    else if (local === 'wgp') object.isGroup = true;
    else if (local === 'txbxContent') object.hasText = true;
    else if (isEmpty) return;
    else if (local === 'positionH' || local === 'positionV') {
      this.#axis = local === 'positionH' ? object.across : object.down;
      this.#axis.position = tag;
    } else if (local === 'align') {
      this.#written = { start, end, value: '' };
      if (this.#axis) this.#axis.align = this.#written;
    } else if (local === 'sizeRelH' || local === 'sizeRelV') {
      if (attributeOf(attributes, 'relativeFrom') !== 'page') return;
      this.#written = { start, end, value: '' };
      object[local === 'sizeRelH' ? 'across' : 'down'].share = this.#written;
    }
  }

  close(name: string, _start: number, end: number): void {
    const local = localName(name);
    if (local === 'positionH' || local === 'positionV') this.#axis = undefined;
    else if (local === 'align' || local === 'sizeRelH' || local === 'sizeRelV') {
      if (this.#written) this.#written.end = end;
      this.#written = undefined;
    } else if (local === 'anchor') {
      const object = this.#open.pop();
      if (object) this.objects.push({ start: object.start, edits: (section) => editsOf(object, section) });
    }
  }

  text(xml: string, start: number, end: number): void {
    if (this.#written) this.#written.value += xml.slice(start, end).trim();
  }
}

function editsOf(object: Anchored, section: SectionWidth): Edit[] {
  const { across, down, extent, shape, isFitted } = object;
  if (!extent) return [];
  const edits: Edit[] = [];
  const sizes = new Map<string, number>();
  const read = (name: string, { share }: Axis, page: number, isKept: boolean) => {
    const isShare = share !== undefined && SHARE.test(share.value) && Number(share.value) > 0;
    if (isShare) edits.push({ start: share.start, end: share.end, text: '' });
    if (isShare && !isKept) sizes.set(name, Math.round((page * EMU_PER_TWIP * Number(share.value)) / WHOLE));
    const written = attributeOf(extent.attributes, name) ?? '';
    return sizes.get(name) ?? (LENGTH.test(written) ? Number(written) : undefined);
  };
  const width = read('cx', across, section.page, false);
  const height = read('cy', down, section.height, isFitted);
  for (const tag of [extent, shape]) {
    if (!tag || sizes.size === 0) continue;
    const changed = withValues(tag.attributes, (name, value) => String(sizes.get(name) ?? value));
    edits.push(editAttributes(tag, changed));
  }
  if (!object.isGroup || !object.hasText) return edits;
  edits.push(...placing(across, width, section.across), ...placing(down, height, section.down));
  return edits;
}

/**
 * Gives an aligned object its distance from the edge of the page.
 *
 * @param size in EMU.
 * @param rooms what it may be aligned to.
 */
function placing({ position, align }: Axis, size: number | undefined, rooms: Rooms): Edit[] {
  if (!position || !align || size === undefined) return [];
  const from = attributeOf(position.attributes, 'relativeFrom') ?? '';
  const room = Object.hasOwn(rooms, from) ? rooms[from] : undefined;
  const share = { left: 0, top: 0, center: 0.5, right: 1, bottom: 1 }[align.value];
  if (!room || share === undefined) return [];
  const place = Math.round(room[0] * EMU_PER_TWIP + (room[1] * EMU_PER_TWIP - size) * share);
  const prefix = position.name.slice(0, -localName(position.name).length);
  const changed = withValues(position.attributes, (name, value) =>
    name === 'relativeFrom' ? 'page' : value,
  );
  const text = `<${prefix}posOffset>${place}</${prefix}posOffset>`;
  return [editAttributes(position, changed), { start: align.start, end: align.end, text }];
}

/** Gives an object of VML its distances from the edges of the page. */
function styling(tag: Tag, section: SectionWidth): Edit[] {
  const style = attributeOf(tag.attributes, 'style') ?? '';
  const parts = style.split(';').map((each) => each.split(':'));
  const properties = new Map(parts.map(([name = '', value = '']) => [name.trim(), value.trim()]));
  const places = new Map<string, string>();
  for (const [edge, axis] of edges) {
    const share = properties.get(`mso-${edge}-percent`) ?? '';
    const isOfPage = properties.get(`mso-position-${axis}-relative`) === 'page';
    if (!THOUSANDTHS.test(share) || !isOfPage || properties.has(`mso-position-${axis}`)) continue;
    const page = edge === 'left' ? section.page : section.height;
    places.set(`margin-${edge}`, `${Math.round((page * Number(share)) / WHOLE_PAGE) / TWIPS_PER_POINT}pt`);
  }
  if (places.size === 0) return [];
  const others = style.split(';').filter((each) => !places.has(each.slice(0, each.indexOf(':')).trim()));
  const placed = [...others, ...[...places].map(([name, value]) => `${name}:${value}`)].join(';');
  const changed = withValues(tag.attributes, (name, value) => (name === 'style' ? placed : value));
  return [editAttributes(tag, changed)];
}
