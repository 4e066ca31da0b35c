/** Converts the documents of a batch on this machine, without a service. */
import type { Readable } from 'node:stream';
import type { Config } from '../../config.ts';
import { describeWarning } from '../../convert/report/warning-messages.ts';
import { notableWarningsOf } from '../../convert/report/warnings.ts';
import { PlatenError } from '../../errors.ts';
import type { Log } from '../../system/log.ts';
import { LocalEngine } from '../local/local-engine.ts';
import type { BatchConverter, MadePdf, ReadDocument, SizeLimit } from './converter.ts';
import type { BatchRequest } from './request.ts';

export const limitOf = ({ maxFileBytes }: Config): SizeLimit => ({
  bytes: maxFileBytes,
  setBy: 'MAX_FILE_MB',
});

export class LocalConverter implements BatchConverter {
  readonly limit: SizeLimit;
  readonly #local: LocalEngine;
  readonly #request: BatchRequest;

  /** @param local which it closes in its end, and whose limit this is. */
  constructor(local: LocalEngine, request: BatchRequest, limit: SizeLimit) {
    this.#local = local;
    this.#request = request;
    this.limit = limit;
  }

  /**
   * @throws OperatorError if this machine lacks something.
   * @throws PlatenError `INVALID_PARAMETER` if its engine cannot do what is asked.
   * @throws the signal's reason.
   */
  static async open(
    config: Config,
    request: BatchRequest,
    log: Log,
    signal: AbortSignal,
  ): Promise<LocalConverter> {
    const local = await LocalEngine.start(config, log, signal);
    try {
      local.assertPossible(request.options);
    } catch (error) {
      await local.close();
      throw error;
    }
    return new LocalConverter(local, request, limitOf(config));
  }

  async convert(
    { content }: ReadDocument,
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf> {
    const { options, secrets, attachments } = this.#request;
    let made: MadePdf | undefined;
    await this.#local.convert(
      { content, options, secrets, attachments },
      async (pdf, { pages, report }) => {
        const warnings = notableWarningsOf(report);
        made = { pages, warnings: warnings.map(describeWarning) };
        await keep(pdf);
      },
      signal,
    );
    if (!made) throw new PlatenError('INTERNAL_ERROR', { cause: 'a conversion without a PDF' });
    return made;
  }

  async combine(
    documents: readonly ReadDocument[],
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf> {
    const { options, pageNumbers, secrets, attachments } = this.#request;
    let made: MadePdf | undefined;
    await this.#local.combine(
      { documents, options, pageNumbers, secrets, attachments },
      async (pdf, { pages, report }) => {
        made = { pages, warnings: notableWarningsOf(report).map(describeWarning) };
        await keep(pdf);
      },
      signal,
    );
    if (!made) throw new PlatenError('INTERNAL_ERROR', { cause: 'a conversion without a PDF' });
    return made;
  }

  async close(): Promise<void> {
    await this.#local.close();
  }
}
