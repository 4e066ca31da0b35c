/** Work on a PDF after LibreOffice's export, by qpdf in a child: mending PDF/UA, linearisation, encryption. */
import { link, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Engine, type FinishingJob, type Job, OUTPUT_NAME, UNFINISHED_NAME } from '../engine/engine.ts';
import {
  type ConversionOptions,
  type FormOptions,
  type PdfPermission,
  permissions,
} from '../shared/options/conversion-options.ts';

/** Folder of the work, inside the workspace; also the suffix of its job id. */
const FOLDER_NAME = 'finished';

/** A PDF that was worked on. */
export interface FinishedPdf {
  /** Folder of the PDF. */
  readonly folder: string;
  /** Its pages, as qpdf read them. */
  readonly pages: number;
}

/**
 * The work that the options ask for, as a job of qpdf's ("QPDF Job JSON" of its manual); undefined for none.
 *
 * The id is made of the content, so that the same document gives the same PDF; encryption does not allow that.
 */
export function finishingJob(
  { linearize, allow, pdfua }: ConversionOptions,
  { userPassword, ownerPassword }: FormOptions,
): Readonly<Record<string, unknown>> | undefined {
  const isEncrypted = userPassword !== undefined || ownerPassword !== undefined;
  if (!linearize && !isEncrypted && !pdfua) return undefined;
  return {
    // Streams of a PDF/A end with a line end (ISO 19005-1, 6.1.7).
    newlineBeforeEndstream: '',
    ...(linearize && { linearize: '' }),
    ...(isEncrypted
      ? {
          encrypt: {
            userPassword: userPassword ?? '',
            // Without one, the password for reading gives all rights.
            ownerPassword: ownerPassword ?? userPassword,
            '256bit': restrictions(allow),
          },
        }
      : { deterministicId: '' }),
  };
}

/** What AES-256 (R6) keeps from readers, in qpdf's terms. Reading aloud is always allowed, as ISO 32000-2 asks for. */
function restrictions(allow: string | undefined): Record<string, string> {
  const allowed = new Set(allow === undefined ? permissions : allow.split(','));
  const yesOrNo = (permission: PdfPermission) => (allowed.has(permission) ? 'y' : 'n');
  return {
    print: allowed.has('print') ? 'full' : 'none',
    extract: yesOrNo('copy'),
    modifyOther: yesOrNo('modify'),
    annotate: yesOrNo('annotate'),
    form: yesOrNo('fillForms'),
    assemble: yesOrNo('assemble'),
  };
}

/**
 * Has the engine work on the PDF in a folder, which stays as it is.
 *
 * @param job the document's; it gives its id and folder.
 * @param from the folder of the PDF.
 * @throws PlatenError as the engine.
 */
export async function finishPdf(
  engine: Engine,
  { id, folder, isPatient }: Job,
  from: string,
  work: Pick<FinishingJob, 'qpdf' | 'password' | 'isAccessible'>,
  signal: AbortSignal,
): Promise<FinishedPdf> {
  const own = join(folder, FOLDER_NAME);
  await mkdir(own, { mode: 0o700 });
  await link(join(from, OUTPUT_NAME), join(own, UNFINISHED_NAME));
  const pages = await engine.finish({ id: `${id}-${FOLDER_NAME}`, folder: own, isPatient, ...work }, signal);
  return { folder: own, pages };
}
