/** The pages for integrators and for passers-by, as they are sent. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import t, { type Test } from 'tap';
import { kitFiles } from '../../../src/paths.ts';
import { isError } from '../../e2e/support/assertions.ts';
import { get, send } from '../../e2e/support/requests.ts';
import { Service } from '../../support/service.ts';

const service = await Service.start(t);
const GUIDE = '/v1/docs/guide';
const CHANGELOG = '/v1/docs/changelog';
const PAGES = ['/v1/docs', GUIDE, `${GUIDE}/errors`, CHANGELOG];

function isLocked(t: Test, headers: Headers, name: string): void {
  const policy = new Map(
    (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
      const [key = '', ...sources] = directive.trim().split(' ');
      return [key, sources.join(' ')];
    }),
  );
  t.strictSame(
    [
      'default-src',
      'script-src',
      'style-src',
      'connect-src',
      'base-uri',
      'form-action',
      'frame-ancestors',
    ].map((key) => policy.get(key)),
    ["'none'", "'self'", "'self'", "'self'", "'none'", "'none'", "'none'"],
    `${name}: content security policy`,
  );
  t.notMatch([...policy.values()].join(' '), /unsafe|\*|http/, `${name}: nothing is let through`);
  t.equal(headers.get('x-content-type-options'), 'nosniff', name);
  t.equal(headers.get('referrer-policy'), 'no-referrer', name);
  t.equal(headers.get('x-frame-options'), 'DENY', name);
  t.equal(headers.get('cross-origin-opener-policy'), 'same-origin', name);
  t.equal(headers.get('cross-origin-resource-policy'), 'same-origin', name);
  t.equal(headers.get('permissions-policy'), 'camera=(), geolocation=(), microphone=()', name);
}

/** The addresses of everything that a page loads. */
const assetsOf = (html: string) => [...new Set(html.match(/(?<=(?:src|href)=")\/assets\/[^"]+/g))];

t.test('the pages', async (t) => {
  for (const path of PAGES) {
    const { status, headers, body } = await get(service, path);
    t.equal(status, 200, path);
    t.equal(headers.get('content-type'), 'text/html; charset=utf-8', path);
    t.equal(headers.get('cache-control'), 'no-store', path);
    t.match(headers.get('x-request-id'), /^req_/, path);
    isLocked(t, headers, path);
    t.notMatch(
      body.toString('utf8'),
      /(src|rel="stylesheet" href)="(https?:)?\/\//,
      'nothing of another host',
    );
    const again = await send(service, path, {
      method: 'GET',
      headers: { 'if-none-match': headers.get('etag') ?? '' },
    });
    t.strictSame([again.status, again.body.length], [304, 0], 'what has not changed is not sent again');
    const moved = await fetch(`${service.url}${path}/`, { redirect: 'manual' });
    t.strictSame([moved.status, moved.headers.get('location')], [308, path]);
  }
});

t.test('the page to try the service', async (t) => {
  const { status, headers, body } = await get(service, '/');
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  t.equal(headers.get('cache-control'), 'no-cache');
  isLocked(t, headers, '/');
  t.match(headers.get('content-security-policy'), ';frame-src blob:', 'it shows the PDF that it has');
  t.match((await get(service, '/v1/docs')).headers.get('content-security-policy'), /^((?!frame-src).)*$/);
  t.notMatch(body.toString('utf8'), /\{\{|(src|rel="stylesheet" href)="(https?:)?\/\/| style="| on\w+="/);
  isError(t, await send(service, '/'), 'METHOD_NOT_ALLOWED');
});

t.test('a document for who has none at hand', async (t) => {
  const { status, headers, body } = await get(service, '/sample.docx');
  t.equal(status, 200);
  t.match(headers.get('content-type'), /wordprocessingml\.document$/);
  t.ok(body.equals(await readFile(kitFiles.sampleDocument)));
});

t.test('every page of the guide is there, and no link between them is broken', async (t) => {
  const linksOf = (html: string) =>
    [...html.matchAll(/<a href="((?:\/|#)[^"]*)"/g)].map(([, href = '']) => href);
  const read = async (path: string) => (await get(service, path)).body.toString('utf8');
  const paths = linksOf(await read(GUIDE)).filter((href) => /^\/v1\/docs\/guide\/[\w-]+$/.test(href));
  const texts = new Map<string, string>();
  for (const path of [GUIDE, CHANGELOG, ...new Set(paths)]) texts.set(path, await read(path));
  t.ok(texts.size > 5, 'the first page names them');
  t.match(texts.get(`${GUIDE}/versioning`), `href="${CHANGELOG}"`);
  t.match(texts.get(CHANGELOG), '<h2 id="unreleased">');
  for (const [path, html] of texts) {
    for (const href of linksOf(html)) {
      const { pathname, hash } = new URL(href, service.url + path);
      const target = texts.get(pathname);
      if (target === undefined) t.equal((await get(service, pathname)).status, 200, `${path}: ${href}`);
      else if (hash !== '') t.match(target, ` id="${hash.slice(1)}"`, `${path}: ${href}`);
    }
  }
});

t.test('programs read the same in Markdown, and find it from /llms.txt', async (t) => {
  const index = await get(service, '/llms.txt');
  t.match(index, { status: 200 });
  t.match(index.headers.get('content-type'), /^text\/plain; charset=utf-8$/i);
  const text = index.body.toString('utf8');
  t.match(text, /^# Platen\n\n> Converts Word documents/);
  t.match(text, '- [Errors](/v1/docs/guide/errors.md): failed requests');
  const paths = [...text.matchAll(/\]\((\/[^)]+)\)/g)].map(([, path = '']) => path);
  t.ok(paths.length > 15);
  for (const path of paths) {
    const { status, headers, body } = await get(service, path);
    t.equal(status, 200, path);
    t.equal(headers.get('content-type'), 'text/markdown; charset=utf-8', path);
    t.match(body.toString('utf8'), /^# /, path);
    // Links between pages of the guide lead to Markdown again.
    for (const [, name = ''] of body.toString('utf8').matchAll(/\]\(([\w-]+\.md)(?:#[\w-]+)?\)/g)) {
      if (path.startsWith(`${GUIDE}/`)) t.ok(paths.includes(`${GUIDE}/${name}`), `${path}: ${name}`);
    }
    const page = (await get(service, path.replace(/\/README\.md$|\.md$/, ''))).body.toString('utf8');
    t.match(page, `<link rel="alternate" type="text/markdown" href="${path}">`, 'the page names it');
  }
});

t.test(
  '/.well-known/security.txt says whom to tell of a vulnerability, where the operator has said it',
  async (t) => {
    const path = '/.well-known/security.txt';
    isError(t, await get(service, path), 'NOT_FOUND');
    const named = await Service.start(t, {
      env: {
        SECURITY_CONTACT: 'mailto:security@example.com, https://example.com/report',
        PUBLIC_URL: 'https://pdf.example.com',
      },
    });
    const { status, headers, body } = await get(named, path);
    t.equal(status, 200);
    t.equal(headers.get('content-type'), 'text/plain; charset=utf-8');
    const [first, second, canonical, expires = '', ...rest] = body.toString('utf8').split('\n');
    t.strictSame(
      [first, second, canonical, rest],
      [
        'Contact: mailto:security@example.com',
        'Contact: https://example.com/report',
        `Canonical: https://pdf.example.com${path}`,
        [''],
      ],
    );
    const [, date = ''] = /^Expires: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)$/.exec(expires) ?? [];
    const days = (Date.parse(date) - Date.now()) / 86_400_000;
    t.ok(days > 29 && days <= 30, `${days} days`);
  },
);

t.test('a feed reader sees the releases of the changelog', async (t) => {
  const page = (await get(service, CHANGELOG)).body.toString('utf8');
  const [, path = ''] = /<link rel="alternate" type="application\/atom\+xml" href="([^"]+)"/.exec(page) ?? [];
  const { status, headers, body } = await get(service, path);
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'application/atom+xml');
  const versions = [...page.matchAll(/<h2 id="([^"]+)">\[?(\d[^\]<]*)\]? - ([\d-]+)<\/h2>/g)];
  t.ok(versions.length > 0);
  const feed = readAtom(body.toString('utf8'));
  t.strictSame(
    feed.entries.map(({ title, updated, link }) => [title, updated, link]),
    versions.map(([, id, version, date]) => [`Platen ${version}`, `${date}T00:00:00Z`, `${CHANGELOG}#${id}`]),
  );
  t.equal(feed.updated, feed.entries[0]?.updated);
  const ids = [feed.id, ...feed.entries.map(({ id }) => id)];
  t.equal(new Set(ids).size, ids.length);
  for (const id of ids)
    t.match(id, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  // They never change: readers would show every entry again.
  t.equal(feed.id, 'urn:uuid:8fa4e22d-55ff-5028-9740-e6c369904710');
  for (const { content } of feed.entries) {
    t.match(content, /^<(p|h3)[ >]/);
    t.notMatch(content, /<h2|<script/);
    const [text = ''] = /(?<=<li>)[^<]+/.exec(content) ?? [];
    t.ok(page.includes(text), 'it says the same');
  }
});

t.test('the assets', async (t) => {
  const pages = await Promise.all(['/', ...PAGES].map((path) => get(service, path)));
  const assets = [...new Set(pages.flatMap(({ body }) => assetsOf(body.toString('utf8'))))];
  t.ok(assets.length >= 8);
  for (const path of assets) {
    const plain = await send(service, path, { method: 'GET', headers: { 'accept-encoding': 'identity' } });
    t.equal(plain.status, 200, path);
    t.match(
      plain.headers.get('content-type'),
      /^((text\/css|application\/javascript); charset=utf-8|image\/svg\+xml)$/,
      path,
    );
    t.equal(plain.headers.get('cache-control'), 'public, max-age=31536000, immutable', path);
    t.equal(plain.headers.get('content-encoding'), null, path);
    t.equal(plain.headers.get('vary'), 'accept-encoding', path);
    isLocked(t, plain.headers, path);
    const gzip = await getRaw(path, 'gzip');
    t.equal(gzip.encoding, 'gzip', path);
    t.ok(gunzipSync(gzip.body).equals(plain.body), `${path}: the same, compressed`);
  }
});

t.test('Accept-Encoding and If-None-Match, as RFC 9110 has them', async (t) => {
  const encodings = [
    ['gzip', 'gzip'],
    ['deflate, GZIP;q=0.5', 'gzip'],
    ['*', 'gzip'],
    ['br;q=1.0, *;q=0.1', 'gzip'],
    ['gzip;q=0.000', undefined],
    ['gzip;q=0.1, identity', 'gzip'],
    ['br', undefined],
    ['', undefined],
    ['*;q=0', undefined],
  ] as const;
  for (const [header, expected] of encodings) {
    t.equal((await getRaw('/v1/docs', header)).encoding, expected, header);
  }

  const etag = String((await get(service, '/v1/docs')).headers.get('etag'));
  const opaque = etag.replace('W/', '');
  const tags = [
    ['*', 304],
    [' * ', 304],
    [etag, 304],
    [opaque, 304],
    [`"a", ${etag} , "b"`, 304],
    ['"a", *', 200],
    ['W/"a"', 200],
    [opaque.slice(1, -1), 200],
  ] as const;
  for (const [header, expected] of tags) {
    const headers = { 'if-none-match': header };
    const { status } = await send(service, '/v1/docs', { method: 'GET', headers });
    t.equal(status, expected, header);
  }
});

t.test('the OpenAPI document is sent in the same way', async (t) => {
  const path = '/v1/openapi.json';
  const plain = await send(service, path, { method: 'GET', headers: { 'accept-encoding': 'identity' } });
  t.strictSame([plain.status, plain.headers.get('content-encoding')], [200, null]);
  t.equal(plain.headers.get('content-type'), 'application/json; charset=utf-8');
  t.equal(plain.headers.get('vary'), 'Origin, accept-encoding');
  t.match(JSON.parse(plain.body.toString('utf8')), { openapi: /^3/, paths: { [path]: Object } });
  const gzip = await getRaw(path, 'gzip');
  t.equal(gzip.encoding, 'gzip');
  t.ok(gunzipSync(gzip.body).equals(plain.body), 'the same, compressed');
  t.ok(gzip.body.length < plain.body.length / 5, `${gzip.body.length} of ${plain.body.length} bytes`);
  const etag = String((await get(service, path)).headers.get('etag'));
  for (const [tag, status] of [
    ['*', 304],
    [etag, 304],
    ['W/"other"', 200],
  ] as const) {
    const answer = await send(service, path, { method: 'GET', headers: { 'if-none-match': tag } });
    t.equal(answer.status, status, tag);
    t.equal(answer.headers.get('etag'), etag, tag);
    if (status === 304) t.equal(answer.body.length, 0, tag);
  }
});

t.test('no other file', async (t) => {
  for (const path of [
    '/v1/docs/nothing',
    '/assets',
    '/assets/',
    '/assets/base.css',
    '/assets/..%2Fdocs%2Freference.html',
    '/assets/..%2f..%2fmain.js',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/assets/..%5c..%5cmain.js',
    '/assets/__proto__',
  ]) {
    isError(t, await get(service, path), 'NOT_FOUND', 404, path);
  }
  const { status } = await getRaw('/assets/../../../main.js', 'identity');
  t.equal(status, 404, 'nor with dots that a client would have resolved');
  isError(t, await send(service, '/v1/docs'), 'METHOD_NOT_ALLOWED');
});

t.test('a header full of spaces delays nobody', async (t) => {
  const spaces = ' '.repeat(7_500);
  const headers = { 'if-none-match': `"a"${spaces}"b"`, 'accept-encoding': `a${spaces}b` };
  const burst = () => [1, 2, 3, 4].map(() => send(service, '/v1/docs', { method: 'GET', headers }));
  // A server whose event loop is held up refuses what comes next.
  for (let i = 0; i < 8; i++) {
    for (const { status } of await Promise.all(burst())) t.equal(status, 200);
  }
});

t.test('GET /v1 links to them', async (t) => {
  const { documentation } = JSON.parse((await get(service, '/v1')).body.toString('utf8'));
  t.strictSame(documentation, {
    reference: '/v1/docs',
    guide: '/v1/docs/guide',
    openapi: '/v1/openapi.json',
  });
});

/** Sends the path as it is written here, and leaves the body as it comes. */
async function getRaw(path: string, acceptEncoding: string) {
  const sent = request(service.url, { path, headers: { 'accept-encoding': acceptEncoding } }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return {
    status: answer.statusCode,
    encoding: answer.headers['content-encoding'],
    body: await buffer(answer),
  };
}

/** An Atom feed (RFC 4287), read by an XML parser; what must be there is there once. */
function readAtom(xml: string) {
  const elements: { readonly path: string; readonly attributes: Record<string, string>; text: string }[] = [];
  const open: string[] = [];
  const stack: (typeof elements)[number][] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('opentag', ({ local, uri, attributes }) => {
    t.equal(uri, 'http://www.w3.org/2005/Atom');
    open.push(local);
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value]);
    const element = { path: open.join('/'), attributes: Object.fromEntries(values), text: '' };
    elements.push(element);
    stack.push(element);
  });
  parser.on('text', (text) => {
    const current = stack.at(-1);
    if (current) current.text += text;
  });
  parser.on('closetag', () => {
    open.pop();
    stack.pop();
  });
  parser.write(xml).close();
  const starts = elements.flatMap(({ path }, at) => (path === 'feed/entry' ? [at] : []));
  const own = elements.slice(0, starts[0]);
  const textOf = (among: typeof elements, path: string) => {
    const found = among.filter((each) => each.path === path);
    t.equal(found.length, 1, path);
    return found[0]?.text ?? '';
  };
  t.ok(textOf(own, 'feed/title') && textOf(own, 'feed/author/name'));
  return {
    id: textOf(own, 'feed/id'),
    updated: textOf(own, 'feed/updated'),
    entries: starts.map((start, index) => {
      const entry = elements.slice(start, starts[index + 1]);
      const attribute = (path: string, name: string) =>
        entry.find((each) => each.path === path)?.attributes[name];
      t.equal(attribute('feed/entry/content', 'type'), 'html');
      return {
        id: textOf(entry, 'feed/entry/id'),
        title: textOf(entry, 'feed/entry/title'),
        updated: textOf(entry, 'feed/entry/updated'),
        link: attribute('feed/entry/link', 'href'),
        content: textOf(entry, 'feed/entry/content'),
      };
    }),
  };
}
