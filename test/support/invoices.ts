/** Invoices by Factur-X, as short as they can be. */
import { XML } from './office-package.ts';

const CII = 'urn:un:unece:uncefact:data:standard';

/** Names of the profiles, as invoices have them. */
const guidelines = {
  minimum: 'urn:factur-x.eu:1p0:minimum',
  basicwl: 'urn:factur-x.eu:1p0:basicwl',
  basic: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  en16931: 'urn:cen.eu:en16931:2017',
  extended: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
} as const;

/** An invoice of a profile; `notes` of a hundred bytes each make it longer. */
export function invoice(profile: keyof typeof guidelines, notes = 0): Buffer {
  const note = `<ram:IncludedNote><ram:Content>${'n'.repeat(32)}</ram:Content></ram:IncludedNote>\n`;
  return Buffer.from(
    `${XML}<rsm:CrossIndustryInvoice xmlns:rsm="${CII}:CrossIndustryInvoice:100"` +
      ` xmlns:ram="${CII}:ReusableAggregateBusinessInformationEntity:100">` +
      '<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>' +
      `<ram:ID>${guidelines[profile]}</ram:ID>` +
      '</ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>' +
      `<rsm:ExchangedDocument><ram:ID>R-1</ram:ID>${note.repeat(notes)}</rsm:ExchangedDocument>` +
      '</rsm:CrossIndustryInvoice>',
  );
}
