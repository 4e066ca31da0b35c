/** A document that LibreOffice has encrypted opens with its password. */
import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { openPreflight } from '../convert/support/preflight.ts';
import { docx } from '../support/documents.ts';
import { temporaryFolder } from '../support/kit.ts';

const PASSWORD = 'Geheim ü €';
const PATIENCE_MS = 300_000;

t.test('its text is there', async (t) => {
  const folder = await temporaryFolder(t);
  const [profile, source, target] = ['profile', 'in.docx', 'out.docx'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await mkdir(profile);
  await writeFile(source, docx());
  const script = fileURLToPath(new URL('../support/encrypt-docx.py', import.meta.url));
  const args = [script, 'soffice', profile, source, target, PASSWORD];
  await promisify(execFile)('/usr/bin/python3', args, { timeout: PATIENCE_MS });
  t.notMatch(await readFile(target, 'latin1'), /^PK/, 'it is encrypted');
  const { metadata } = await openPreflight().check(target, { password: PASSWORD });
  t.ok(metadata.text.total > 0);
});
