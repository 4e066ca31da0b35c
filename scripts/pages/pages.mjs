/** Builds the pages that the service serves. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consolePage, dashboardPage, referencePage, tryItPage } from './applications.mjs';
import { buildAssets, licences } from './assets.mjs';
import { changelogFeed } from './feed.mjs';
import { openApi, write } from './files.mjs';
import { changelog, readText } from './text-sources.mjs';
import { changelogPage, guideIndex, guidePage, llmsText, readGuide } from './texts.mjs';

/**
 * Writes a folder `assets`, whose names change with their content; `docs`, with `reference.html`, `changelog.html`,
 * `guide.html` and a `guide-NAME.html` for each of its other pages, the Markdown of the last two, `guide.json`, which the guide's search
 * reads, and `changelog.atom`; `try-it.html`,
 * `dashboard.html` and `console.html`, whose placeholders the service fills in; `llms.txt`; and `openapi.json`.
 *
 * @param {string} folder
 */
export function buildPages(folder) {
  const urls = buildAssets(join(folder, 'assets'));
  const licencesFolder = join(folder, 'licences');
  mkdirSync(licencesFolder);
  for (const [name, source] of Object.entries(licences)) {
    writeFileSync(join(licencesFolder, name), readFileSync(source));
  }
  const docs = join(folder, 'docs');
  mkdirSync(docs);
  write(join(docs, 'reference.html'), Buffer.from(referencePage(urls)));
  const guide = readGuide(urls);
  for (const current of guide) {
    const name = current.name === 'README' ? 'guide.html' : `guide-${current.name}.html`;
    write(join(docs, name), Buffer.from(guidePage(urls, guide, current)));
    write(join(docs, `guide-${current.name}.md`), Buffer.from(current.markdown));
  }
  write(join(docs, 'guide.json'), Buffer.from(JSON.stringify(guideIndex(guide))));
  write(join(docs, 'changelog.html'), Buffer.from(changelogPage(urls)));
  write(join(docs, 'changelog.md'), Buffer.from(readText(changelog)));
  write(join(docs, 'changelog.atom'), Buffer.from(changelogFeed(urls)));
  write(join(folder, 'llms.txt'), Buffer.from(llmsText(guide)));
  writeFileSync(join(folder, 'try-it.html'), tryItPage(urls));
  writeFileSync(join(folder, 'dashboard.html'), dashboardPage(urls));
  writeFileSync(join(folder, 'console.html'), consolePage(urls));
  const document = JSON.parse(readFileSync(openApi, 'utf8'));
  write(join(folder, 'openapi.json'), Buffer.from(JSON.stringify(document)));
}
