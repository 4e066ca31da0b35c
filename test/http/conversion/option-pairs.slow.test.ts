/**
 * Every pair of options: either the table of combinations refuses it, with its message, or it converts, with others that
 * the table allows beside it. So does each option with those of several documents in one PDF.
 */
import { Agent, request } from 'node:http';
import t from 'tap';
import { limits } from '../../../src/engine/option-limits.ts';
import { assertNoPicture, assertPageNumbers } from '../../../src/http/conversion/conversion-request.ts';
import { options as parameters } from '../../../src/http/conversion/options.contract.ts';
import { rules } from '../../../src/shared/options/combinations.ts';
import {
  type AllOptions,
  type PageNumbering,
  pageNumberings,
  secretFields,
} from '../../../src/shared/options/conversion-options.ts';
import { writePlans } from '../../e2e/support/plans.ts';
import { answerTo, bearer, multipart } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { Service } from '../../support/service.ts';

type Values = Readonly<Record<string, string>>;

/** Of each option: values that matter to a combination, each with what it needs. */
const typical: Readonly<Record<string, readonly Values[]>> = {
  format: [{ format: 'png' }],
  page: [{ page: '1', format: 'png' }, { page: '1' }],
  width: [{ width: '64', format: 'png' }, { width: '64' }],
  background: [{ background: 'transparent', format: 'png' }, { background: 'white' }],
  layout: [{ layout: 'engine' }],
  pages: [{ pages: '1-' }],
  pdfa: [{ pdfa: '1b' }, { pdfa: '2b' }, { pdfa: '3b' }, { pdfa: '4' }],
  pdfua: [{ pdfua: 'true' }],
  changes: [{ changes: 'original' }, { changes: 'marked' }],
  comments: [{ comments: 'annotations' }],
  fields: [{ fields: 'updated' }],
  images: [{ images: 'jpeg' }],
  imageQuality: [{ imageQuality: '50', images: 'jpeg' }, { imageQuality: '50' }],
  imageDpi: [{ imageDpi: '150' }],
  bookmarks: [{ bookmarks: 'false' }],
  formFields: [{ formFields: 'true' }, { formFields: 'false' }],
  tagged: [{ tagged: 'false' }],
  watermark: [{ watermark: 'Draft' }],
  watermarkColor: [{ watermarkColor: 'FF0000', watermark: 'Draft' }, { watermarkColor: 'FF0000' }],
  watermarkSize: [{ watermarkSize: '40', watermark: 'Draft' }, { watermarkSize: '40' }],
  watermarkAngle: [{ watermarkAngle: '30', watermark: 'Draft' }, { watermarkAngle: '30' }],
  title: [{ title: 'A title' }],
  author: [{ author: 'An author' }],
  subject: [{ subject: 'A subject' }],
  keywords: [{ keywords: 'one, two' }],
  linearize: [{ linearize: 'true' }],
  allow: [{ allow: 'print', ownerPassword: 'owner' }, { allow: 'print' }],
  attachmentRelationship: [{ attachmentRelationship: 'Data' }],
  facturx: [{ facturx: 'basic', pdfa: '3b' }, { facturx: 'basic' }],
  failOn: [{ failOn: 'loss' }],
  isolation: [{ isolation: 'document' }],
  userPassword: [{ userPassword: 'user' }],
  ownerPassword: [{ ownerPassword: 'owner' }, { ownerPassword: 'user' }],
};

/** The pairs of values of different options that do not contradict each other, some of them twice. */
const everyPair = Object.entries(typical).flatMap(([name, ones], i, all) =>
  all
    .slice(i)
    .flatMap(([other, others]) =>
      ones.flatMap((one) =>
        (name === other ? [one] : others)
          .filter((second) => Object.entries(second).every(([key, value]) => (one[key] ?? value) === value))
          .map((second) => ({ ...one, ...second })),
      ),
    ),
);

const textOf = (values: Values) => JSON.stringify(Object.entries(values).sort());
const unique = (all: readonly Values[]): readonly Values[] => [
  ...new Map(all.map((values) => [textOf(values), values])).values(),
];
const pairs = unique(everyPair);
/** Each value alone, with what it needs. */
const alone = unique(Object.values(typical).flat());

/** Page numbers of a combined PDF, each with another option. */
const numbered = pageNumberings.flatMap((pageNumbers) =>
  [{}, ...alone].map((values): Values => ({ ...values, pageNumbers })),
);

/** The options as the service understands them. */
function understood(values: Values): AllOptions {
  const read = (name: string, value: string) => {
    if (value === 'true' || value === 'false') return value === 'true';
    return /^\d+$/.test(value) && name !== 'pdfa' ? Number(value) : value;
  };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(name, value)]));
}

/** A field of the form. */
const field = (name: string, data: Buffer | string) => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  data,
});

/** Why values are refused of several documents in one PDF, as the service says it. */
function reasonsOfWhole({ pageNumbers, ...values }: Values): { readonly message: string }[] {
  if (pageNumbers === undefined) return [];
  const checks = [
    () => assertNoPicture(values, 'send the document to /v1/convert'),
    () => assertPageNumbers(pageNumbers as PageNumbering, understood(values)),
  ];
  return checks.flatMap((check) => {
    try {
      check();
      return [];
    } catch (error) {
      return [error as Error];
    }
  });
}

const isSecret = (name: string) => secretFields.some((each) => each === name);

/** As few requests as these fit into, each of values that may all be combined. */
function combined(all: readonly Values[], mayBe: (values: Values) => boolean): Values[] {
  const requests: Values[] = [];
  for (const values of all) {
    const place = requests.findIndex((request) => {
      const hasOthers = Object.entries(values).some(([name, value]) => (request[name] ?? value) !== value);
      return !hasOthers && mayBe({ ...request, ...values });
    });
    if (place < 0) requests.push(values);
    else requests[place] = { ...requests[place], ...values };
  }
  return requests;
}

t.test('every pair of options', async (t) => {
  t.strictSame(
    Object.keys(parameters).filter((name) => !(name in typical)),
    [],
    'each parameter has a value here',
  );
  // More requests a second than a plan of ours allows.
  const PLANS_FILE = await writePlans(t.testdir(), { enterprise: { features: ['all'] } });
  const service = await Service.start(t, { env: { PLANS_FILE } });
  const { key } = await service.createKey();
  // A fifth of the time of `fetch` with its own form.
  const agent = new Agent({ keepAlive: true });
  t.teardown(() => agent.destroy());
  const engine = service.engine.status();
  const document = field('file"; filename="document.docx', docx());
  const reasonsFor = (values: Values) => {
    const options = understood(values);
    const broken = rules.filter((rule) => rule.isBroken(options));
    const limit = limits.find(({ isAsked, isMet }) => isAsked(options) && !isMet(engine));
    const ofLimit = limit ? [{ message: limit.message(engine) }] : [];
    return { broken, messages: [...broken, ...ofLimit, ...reasonsOfWhole(values)] };
  };
  const isAllowed = (values: Values) => reasonsFor(values).messages.length === 0;
  const send = async (values: Values) => {
    const entries = Object.entries(values);
    const query = new URLSearchParams(entries.filter(([name]) => !isSecret(name)));
    const fields = entries.filter(([name]) => isSecret(name)).map(([name, value]) => field(name, value));
    const isOfWhole = values.pageNumbers !== undefined;
    const { headers, body } = multipart([...(isOfWhole ? [document, document] : [document]), ...fields]);
    const call = request(`${service.url}/v1/${isOfWhole ? 'combine' : 'convert'}?${query}`, {
      method: 'POST',
      agent,
      headers: { ...headers, ...bearer(key), 'content-length': body.length },
    });
    call.end(body);
    return answerTo(call);
  };
  const metRules = new Set<unknown>();
  for (const values of [...pairs, ...numbered].filter((values) => !isAllowed(values))) {
    const { broken, messages } = reasonsFor(values);
    for (const rule of broken) metRules.add(rule);
    const answer = await send(values);
    const error = JSON.parse(answer.body.toString()) as { readonly code: string; readonly message: string };
    const what = textOf(values);
    t.match([answer.status, error.code], [400, 'INVALID_PARAMETER'], what);
    t.ok(
      messages.some(({ message }) => message === error.message),
      `${what}: ${error.message}`,
    );
  }
  const allowed = pairs.filter(isAllowed);
  const ofWhole = combined(numbered.filter(isAllowed), isAllowed);
  for (const values of [...alone.filter(isAllowed), ...combined(allowed, isAllowed), ...ofWhole]) {
    const { status } = await send(values);
    // The stub writes no PDF/A, which is noticed behind the engine: test/engine/convert/options.test.ts has the real one.
    // Nor does it write PDF/UA, which failOn refuses, or encrypt, which is noticed of several documents.
    const isRefused =
      values.pdfa !== undefined ||
      (values.pdfua !== undefined && values.failOn !== undefined) ||
      (values.pageNumbers !== undefined && Object.keys(values).some(isSecret));
    t.equal(status, isRefused ? 500 : 200, textOf(values));
  }
  t.ok(allowed.length > pairs.length / 3, 'many can be combined');
  t.strictSame(
    rules.filter((rule) => !metRules.has(rule) && !rule.options.includes('attachments')),
    [],
    'each rule refuses a pair',
  );
});
