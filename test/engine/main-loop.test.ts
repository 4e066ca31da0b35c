/** How the kit comes into LibreOffice's main loop: from 26.8 on by a jump that it writes into LibreOffice's code. */
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { kitFiles } from '../../src/paths.ts';
import { docx } from '../support/documents.ts';
import { createJob, kitEngine, never, pdfText, startKit, temporaryFolder } from '../support/kit.ts';

const run = promisify(execFile);

/** Runs a command in which written memory cannot become executable: PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN. */
const WRAPPER = `import ctypes, os, sys
if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0):
    sys.exit("this kernel cannot forbid that")
os.execv(sys.argv[1], sys.argv[1:])
`;

const { engine, folder } = await startKit(t, { workers: 1 });
const { libreOffice = '', pid } = engine.status();

t.test('no code of LibreOffice is left open for writing', async (t) => {
  const job = await createJob(folder, docx({ paragraphs: ['through the loop'] }));
  await engine.convert(job, never());
  t.equal(await pdfText(job), 'through the loop');
  const mappings = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n');
  const code = mappings.filter((mapping) => /^\S+ ..x. .*\/lib(?:mergedlo|swlo)\.so$/.test(mapping));
  t.ok(code.length > 0);
  for (const mapping of code) t.match(mapping, /^\S+ r-xp /);
});

t.test('a system that forbids executing written memory', async (t) => {
  const home = await temporaryFolder(t);
  const wrapper = join(home, 'wrapper.py');
  await writeFile(wrapper, WRAPPER);
  const refused = await run('python3', [wrapper, '/bin/true']).then(
    () => undefined,
    (error: Error) => error.message,
  );
  if (refused !== undefined) {
    t.match(refused, 'this kernel cannot forbid that');
    t.comment('this kernel cannot forbid that');
    return;
  }
  const binary = join(home, 'kit.sh');
  await writeFile(binary, `#!/bin/sh\nexec python3 '${wrapper}' '${kitFiles.binary}' "$@"\n`);
  await chmod(binary, 0o755);
  const { engine } = await kitEngine(t, { binary, workers: 1 });
  if (Number.parseFloat(libreOffice) < 26.8) {
    await engine.start();
    t.ok(engine.status().ready, 'an older LibreOffice needs none');
  } else {
    await t.rejects(engine.start(), { message: /needs a jump written into its code/ });
  }
});
