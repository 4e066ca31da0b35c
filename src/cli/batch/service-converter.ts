/** Converts the documents of a batch by a service, and retries as docs/guide/retries.md says. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '../../errors.ts';
import { ATTACHMENT } from '../../http/conversion/upload.ts';
import {
  type ReadWarning,
  readWarningsHeader,
  WARNINGS_HEADER,
} from '../../http/conversion/warnings-header.ts';
import { type DocumentType, documentTypes } from '../../shared/document-types.ts';
import { type Format, formatOf, formats } from '../../shared/options/conversion-options.ts';
import {
  type BatchConverter,
  BatchFailure,
  type MadePdf,
  type ReadDocument,
  type SizeLimit,
} from './converter.ts';
import type { BatchRequest } from './request.ts';

/** What a service can be expected to take from one client at a time (docs/guide/retries.md). */
export const REQUESTS = 4;
/** A document gets at least this many attempts, for at least this long, so that it outlasts a restart of the service. */
const ATTEMPTS = 8;
const PATIENCE_MS = 120_000;
const BASE_MS = 500;
const CAP_MS = 30_000;
/** A longer wait is a failure: the rest of the batch may not need it. */
const LONGEST_WAIT_MS = 120_000;
/** Until an answer begins. */
const ANSWER_MS = 180_000;
/** For the first answer of a service: a mistyped address is reported soon. */
const FIRST = { attempts: 3, answerMs: 10_000 };
/** Until a PDF has arrived. */
const DELIVERY_MS = 300_000;
const MAX_ERROR_BYTES = 65_536;
/** How long a refusal of the client counts for other documents, too. */
const REFUSED_MS = 60_000;
const retriedStatuses = new Set([408, 409, 429, 502, 503, 504]);

/** A failure that another attempt may not meet. */
class PassingFailure extends BatchFailure {
  readonly retryAfterMs: number;

  constructor(code: string, message: string, retryAfterMs: number, options?: ErrorOptions) {
    super(code, message, options);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A failure of the key or its account, which the next document would meet, too. */
class ClientRefused extends BatchFailure {}

/** A service, and what it accepts. */
export interface KnownService {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly accepts: readonly DocumentType[];
  readonly limit: SizeLimit;
}

/** The address of a service, without a slash at the end. @throws OperatorError if it is none. */
export function serviceUrl(address: string): string {
  const { protocol, username, password, search, hash } = URL.canParse(address)
    ? new URL(address)
    : new URL('none:');
  if (!/^https?:$/.test(protocol) || username + password + search + hash !== '') {
    throw new OperatorError('--server must be an http:// or https:// URL without credentials and a query');
  }
  return address.replace(/\/+$/, '');
}

/** Asks a service what it accepts. @throws OperatorError if there is none at the address. */
export async function findService(address: string, signal: AbortSignal): Promise<KnownService> {
  const url = serviceUrl(address);
  const ask = () => once(`${url}/v1`, {}, signal, textOf, FIRST.answerMs);
  const isEnough = (count: number) => count >= FIRST.attempts;
  const info = await retried(ask, signal, isEnough).catch((cause: Error) => {
    signal.throwIfAborted();
    throw new OperatorError(`no Platen service answers at ${url}: ${cause.message}`, { cause });
  });
  const { accepts, limits } = objectIn(info) as {
    accepts?: unknown;
    limits?: { maxFileBytes?: unknown } | null;
  };
  const bytes = limits?.maxFileBytes;
  if (!Array.isArray(accepts) || typeof bytes !== 'number') {
    throw new OperatorError(`${url} is not the address of a Platen service`);
  }
  const limit = { bytes, setBy: 'the service' } as const;
  return { url, limit, accepts: documentTypes.filter((type) => accepts.includes(type)) };
}

export class ServiceConverter implements BatchConverter {
  readonly limit: SizeLimit;
  readonly #service: string;
  readonly #key: string;
  readonly #request: BatchRequest;
  /** Since when attempts of all documents have only failed for reasons that may pass. */
  #awaySince: number | undefined;
  readonly #patienceMs: number;
  #refusal: { readonly error: ClientRefused; readonly at: number } | undefined;

  /** @param patienceMs for how long a document is attempted at least, in milliseconds. */
  constructor(
    { url, limit }: KnownService,
    key: string,
    request: BatchRequest,
    patienceMs: number = PATIENCE_MS,
  ) {
    this.#patienceMs = patienceMs;
    this.#service = url;
    this.#key = key;
    this.#request = request;
    this.limit = limit;
  }

  convert(
    document: ReadDocument,
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf> {
    return this.#send('convert', [document], keep, signal);
  }

  combine(
    documents: readonly ReadDocument[],
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf> {
    return this.#send('combine', documents, keep, signal);
  }

  async #send(
    operation: 'convert' | 'combine',
    documents: readonly ReadDocument[],
    keep: (pdf: Readable) => Promise<void>,
    signal: AbortSignal,
  ): Promise<MadePdf> {
    const url = `${this.#service}/v1/${operation}?${new URLSearchParams(this.#request.query)}`;
    const headers = {
      authorization: `Bearer ${this.#key}`,
      // However often the documents are sent, they are billed once.
      'idempotency-key': randomUUID(),
    };
    const init = { method: 'POST', headers, body: this.#form(documents) };
    if (this.#refusal && performance.now() - this.#refusal.at < REFUSED_MS) throw this.#refusal.error;
    try {
      const made = await retried(
        () => once(url, init, signal, (answer) => receive(answer, formatOf(this.#request.options), keep)),
        signal,
        (count, spentMs) => this.#isEnough(count, spentMs),
      );
      this.#awaySince = undefined;
      return made;
    } catch (error) {
      if (!(error instanceof PassingFailure)) this.#awaySince = undefined;
      if (error instanceof ClientRefused) this.#refusal = { error, at: performance.now() };
      throw error;
    }
  }

  async close(): Promise<void> {}

  /** Whether a document has had enough attempts. While the service is away for long, one is enough. */
  #isEnough(count: number, spentMs: number): boolean {
    this.#awaySince ??= performance.now();
    const isAway = performance.now() - this.#awaySince >= this.#patienceMs;
    return isAway || (count >= ATTEMPTS && spentMs >= this.#patienceMs);
  }

  #form(documents: readonly ReadDocument[]): FormData {
    const { secrets, attachments = [] } = this.#request;
    const form = new FormData();
    for (const [field, value] of Object.entries(secrets)) form.append(field, String(value));
    for (const { content, name } of documents) form.append('file', blobOf(content), name);
    for (const each of attachments) form.append(ATTACHMENT, blobOf(each.content, each.type), each.name);
    return form;
  }
}

const blobOf = (content: Buffer, type = ''): Blob => new Blob([content as Buffer<ArrayBuffer>], { type });

/** One attempt. @throws BatchFailure; what `read` throws; the signal's reason. */
async function once<T>(
  url: string,
  init: RequestInit,
  signal: AbortSignal,
  read: (answer: Response) => Promise<T>,
  answerMs = ANSWER_MS,
): Promise<T> {
  const limit = new AbortController();
  let timer = setTimeout(() => limit.abort(new Error('no answer in time')), answerMs);
  try {
    // A key must not follow a redirection.
    const both = AbortSignal.any([signal, limit.signal]);
    const answer = await fetch(url, { ...init, redirect: 'manual', signal: both });
    clearTimeout(timer);
    timer = setTimeout(() => limit.abort(new Error('the answer does not end in time')), DELIVERY_MS);
    if (answer.status !== 200) throw await failureOf(answer);
    return await read(answer);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof BatchFailure || error instanceof OperatorError) throw error;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? cause.message || (cause as NodeJS.ErrnoException).code : message;
    throw new PassingFailure('SERVICE_UNAVAILABLE', `The connection to the service broke: ${reason}`, 0, {
      cause: error,
    });
  } finally {
    clearTimeout(timer);
    // The rest of an answer that was not read to its end may never come.
    limit.abort();
  }
}

/**
 * Repeats an attempt until it succeeds, fails for good, or has been made often enough.
 *
 * @param isEnough asked after a failed attempt, with the number of attempts and the milliseconds since the first began.
 * @throws BatchFailure the last one; the signal's reason.
 */
async function retried<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  isEnough: (count: number, spentMs: number) => boolean,
): Promise<T> {
  const began = performance.now();
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof PassingFailure && error.retryAfterMs <= LONGEST_WAIT_MS;
      if (!isPassing || isEnough(count, performance.now() - began)) throw error;
      // Full jitter, on top of what the service asks for.
      const jitter = Math.random() * Math.min(CAP_MS, BASE_MS * 2 ** (count - 1));
      await delay(error.retryAfterMs + jitter, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

async function receive(
  answer: Response,
  format: Format,
  keep: (pdf: Readable) => Promise<void>,
): Promise<MadePdf> {
  const pages = Number(answer.headers.get('x-conversion-pages'));
  const isResult = answer.headers.get('content-type')?.startsWith(formats[format].type) && pages > 0;
  if (!isResult) {
    await answer.body?.cancel();
    throw new BatchFailure(
      'INTERNAL_ERROR',
      `The answer is not the ${format.toUpperCase()} of a Platen service.`,
    );
  }
  const digest = /^sha-256=:([A-Za-z0-9+/=]+):$/.exec(answer.headers.get('repr-digest') ?? '')?.[1];
  let failure: unknown;
  const pdf = arriving(answer.body as ReadableStream<Uint8Array>, digest, (error) => {
    failure = error;
  });
  try {
    await keep(pdf);
  } catch (error) {
    // If the PDF did not arrive, that is why it could not be written.
    throw failure ?? error;
  }
  return {
    pages,
    warnings: readWarningsHeader(answer.headers.get(WARNINGS_HEADER) ?? ''),
  };
}

/**
 * Passes a PDF on, and fails at its end if it is not the one that was sent.
 *
 * No generator: one that waits for the service cannot be ended when its receiver fails.
 *
 * @param broke is told why it did not arrive, but not of failures of its receiver.
 */
function arriving(
  body: ReadableStream<Uint8Array>,
  digest: string | undefined,
  broke: (error: unknown) => void,
): Readable {
  const hash = createHash('sha256');
  const reader = body.getReader();
  async function read(this: Readable): Promise<void> {
    try {
      const { done, value } = await reader.read();
      if (this.destroyed) return;
      if (value) hash.update(value);
      const isSame = !done || digest === undefined || hash.digest('base64') === digest;
      if (!isSame) throw new Error('the PDF was damaged on its way');
      this.push(done ? null : value);
    } catch (error) {
      if (this.destroyed) return;
      broke(error);
      this.destroy(error as Error);
    }
  }
  return new Readable({
    read,
    destroy(error, callback) {
      void reader
        .cancel()
        .catch(() => {})
        .then(() => callback(error));
    },
  });
}

async function failureOf(answer: Response): Promise<BatchFailure> {
  const text = await textOf(answer);
  const { code, message, requestId, warnings, file } = errorIn(text);
  const explained = `${message ?? `The service answered ${answer.status}.`}${requestId ? ` (${requestId})` : ''}`;
  const retryAfterMs = Number(answer.headers.get('retry-after')) * 1_000 || 0;
  const Failure = answer.status === 401 || answer.status === 403 ? ClientRefused : BatchFailure;
  return retriedStatuses.has(answer.status) || code === 'INTERNAL_ERROR'
    ? new PassingFailure(code ?? 'SERVICE_UNAVAILABLE', explained, retryAfterMs)
    : new Failure(code ?? 'INTERNAL_ERROR', explained, { warnings, file });
}

interface ErrorBody {
  readonly code?: string;
  readonly message?: string;
  readonly requestId?: string;
  readonly warnings?: readonly ReadWarning[];
  readonly file?: number;
}

function errorIn(text: string): ErrorBody {
  const { warnings, file, ...others } = objectIn(text) as Readonly<Record<'warnings' | 'file', unknown>>;
  const strings = Object.entries(others).filter(([, value]) => typeof value === 'string');
  const known = Array.isArray(warnings) ? warnings.filter(isWarning) : [];
  return {
    ...Object.fromEntries(strings),
    ...(known.length > 0 && { warnings: known }),
    ...(typeof file === 'number' && { file }),
  };
}

/** Whether a value is a warning, by a service of any version. */
function isWarning(value: unknown): value is ReadWarning {
  const { code, level, message } = Object(value) as Readonly<Record<string, unknown>>;
  return [code, level, message].every((each) => typeof each === 'string');
}

/** The object in a JSON text; an empty one for any other text, such as a proxy's answer. */
function objectIn(text: string): object {
  try {
    return Object(JSON.parse(text)) as object;
  } catch {
    return {};
  }
}

/** The body of a short answer. */
async function textOf(answer: Response): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    if (bytes > MAX_ERROR_BYTES)
      throw new BatchFailure('INTERNAL_ERROR', 'The answer is not one of a Platen service.');
    chunks.push(Buffer.from(chunk));
  }
  return Buffer.concat(chunks).toString('utf8');
}
