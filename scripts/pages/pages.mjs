/** Builds the pages that the service serves. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dashboardPage, referencePage, tryItPage } from './applications.mjs';
import { buildAssets, licences } from './assets.mjs';
import { write } from './files.mjs';
import { changelogPage, guidePage, readGuide } from './texts.mjs';

/**
 * Writes a folder `assets`, whose names change with their content; `docs`, with `reference.html`, `changelog.html`,
 * `guide.html` and a `guide-NAME.html` for each of its other pages; and `try-it.html` and `dashboard.html`, whose
 * placeholders the service fills in.
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
  const guide = readGuide();
  for (const current of guide) {
    const name = current.name === 'README' ? 'guide.html' : `guide-${current.name}.html`;
    write(join(docs, name), Buffer.from(guidePage(urls, guide, current)));
  }
  write(join(docs, 'changelog.html'), Buffer.from(changelogPage(urls)));
  write(join(folder, 'try-it.html'), Buffer.from(tryItPage(urls)));
  write(join(folder, 'dashboard.html'), Buffer.from(dashboardPage(urls)));
}
