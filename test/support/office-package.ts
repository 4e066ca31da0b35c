/** The common frame of Office packages (ECMA-376 part 2). */
import type { ZipEntry } from './zip.ts';

export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const TRANSITIONAL = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface MainPart {
  readonly name: string;
  readonly type: string;
  readonly data: string;
  /** Namespace of the relationship that leads to it; transitional by default. */
  readonly relationshipNamespace?: string;
}

/** The entries of a package: content types, the relationship to the main part, the main part. */
export function officePackage({
  name,
  type,
  data,
  relationshipNamespace = TRANSITIONAL,
}: MainPart): ZipEntry[] {
  const toMain = `<Relationship Id="rId1" Type="${relationshipNamespace}/officeDocument" Target="${name}"/>`;
  return [
    { name: '[Content_Types].xml', data: contentTypes(name, type) },
    { name: '_rels/.rels', data: relationships([toMain]) },
    { name, data },
  ];
}

/** A relationships part with these elements. */
export function relationships(each: readonly string[]): string {
  return `${XML}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

/** A content types part with the type of the main part. */
export function contentTypes(mainName: string, mainType: string): string {
  return `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">\
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/>\
<Default Extension="png" ContentType="image/png"/>\
<Default Extension="bin" ContentType="application/octet-stream"/>\
<Override PartName="/${mainName}" ContentType="${mainType}"/></Types>`;
}
