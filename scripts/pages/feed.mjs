/** The releases of the changelog for feed readers (Atom, RFC 4287). */
import { createHash } from 'node:crypto';
import { renderMarkdown } from './markdown.mjs';
import { changelog, changelogUrl, feedUrl } from './text-sources.mjs';

/** A random one, of this feed. Its ids derive from it, on every server the same. */
const NAMESPACE = 'a7b1c6e2-6f0d-4c55-9d38-2f5e0b1c7a94';

/**
 * What is unreleased has no date, and is left out. The addresses are relative: the feed does not know its server.
 *
 * @param {Record<string, string>} urls of the assets
 */
export function changelogFeed(urls) {
  const { html } = renderMarkdown(changelog, urls);
  const releases = html.split(/^(?=<h2 )/m).flatMap((section) => {
    const heading = /^<h2 id="([^"]+)">\[?(\d[^\]<]*)\]? - (\d{4}-\d\d-\d\d)<\/h2>\n/.exec(section);
    if (!heading) return [];
    const [line, anchor = '', version = '', date] = heading;
    const content = section.slice(line.length).trim();
    return [{ anchor, version, updated: `${date}T00:00:00Z`, content }];
  });
  const [last] = releases;
  if (!last) throw new Error('the changelog has no release, but a feed says when it changed');
  const entries = releases.map(
    ({ anchor, version, updated, content }) => `<entry>
<id>${idOf(version)}</id>
<title>Platen ${escaped(version)}</title>
<updated>${updated}</updated>
<link rel="alternate" type="text/html" href="${changelogUrl}#${anchor}"/>
<content type="html" xml:base="${changelogUrl}">${escaped(content)}</content>
</entry>`,
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${idOf('changelog')}</id>
<title>Platen changelog</title>
<updated>${last.updated}</updated>
<author><name>Platen</name></author>
<link rel="self" type="application/atom+xml" href="${feedUrl}"/>
<link rel="alternate" type="text/html" href="${changelogUrl}"/>
${entries.join('\n')}
</feed>
`;
}

/**
 * A UUID of a name (RFC 9562, version 5).
 *
 * @param {string} name
 */
function idOf(name) {
  const space = Buffer.from(NAMESPACE.replaceAll('-', ''), 'hex');
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return `urn:uuid:${bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}

/** @param {string} text */
function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
