/** Compares what our reader sees in a document with what LibreOffice prints of it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Test } from 'tap';
import { fromBufferPromise } from 'yauzl';
import { withoutReferences } from '../../../src/convert/document/markup.ts';
import { MarkupLexer } from '../../../src/convert/document/markup-lexer.ts';
import { PlatenError } from '../../../src/errors.ts';
import { openPreflight } from '../../convert/support/preflight.ts';
import { createJob, never, pdfText, type StartedKit, startKit } from '../../support/kit.ts';

/** Shorter ones may be numbers of lists. */
const WORD = /\p{L}{4,}/gu;
/** What separates words, wherever it stands. */
const BREAKS = /^(?:p|br|tab|cr|tc)$/;
/** How LibreOffice calls the document. */
const PATH = /input\.docx|\/proc\/self/;

/** What came of a document. */
interface Compared {
  /** The code of the error, where it is refused. */
  readonly refused?: string;
  readonly printed: string;
  /** Words that LibreOffice prints, and that our reader does not find in the document. */
  readonly unseen: readonly string[];
  /** Whether the PDF shows the path of the document. */
  readonly showsPath: boolean;
}

export class Readers {
  readonly #kit: StartedKit;
  readonly #preflight = openPreflight();

  private constructor(kit: StartedKit) {
    this.#kit = kit;
  }

  /** Starts a kit, which ends with the test. */
  static async start(t: Test): Promise<Readers> {
    return new Readers(await startKit(t));
  }

  /** @param isChecked whether the preflight sees it before LibreOffice does. */
  async compare(document: Buffer, isChecked = true): Promise<Compared> {
    const job = await createJob(this.#kit.folder, document);
    const path = join(job.folder, 'input.docx');
    try {
      if (isChecked) await this.#preflight.check(path);
      const read = await readText(await readFile(path));
      await this.#kit.engine.convert(job, never());
      const printed = await pdfText(job);
      const words = new Set(printed.toLowerCase().match(WORD) ?? []);
      return {
        printed,
        unseen: [...words].filter((word) => !read.includes(word)),
        showsPath: PATH.test(printed),
      };
    } catch (error) {
      if (!(error instanceof PlatenError)) throw error;
      return { refused: error.code, printed: '', unseen: [], showsPath: false };
    }
  }
}

/** The text of all XML parts, and of documents inside the document, in small letters. */
async function readText(archive: Buffer): Promise<string> {
  const texts: string[] = [];
  const zip = await fromBufferPromise(archive);
  for await (const entry of zip.eachEntry()) {
    const part = await buffer(await zip.openReadStreamPromise(entry));
    if (part.subarray(0, 2).toString() === 'PK') texts.push(await readText(part));
    else if (part.includes('<')) texts.push(textOf(part.toString()));
  }
  return texts.join('\n').toLowerCase();
}

/** The text of a part as our lexer finds it. */
function textOf(part: string): string {
  const pieces: string[] = [];
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  new MarkupLexer({
    open: (xml, start, _local, nameEnd) => {
      if (BREAKS.test(local(xml.slice(start + 1, nameEnd)))) pieces.push('\n');
    },
    close: (xml, start, end) => {
      if (BREAKS.test(local(xml.slice(start + 2, end - 1).trim()))) pieces.push('\n');
    },
    text: (xml, start, end) => pieces.push(withoutReferences(xml.slice(start, end))),
    section: (xml, start, end) => pieces.push(xml.slice(start, end)),
  }).write(part);
  return pieces.join('');
}
