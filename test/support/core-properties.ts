/** Documents with core properties, right and wrong ones. */
import { partsWith } from './documents.ts';
import { relationships, XML } from './office-package.ts';
import { zip } from './zip.ts';

export const CORE_NAME = 'docProps/core.xml';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const toMain =
  '<Relationship Id="rId1" Target="word/document.xml" ' +
  'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"/>';

/** The link to a part with core properties. */
export function coreLink(target = CORE_NAME, more = ''): string {
  const type = `${PACKAGE}/relationships/metadata/core-properties`;
  return `<Relationship Id="core${target.length}" Type="${type}" Target="${target}"${more}/>`;
}

/** The link to a part with other properties. @param kind `extended` or `custom`. */
export function propertiesLink(kind: string, target: string, more = ''): string {
  const type = `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${kind}-properties`;
  return `<Relationship Id="${kind}" Type="${type}" Target="${target}"${more}/>`;
}

/** A part with these elements, whose prefixes are not the usual ones. */
export function coreProperties(inner: string, declaration = XML): string {
  return (
    `${declaration}<c:coreProperties xmlns:c="${PACKAGE}/metadata/core-properties" xmlns:d="http://purl.org/dc/elements/1.1/" ` +
    'xmlns:t="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `${inner}</c:coreProperties>`
  );
}

/** The element for the time of the last change. */
export const modified = (date: string): string => `<t:modified xsi:type="t:W3CDTF">${date}</t:modified>`;

/** A DOCX with these parts, to which these links lead. */
export function docxWithCore(
  parts: Readonly<Record<string, string | Buffer>>,
  links: readonly string[] = [coreLink()],
  others: Readonly<Record<string, string>> = {},
): Buffer {
  return zip(partsWith({ '_rels/.rels': relationships([toMain, ...links]), ...parts, ...others }));
}
