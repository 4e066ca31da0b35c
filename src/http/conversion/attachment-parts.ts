/** Attachments of a form: their names, types and number. */
import { PlatenError } from '../../errors.ts';
import type { Attachment } from '../../shared/options/conversion-options.ts';
import { fileNameOf } from './file-name.ts';

export const MAX_ATTACHMENTS = 10;
/** As much as file systems take, in bytes of UTF-8. */
const MAX_NAME_BYTES = 255;
/** A media type (RFC 6838, 4.2). */
const TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/;

export const TOO_MANY_ATTACHMENTS = `The form has more than ${MAX_ATTACHMENTS} attachments. Leave some out, or put them into an archive.`;

/** The attachments of one form, in the order in which they came. */
export class AttachmentParts {
  readonly #attachments: Attachment[] = [];

  /**
   * Call before an attachment's content is read.
   *
   * @param fileName as the client sent it.
   * @returns the name that it gets in the PDF.
   * @throws PlatenError `INVALID_REQUEST`, which does not repeat the name
   */
  next(fileName: string | undefined): string {
    if (this.#attachments.length === MAX_ATTACHMENTS) throw invalid(TOO_MANY_ATTACHMENTS);
    const name = fileNameOf(fileName ?? '').normalize('NFC');
    if (/^\.*$/.test(name)) throw invalid('An attachment has no file name. Give each one its own.');
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
      throw invalid(
        `The file name of an attachment is longer than ${MAX_NAME_BYTES} bytes. Give it a shorter one.`,
      );
    }
    if (this.#attachments.some((other) => other.name === name)) {
      throw invalid('Two attachments have the same file name. Give each one its own.');
    }
    return name;
  }

  /** @param type of the part, as the client sent it. */
  add({ type, ...attachment }: Attachment): void {
    const known = type.toLowerCase();
    this.#attachments.push({ ...attachment, type: TYPE.test(known) ? known : 'application/octet-stream' });
  }

  /** By ascending names, so that the order of the parts means nothing; undefined for none. */
  sorted(): readonly Attachment[] | undefined {
    if (this.#attachments.length === 0) return undefined;
    return this.#attachments.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }
}

const invalid = (message: string): PlatenError => new PlatenError('INVALID_REQUEST', { message });
