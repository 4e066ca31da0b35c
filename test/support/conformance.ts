/** Checks PDFs with the product's own rules of PDF/A and PDF/UA. */
import { execFile } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Examination, examine, type Violation } from '../../src/convert/pdf/conformance/check.ts';
import type { Profile } from '../../src/convert/pdf/conformance/rule.ts';
import { TailReader } from '../../src/system/tail-reader.ts';

export type { Violation } from '../../src/convert/pdf/conformance/check.ts';
export { type Profile, profiles } from '../../src/convert/pdf/conformance/rule.ts';

const run = promisify(execFile);

/**
 * What is wrong in a PDF by the rules of one standard.
 *
 * @param path of the PDF.
 * @param password of an encrypted PDF, which may be PDF/UA; qpdf then decrypts it.
 * @throws Error if qpdf cannot read an encrypted file, or if there are rules that were not checked.
 */
export async function violations(path: string, profile: Profile, password = ''): Promise<Violation[]> {
  const { violations: found, unchecked } = examined(path, profile);
  if (unchecked === undefined) return [...found];
  if (unchecked !== 'the PDF is encrypted') throw new Error(unchecked);
  const folder = await mkdtemp(join(tmpdir(), 'decrypted-'));
  try {
    const decrypted = join(folder, 'decrypted.pdf');
    await run('qpdf', [`--password=${password}`, '--decrypt', path, decrypted]);
    return [...found, ...(await violations(decrypted, profile))];
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** As the product examines it. */
function examined(path: string, profile: Profile): Examination {
  const fd = openSync(path, 'r');
  try {
    const [examination] = examine(TailReader.over(fd), [profile]);
    if (!examination) throw new Error('there is no examination');
    return examination;
  } finally {
    closeSync(fd);
  }
}
