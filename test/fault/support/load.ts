/** Clients that convert one document after the other while something else happens. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Test } from 'tap';
import { isAnyError } from '../../e2e/support/assertions.ts';
import { type Answer, answerTo, filePartHead, formEnd, openUpload } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import type { Server } from '../../support/server.ts';

/** Between an answer that is no PDF and the next request of that client. */
const PAUSE_MS = 50;

/** Converts a document over a connection of its own. */
export async function convertAlone(server: Server, key: string, document: Buffer): Promise<Answer> {
  const contentLength = filePartHead.length + document.length + formEnd.length;
  const request = openUpload(server, '/v1/convert', { key, contentLength });
  const answer = answerTo(request);
  request.end(Buffer.concat([filePartHead, document, formEnd]));
  return answer;
}

interface LoadAnswer extends Answer {
  /** When it had come, by `performance.now()`. */
  readonly at: number;
}

export class Load {
  /** Answers so far. */
  readonly answers: LoadAnswer[] = [];
  readonly #clients: Promise<void>[];
  #stopped = false;

  /**
   * @param clients how many send at a time.
   * @param pauseMs how long each waits after a PDF.
   */
  constructor(server: Server, key: string, clients = 4, pauseMs = 0) {
    this.#clients = Array.from({ length: clients }, () => this.#run(server, key, pauseMs));
    // stop() tells of it, if the test comes to that.
    for (const client of this.#clients) client.catch(() => {});
  }

  get converted(): number {
    return this.answers.filter(({ status }) => status === 200).length;
  }

  /** Waits for the last answers. Rejects when one did not come. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#clients);
  }

  async #run(server: Server, key: string, pauseMs: number): Promise<void> {
    const document = docx();
    while (!this.#stopped) {
      const answer = await convertAlone(server, key, document);
      this.answers.push({ ...answer, at: performance.now() });
      if (answer.status !== 200) await delay(PAUSE_MS);
      else if (pauseMs > 0) await delay(pauseMs);
    }
  }
}

/**
 * Asserts that every answer is a whole PDF or an error of the catalogue.
 *
 * @returns how many there are of each: of `PDF`, and of each code.
 */
export function areAnswers(t: Test, answers: readonly Answer[]): Record<string, number> {
  const kinds: Record<string, number> = {};
  for (const answer of answers) {
    const kind = answer.status === 200 ? 'PDF' : isAnyError(t, answer).code;
    kinds[kind] = (kinds[kind] ?? 0) + 1;
    if (kind !== 'PDF') continue;
    const { body, headers } = answer;
    if (body.length !== Number(headers.get('content-length'))) t.fail('a PDF is not whole');
    if (!body.toString('latin1').startsWith('%PDF-')) t.fail('an answer is no PDF');
  }
  return kinds;
}
