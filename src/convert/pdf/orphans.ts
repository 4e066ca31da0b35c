/**
 * Tags outside of the structure: LibreOffice makes some for lines, shapes and pictures of headers, and for what is anchored in
 * paragraphs without text: pictures, text boxes and floating tables. The outermost of them name the root of the structure as their parent
 * (ISO 32000-1, 14.7.2), but the root does not name them. Whatever else LibreOffice lacks for PDF/UA, the kit mends
 * (src/kit/accessible.c).
 */
import type { PdfObjects } from './objects/pdf-objects.ts';
import { type Dictionary, Reference, type Value, written } from './objects/values.ts';

/**
 * The changed objects of a PDF whose root has these tags, behind all others, for `replaceObjects`. A figure without an alternative text
 * stays one, so that its verdict says what it lacks: whether it is decoration, only its author knows.
 *
 * @throws Error if the PDF cannot be read.
 */
export function adoptedTags(pdf: PdfObjects): Map<number, string> {
  const root = pdf.catalog['/StructTreeRoot'];
  if (!(root instanceof Reference)) return new Map();
  const dictionary = pdf.dictionary(root);
  const kids = pdf.list(dictionary['/K']);
  const known = new Set(kids.map(String));
  const tags = [...outermostTags(pdf, root, dictionary['/ParentTree'])];
  const lost = tags.filter((tag) => !known.has(String(tag)));
  if (lost.length === 0) return new Map();
  return new Map([[root.number, objectOf(root, { ...dictionary, '/K': [...kids, ...lost] })]]);
}

/** The elements with content that name the root as their parent or are in such a one, each once. */
function* outermostTags(pdf: PdfObjects, root: Reference, tree: Value | undefined): Iterable<Reference> {
  const seen = new Set<number>();
  for (const tag of tagsOfContent(pdf, tree)) {
    let at: Value | undefined = tag;
    while (at instanceof Reference && !seen.has(at.number)) {
      seen.add(at.number);
      const parent: Value | undefined = pdf.dictionary(at)['/P'];
      if (String(parent) === String(root)) yield at;
      at = parent;
    }
  }
}

/** The elements that a parent tree without branches, as LibreOffice writes it, names for content. */
function* tagsOfContent(pdf: PdfObjects, tree: Value | undefined): Iterable<Reference> {
  const numbers = pdf.array(pdf.dictionary(tree)['/Nums']);
  for (let at = 1; at < numbers.length; at += 2) {
    for (const tag of pdf.list(numbers[at])) if (tag instanceof Reference) yield tag;
  }
}

function objectOf({ number }: Reference, dictionary: Dictionary): string {
  return `${number} 0 obj\n${written(dictionary)}\n`;
}
