/** What a PDF says of an invoice in it: Factur-X 1.0, which is ZUGFeRD 2. */
import {
  FACTURX_NAME,
  type FacturxProfile,
  type Relationship,
} from '../../shared/options/conversion-options.ts';

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#';

/** Profiles as XMP spells them. */
const levels: Readonly<Record<FacturxProfile, string>> = {
  minimum: 'MINIMUM',
  basicwl: 'BASIC WL',
  basic: 'BASIC',
  en16931: 'EN 16931',
  extended: 'EXTENDED',
};

/** The properties of the invoice, with their descriptions. */
const properties = [
  ['DocumentType', 'The type of the hybrid document in capital letters, e.g. INVOICE or ORDER'],
  ['DocumentFileName', 'The name of the embedded XML document'],
  ['Version', 'The actual version of the standard applying to the embedded XML document'],
  ['ConformanceLevel', 'The conformance level of the embedded XML document'],
] as const;

/** What the invoice is to the PDF: the profiles without lines are no invoice by themselves. */
export function facturxRelationship(profile: FacturxProfile): Relationship {
  return profile === 'minimum' || profile === 'basicwl' ? 'Data' : 'Alternative';
}

/**
 * Adds the properties of the invoice to XMP, and the schema that PDF/A wants of properties that it does not know (ISO
 * 19005-3, 6.6.2.3.3).
 *
 * @throws Error if the text has no end of an RDF element.
 */
export function declareInvoice(xmp: string, profile: FacturxProfile): string {
  const values = ['INVOICE', FACTURX_NAME, '1.0', levels[profile]];
  const written = properties.map(([name], i) => `<fx:${name}>${values[i]}</fx:${name}>`).join('\n');
  const invoice = `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">\n${written}\n</rdf:Description>\n`;
  const end = xmp.lastIndexOf('</rdf:RDF>');
  if (end < 0) throw new Error('the metadata are no RDF');
  return withSchema(`${xmp.slice(0, end)}${invoice}${xmp.slice(end)}`);
}

/** LibreOffice has schemas of its own, for one, where the PDF is PDF/UA as well; there may be one list of them. */
function withSchema(xmp: string): string {
  const list = /<pdfaExtension:schemas>\s*<rdf:Bag>/.exec(xmp);
  if (list) {
    const at = list.index + list[0].length;
    return `${xmp.slice(0, at)}\n${schema()}${xmp.slice(at)}`;
  }
  const namespaces = ['extension/', 'schema#', 'property#'].map((name) => {
    const prefix = `pdfa${name.charAt(0).toUpperCase()}${name.slice(1, -1)}`;
    return `xmlns:${prefix}="http://www.aiim.org/pdfa/ns/${name}"`;
  });
  const description =
    `<rdf:Description rdf:about="" ${namespaces.join(' ')}>\n<pdfaExtension:schemas>\n<rdf:Bag>\n${schema()}` +
    '</rdf:Bag>\n</pdfaExtension:schemas>\n</rdf:Description>\n';
  const end = xmp.lastIndexOf('</rdf:RDF>');
  return `${xmp.slice(0, end)}${description}${xmp.slice(end)}`;
}

function schema(): string {
  const list = properties.map(([name, description]) =>
    [
      '<rdf:li rdf:parseType="Resource">',
      `<pdfaProperty:name>${name}</pdfaProperty:name>`,
      '<pdfaProperty:valueType>Text</pdfaProperty:valueType>',
      '<pdfaProperty:category>external</pdfaProperty:category>',
      `<pdfaProperty:description>${description}</pdfaProperty:description>`,
      '</rdf:li>',
    ].join('\n'),
  );
  return [
    '<rdf:li rdf:parseType="Resource">',
    '<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>',
    `<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>`,
    '<pdfaSchema:prefix>fx</pdfaSchema:prefix>',
    '<pdfaSchema:property>',
    '<rdf:Seq>',
    ...list,
    '</rdf:Seq>',
    '</pdfaSchema:property>',
    '</rdf:li>\n',
  ].join('\n');
}
