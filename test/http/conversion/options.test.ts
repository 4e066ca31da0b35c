/** The options of a conversion over HTTP, in front of a stub engine: what is refused, with which words, and when. */
import t from 'tap';
import { docx } from '../../support/documents.ts';
import { form } from '../../support/server.ts';
import { Service } from '../../support/service.ts';

const service = await Service.start(t, { env: { PUBLIC_PER_SECOND: '1000' } });
const accounts = { pro: 'pro', free: 'free' } as const;
for (const [id, plan] of Object.entries(accounts)) await service.createAccount(id, plan);
const keys = {
  pro: (await service.createKey({ account: 'pro' })).key,
  free: (await service.createKey({ account: 'free' })).key,
  tester: (await service.createKey({ account: 'free', environment: 'test' })).key,
};
const document = docx();

interface Sent {
  readonly key?: string;
  readonly fields?: Readonly<Record<string, string>>;
}

async function convert(query: string, { key = keys.pro, fields = {} }: Sent = {}) {
  const body = form(document);
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  const path = key === '' ? '/v1/public/convert' : '/v1/convert';
  const answer = await fetch(`${service.url}${path}?${query}`, {
    method: 'POST',
    body,
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
  });
  const isError = answer.headers.get('content-type')?.startsWith('application/json');
  const error = isError ? ((await answer.json()) as { code: string; message: string }) : undefined;
  if (!isError) await answer.arrayBuffer();
  return { status: answer.status, headers: answer.headers, ...error };
}

t.test('unknown parameters', async (t) => {
  for (const [query, nearest] of [
    ['watermrk=DRAFT', 'watermark'],
    ['pdfA=2b', 'pdfa'],
    ['Linearize=true', 'linearize'],
    ['constructor=1', undefined],
    [`${'x'.repeat(5_000)}=1`, undefined],
  ] as const) {
    const { status, code, message = '' } = await convert(query);
    t.equal(status, 400, query);
    t.equal(code, 'INVALID_PARAMETER');
    t.match(message, /^There is no parameter ".{1,40}" here\. The nearest is \w+; there are: format, /);
    if (nearest !== undefined) t.match(message, `is ${nearest};`);
  }
  for (const query of ['key=svc_test_sk_x', 'api_key=x', 'access_token=x']) {
    const { code, message = '' } = await convert(query, { key: '' });
    t.equal(code, 'INVALID_PARAMETER');
    t.match(message, /^A key does not go into the address.*"Authorization: Bearer svc_…"/, query);
  }
  const { message } = await convert('title=x', { key: '' });
  t.match(message, /there are: format, page, width, background, layout, pages\.$/, 'of the public endpoint');
});

t.test('invalid values', async (t) => {
  for (const [query, expected] of [
    ['linearize=yes', 'linearize must be true or false, or left out.'],
    ['imageQuality=0&images=jpeg', 'imageQuality must be a whole number from 1 to 100, or left out.'],
    ['imageDpi=100', 'imageDpi must be 75 or 150 or 300 or 600, or left out.'],
    ['pages=0', 'pages must be a list of pages and ranges such as 1-3,7,10-, or left out.'],
    ['pages=3-1', 'pages has a range that ends before it begins. Send ranges such as 1-3,7,10-.'],
    [
      'watermark=',
      'watermark must be a text of 1 to 100 characters, not all blank, without control characters, or left out.',
    ],
    [
      'watermark=a%0Ab',
      'watermark must be a text of 1 to 100 characters, not all blank, without control characters, or left out.',
    ],
    ['watermark=+%20', /^watermark must be a text of 1 to 100 characters, not all blank/],
    ['title=%20', /^title must be a text of 1 to 500 characters, not all blank/],
    [
      'watermark=a&watermarkColor=red',
      'watermarkColor must be a colour as RRGGBB in hexadecimal, or left out.',
    ],
    ['title=a&title=b', 'title must be given once, or left out.'],
    ['allow=print,read', /^allow must be "none" or a list of print, copy/],
    ['pdfa=2b&pdfa=3b', 'pdfa must be given once, or left out.'],
  ] as const) {
    t.match(await convert(query), { status: 400, code: 'INVALID_PARAMETER', message: expected }, query);
  }
});

t.test('a field of the form as a parameter', async (t) => {
  for (const name of ['password', 'userPassword', 'ownerPassword', 'attachment']) {
    const message = new RegExp(`^${name} is not a parameter\\. Send it as a field of the form`);
    t.match(await convert(`${name}=secret&title=x`), { status: 400, code: 'INVALID_PARAMETER', message });
  }
});

t.test('impossible combinations', async (t) => {
  for (const [query, fields, message] of [
    ['pdfa=2b', { userPassword: 'a' }, /PDF\/A must not be encrypted/],
    ['pdfa=1b&pdfua=true', {}, /Use pdfa=2b or pdfa=3b/],
    ['imageQuality=5', {}, /^imageQuality needs images=jpeg/],
    ['allow=print', {}, /^allow needs ownerPassword/],
    ['', { userPassword: 'same', ownerPassword: 'same' }, /are the same/],
  ] as const) {
    t.match(await convert(query, { fields }), { status: 400, code: 'INVALID_PARAMETER', message }, query);
  }
});

t.test('fields of the form', async (t) => {
  for (const [fields, message] of [
    [{ userPasword: 'a' }, /The nearest is userPassword; there are: file, format, /],
    [{ pdfa: '2b' }, 'pdfa is not a form field. Send it in the query: /v1/convert?pdfa=…'],
    [{ format: 'docx' }, 'The format must be pdf or png. Send it in the query: /v1/convert?format=…'],
    [{ userPassword: '' }, /^userPassword must have 1 to 127 bytes/],
    [{ userPassword: 'a\tb' }, /^userPassword must have 1 to 127 bytes/],
    [{ ownerPassword: 'é'.repeat(64) }, /^ownerPassword must have 1 to 127 bytes/],
  ] as const) {
    t.match(
      await convert('', { fields }),
      { status: 400, code: 'INVALID_PARAMETER', message },
      JSON.stringify(fields),
    );
  }
  for (const [parts, message] of [
    [['x', 'y'], 'userPassword must be given once, or left out.'],
    [['x', 'x'], 'userPassword must be given once, or left out.'],
    [[new Blob(['x'])], 'userPassword is a file. Send it as text, without a file name.'],
  ] as const) {
    const body = form(document);
    for (const each of parts) body.append('userPassword', each);
    const headers = { authorization: `Bearer ${keys.pro}` };
    const answer = await fetch(`${service.url}/v1/convert`, { method: 'POST', body, headers });
    t.equal(answer.status, 400);
    t.match(await answer.json(), { code: 'INVALID_PARAMETER', message });
  }
  for (const userPassword of ['a', 'é'.repeat(63), ' ', '"\\']) {
    t.match(await convert('', { fields: { userPassword } }), { status: 200 }, userPassword);
  }
});

t.test('features of plans', async (t) => {
  for (const [query, fields, option] of [
    ['pdfua=true', {}, 'pdfua'],
    ['changes=marked', {}, 'changes'],
    ['watermark=Draft', {}, 'watermark'],
    ['', { userPassword: 'a' }, 'userPassword'],
    ['allow=none', { ownerPassword: 'a' }, 'allow'],
  ] as const) {
    const refused = await convert(query, { key: keys.free, fields });
    t.match(refused, { status: 403, code: 'FEATURE_NOT_IN_PLAN' }, query);
    t.equal(
      refused.message,
      `The option ${option} is not in your plan "free". It is in: "pro", "enterprise". Leave it out, or ask your operator ` +
        'for such a plan.',
    );
    t.match(await convert(query, { fields }), { status: 200 }, `${query} with a plan`);
    t.match(await convert(query, { key: keys.tester, fields }), { status: 200 }, `${query} with a test key`);
    const open = await convert(query, { key: '', fields });
    t.match(open, { status: 403, code: 'FEATURE_NOT_IN_PLAN' }, `${query} without a key`);
    t.match(open.message, `The option ${option} needs an API key.`);
  }
  const free =
    'pdfua=false&changes=final&comments=none&linearize=true&title=x&bookmarks=false&pages=1&layout=engine';
  t.match(await convert(free, { key: keys.free }), { status: 200 }, 'defaults need no plan');
});

t.test('a retry with other options is another conversion', async (t) => {
  const send = (query: string, fields: Readonly<Record<string, string>>) => {
    const body = form(document);
    for (const [name, value] of Object.entries(fields)) body.append(name, value);
    const headers = { authorization: `Bearer ${keys.pro}`, 'idempotency-key': 'options-1' };
    return fetch(`${service.url}/v1/convert?${query}`, { method: 'POST', body, headers });
  };
  const statusOf = async (query: string, fields = {}) => {
    const answer = await send(query, fields);
    await answer.arrayBuffer();
    return answer.status;
  };
  t.equal(await statusOf('pages=1-2,2&title=a', { userPassword: 'x' }), 200);
  t.equal(await statusOf('title=a&pages=1,2&layout=auto', { userPassword: 'y' }), 200, 'the same');
  t.equal(await statusOf('title=b&pages=1,2', { userPassword: 'x' }), 422);
  t.equal(await statusOf('title=a&pages=1,2'), 422);
});

t.test('a page selection behind the end', async (t) => {
  service.engine.texts = ['one', 'two'];
  const { headers } = await convert('pages=1-5');
  t.equal(headers.get('x-conversion-warnings'), 'PAGES_CLAMPED;pages=2');
});
