/** Checks an invoice by Factur-X 1.0: a Cross Industry Invoice of UN/CEFACT, which names its profile. */
import { PlatenError } from '../../errors.ts';
import { FACTURX_NAME, type FacturxProfile } from '../../shared/options/conversion-options.ts';
import { visitElements } from './xml.ts';

/** Real ones have some kilobytes a line. */
export const MAX_INVOICE_BYTES = 10_485_760;

const INVOICE = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
const ENTITY = 'urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100';

/** Where the profile is named (BT-24). */
const GUIDELINE = [
  `${INVOICE} CrossIndustryInvoice`,
  `${INVOICE} ExchangedDocumentContext`,
  `${ENTITY} GuidelineSpecifiedDocumentContextParameter`,
  `${ENTITY} ID`,
] as const;

/** Names of the profiles. */
const guidelines: Readonly<Record<FacturxProfile, string>> = {
  minimum: 'urn:factur-x.eu:1p0:minimum',
  basicwl: 'urn:factur-x.eu:1p0:basicwl',
  basic: 'urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
  en16931: 'urn:cen.eu:en16931:2017',
  extended: 'urn:cen.eu:en16931:2017#conformant#urn:factur-x.eu:1p0:extended',
};

/**
 * Checks that the attachment is an invoice of the profile. Its content is not checked: that takes the standard's rules.
 *
 * @throws PlatenError `INVALID_PARAMETER`
 */
export function checkInvoice(bytes: Buffer, profile: FacturxProfile): void {
  const { root, guideline } = readInvoice(bytes);
  if (root !== GUIDELINE[0]) {
    throw refusal('is no Cross Industry Invoice. Attach the invoice, or leave facturx out.');
  }
  if (guideline === guidelines[profile]) return;
  const found = Object.entries(guidelines).find(([, each]) => each === guideline)?.[0];
  throw refusal(
    found === undefined
      ? `does not name a profile of Factur-X 1.0 as its guideline. For facturx=${profile} that is ${guidelines[profile]}.`
      : `is an invoice of another profile. Send facturx=${found}, or the invoice that facturx=${profile} asks for.`,
  );
}

/** The refusal of an attachment that is too large to be read. */
export const largeInvoice = (): PlatenError =>
  refusal(`is larger than ${MAX_INVOICE_BYTES / 1_048_576} MB. Attach the invoice, or leave facturx out.`);

interface Invoice {
  readonly root: string | undefined;
  readonly guideline: string;
}

function readInvoice(bytes: Buffer): Invoice {
  const path: string[] = [];
  let root: string | undefined;
  let guideline = '';
  const isGuideline = () =>
    path.length === GUIDELINE.length && GUIDELINE.every((each, i) => each === path[i]);
  try {
    visitElements(bytes, {
      element({ namespace, name }, depth) {
        path.length = depth - 1;
        path.push(`${namespace} ${name}`);
        root ??= path[0];
      },
      text(text, depth) {
        path.length = Math.min(path.length, depth);
        if (isGuideline()) guideline += text;
      },
    });
  } catch (cause) {
    throw refusal('is not well-formed XML, or has a document type. Make the invoice anew.', cause);
  }
  return { root, guideline: guideline.trim() };
}

function refusal(what: string, cause?: unknown): PlatenError {
  return new PlatenError('INVALID_PARAMETER', { message: `The attachment ${FACTURX_NAME} ${what}`, cause });
}
