/** What a request asks of its conversion: the options in its query and in the fields of its form. */
import { createHash } from 'node:crypto';
import { closest } from 'fastest-levenshtein';
import type { Static } from 'typebox';
import { PlatenError } from '../../errors.ts';
import { brokenRule, type Rule } from '../../shared/options/combinations.ts';
import {
  type AllOptions,
  type ConversionOptions,
  type Format,
  type FormOptions,
  formatOf,
  formats,
  type PageNumbering,
  secretFields,
  withoutDefaults,
} from '../../shared/options/conversion-options.ts';
import { PageRange } from '../../shared/options/page-range.ts';
import type { convertDocument } from './convert.contract.ts';
import { options as parameters } from './options.contract.ts';
import { ATTACHMENT, type Upload } from './upload.ts';

/** Longest password of AES-256 in PDF, in bytes of UTF-8 (ISO 32000-2, 7.6.4.3.3). */
const MAX_PASSWORD_BYTES = 127;
/** Longest password of a Word document, in UTF-16 code units ([MS-OFFCRYPTO] 2.3.4.11). */
const MAX_WORD_PASSWORD = 255;
const FORMAT = 'format';
/** What a form of a conversion may have. */
const fieldNames: readonly string[] = ['file', FORMAT, ...secretFields, ATTACHMENT];

/** Which form it is. */
interface FormKind {
  /** Where it is sent. */
  readonly path: string;
  /** Fields besides those of a conversion, which the caller reads. */
  readonly ownFields: readonly string[];
  /** Whether it can give no picture: then it need not name the format. */
  readonly isOfPdf?: boolean;
}

const conversionForm: FormKind = { path: '/v1/convert', ownFields: [] };

/**
 * Whoever sends a field of the form as a parameter is told so. The nearest parameter would be another one.
 *
 * @throws PlatenError `INVALID_PARAMETER`
 */
export function assertNoFields(query: object): void {
  const name = [...secretFields, ATTACHMENT].find((each) => Object.hasOwn(query, each));
  if (name === undefined) return;
  const reason = name === ATTACHMENT ? '' : ', as addresses may be logged on their way';
  throw new PlatenError('INVALID_PARAMETER', {
    message: `${name} is not a parameter. Send it as a field of the form${reason}.`,
  });
}

/**
 * For several documents in one PDF.
 *
 * @param instead what else to do.
 * @throws PlatenError `INVALID_PARAMETER`
 */
export function assertNoPicture(query: object, instead: string): void {
  const name = ['format', 'page', 'width', 'background'].find((each) => Object.hasOwn(query, each));
  if (name === undefined || (name === FORMAT && (query as { format: unknown }).format === 'pdf')) return;
  throw new PlatenError('INVALID_PARAMETER', {
    message: `A picture is of one document. Leave ${name} out, or ${instead}.`,
  });
}

/** @throws PlatenError `INVALID_PARAMETER` if pages cannot be counted together. */
export function assertPageNumbers(
  pageNumbers: PageNumbering | undefined,
  { pages }: Pick<ConversionOptions, 'pages'>,
): void {
  if (pageNumbers !== 'continuous' || pages === undefined) return;
  throw new PlatenError('INVALID_PARAMETER', {
    message: 'pageNumbers=continuous counts all pages of all documents. Leave pageNumbers or pages out.',
  });
}

/**
 * The options in the query, without those that have their defaults.
 *
 * @throws PlatenError `INVALID_PARAMETER` if they cannot be combined, whatever is in the form.
 */
export function readOptions(query: Static<typeof convertDocument.schema.querystring>): ConversionOptions {
  const options = withoutDefaults({
    ...query,
    ...(query.pages !== undefined && { pages: normalised(query.pages) }),
  });
  assertCombination(options, ({ options: [...names] }) =>
    names.every((name) => Object.hasOwn(parameters, name)),
  );
  return options;
}

function normalised(pages: string): string {
  const range = PageRange.read(pages);
  if (range) return range.toString();
  throw new PlatenError('INVALID_PARAMETER', {
    message: 'pages has a range that ends before it begins. Send ranges such as 1-3,7,10-.',
  });
}

/**
 * The options in the form.
 *
 * @param options those of the query.
 * @throws PlatenError `INVALID_PARAMETER`
 */
export function readForm(
  { fields, attachments }: Pick<Upload, 'fields' | 'attachments'>,
  options: ConversionOptions,
  kind = conversionForm,
): FormOptions {
  for (const name of fields.keys()) assertKnown(name, kind);
  assertFormat(fields.get(FORMAT), formatOf(options), kind);
  const secrets = secretFields.flatMap((name) => {
    const value = fields.get(name);
    return value === undefined ? [] : [[name, readPassword(name, value)]];
  });
  return { ...Object.fromEntries(secrets), ...(attachments && { attachments }) };
}

/** The field may repeat the parameter, which is known before the document has arrived. */
function assertFormat(field: string | undefined, format: Format, { path }: FormKind): void {
  if (field === undefined || field === format) return;
  const isKnown = Object.hasOwn(formats, field);
  const known = Object.keys(formats).join(' or ');
  throw new PlatenError('INVALID_PARAMETER', {
    message: isKnown
      ? `The form asks for ${field}, and the query, or its default, for ${format}. Send it in the query: ${path}?format=${field}`
      : `The format must be ${known}. Send it in the query: ${path}?format=…`,
  });
}

/** A misspelt password must not give a PDF that everyone can open. */
function assertKnown(name: string, { path, ownFields, isOfPdf = false }: FormKind): void {
  const all = [...fieldNames, ...ownFields];
  if (all.includes(name)) return;
  const known = all.filter((each) => !isOfPdf || each !== FORMAT);
  const message = Object.hasOwn(parameters, name)
    ? `${name} is not a form field. Send it in the query: ${path}?${name}=…`
    : `There is no field of that name. The nearest is ${closest(name, known)}; there are: ${known.join(', ')}.`;
  throw new PlatenError('INVALID_PARAMETER', { message });
}

function readPassword(name: string, value: string): string {
  const isWords = name === 'password';
  const length = isWords ? value.length : Buffer.byteLength(value);
  const most = isWords ? MAX_WORD_PASSWORD : MAX_PASSWORD_BYTES;
  if (length > 0 && length <= most && !/[\p{Cc}\p{Cs}]/u.test(value)) return value;
  const unit = isWords ? 'characters' : 'bytes of UTF-8';
  throw new PlatenError('INVALID_PARAMETER', {
    message: `${name} must have 1 to ${most} ${unit}, without control characters, or be left out.`,
  });
}

/**
 * Checks that options can be combined.
 *
 * @param concerns the rules to check; all by default.
 * @throws PlatenError `INVALID_PARAMETER`
 */
export function assertCombination(options: AllOptions, concerns: (rule: Rule) => boolean = () => true): void {
  const rule = brokenRule(options, concerns);
  if (rule) throw new PlatenError('INVALID_PARAMETER', { message: rule.message });
}

/**
 * Identifies what is converted and how, for an Idempotency-Key. The options are hashed, as they may hold texts of the
 * client; of passwords it only tells whether there is one.
 */
export function documentOf(
  { sha256 }: Pick<Upload, 'sha256'>,
  options: ConversionOptions,
  { attachments, ...secrets }: FormOptions,
): string {
  const hidden: [string, unknown][] = Object.keys(secrets).map((name) => [name, true]);
  if (attachments) {
    hidden.push(['attachments', attachments.map((each) => [each.name, each.type, each.sha256])]);
  }
  const entries = [...Object.entries(options), ...hidden].sort(([a], [b]) =>
    String(a) < String(b) ? -1 : 1,
  );
  const document = `sha256:${sha256};format=${formatOf(options)}`;
  if (entries.length === 0) return document;
  return `${document};options=${createHash('sha256').update(JSON.stringify(entries)).digest('hex')}`;
}
