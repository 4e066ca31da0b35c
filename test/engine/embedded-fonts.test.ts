/**
 * Fonts that documents bring along. LibreOffice would write them into its profile and read them with code that a damaged font
 * crashes: the sandbox does not let it write them. Without that layer it uses them, unless their licence forbids it.
 */
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { readFonts } from '../../bench/fidelity/fonts.ts';
import { docxWithFont, ownFont } from '../support/embedded-font.ts';
import { createJob, never, pdfText, type StartedKit, startKit, temporaryFolder } from '../support/kit.ts';
import { allLayers, buildOpenKit, layers } from '../support/kit-build.ts';

/** What a licence allows, as `fsType` says it, and whether LibreOffice uses the font. */
const licences = {
  everything: [0, true],
  'no embedding': [2, false],
  'embedding to edit': [8, true],
} as const;

/** Whether the PDF of a document with such a font has it. */
async function isUsed(t: Test, { engine, folder }: StartedKit, fsType: number): Promise<boolean> {
  // A name of its own: without the sandbox the fonts of all documents are in one folder.
  const family = `Quirkzone ${fsType}`;
  const job = await createJob(folder, docxWithFont(family, await ownFont(family, fsType)));
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'Set in its own font');
  const fonts = await readFonts(join(job.folder, 'output.pdf'));
  return fonts.some(({ name }) => name.includes('Quirkzone'));
}

t.test('they are not used', async (t) => {
  const kit = await startKit(t, { workers: 1 });
  if (!kit.engine.status().sandbox.some(({ name, active }) => name === 'landlock-files' && active)) {
    t.comment('this kernel lacks the layer');
    return;
  }
  for (const [what, [fsType]] of Object.entries(licences)) t.notOk(await isUsed(t, kit, fsType), what);
});

t.test('they would be used if LibreOffice could write', async (t) => {
  const folder = await temporaryFolder(t);
  const { program } = await buildOpenKit(folder, 'libreoffice');
  const kit = await startKit(t, { workers: 1, binary: await program(allLayers - layers.files) });
  for (const [what, [fsType, used]] of Object.entries(licences))
    t.equal(await isUsed(t, kit, fsType), used, what);
});
