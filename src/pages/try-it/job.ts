/** A job of the service, and what may be asked of it. */
import { refusalIn } from '../answer.ts';
import type { Job, JobSummary } from './api-types.ts';
import type { ResultType } from './conversion.ts';
import type { Failure } from './failures.ts';
import { readEvents } from './server-sent-events.ts';
import { startUpload, type Upload, type UploadEvents } from './upload.ts';

/** The service gives a sign of life every 15 seconds; a stream that is silent this long is dead. */
const SILENCE_MS = 45_000;
/** Time limit of a question with a short answer. */
const PATIENCE_MS = 30_000;
const JSON_TYPE = 'application/json';

/** What a job is made of. */
interface JobRequest {
  readonly files: readonly File[];
  /** Of the options, with its question mark. */
  readonly query: string;
  /** The API key. */
  readonly key: string;
  /** Names this job, so that it is the same one if it is sent again. */
  readonly idempotencyKey: string;
}

export function startJob(
  { files, query, key, idempotencyKey }: JobRequest,
  events: UploadEvents,
): Upload<Job> {
  const headers = { Authorization: `Bearer ${key}`, 'Idempotency-Key': idempotencyKey };
  return startUpload({ path: `/v1/jobs${query}`, files, headers, read: readTaken }, events);
}

async function readTaken({ status }: XMLHttpRequest, body: Blob): Promise<Job | undefined> {
  return status === 202 && body.type.startsWith(JSON_TYPE) ? JSON.parse(await body.text()) : undefined;
}

/** Why something about a job did not work. */
export class JobFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.code);
    this.failure = failure;
  }
}

/** The type of a job's results. */
export function resultTypeOf({ options }: JobSummary): ResultType {
  return options.format === 'png' ? 'image/png' : 'application/pdf';
}

/** Whether its files become one PDF. */
export function isCombined({ options }: JobSummary): boolean {
  return options.combine === 'true';
}

export function isOpen({ state }: JobSummary): boolean {
  return state === 'queued' || state === 'running';
}

interface Question<Result> {
  readonly method?: 'GET' | 'POST' | 'DELETE';
  /** Below the job. */
  readonly path?: string;
  /** The media type of the answer; empty for none. */
  readonly type: string;
  readonly signal?: AbortSignal | undefined;
  read(response: Response): Promise<Result>;
}

/** A job that the service has taken. Every method throws JobFailure. */
export class TakenJob {
  readonly id: string;
  readonly #key: string;

  constructor(id: string, key: string) {
    this.id = id;
    this.#key = key;
  }

  read(signal?: AbortSignal): Promise<Job> {
    return this.#ask({ type: JSON_TYPE, signal, read: (response) => response.json() });
  }

  cancel(): Promise<Job> {
    const read = (response: Response): Promise<Job> => response.json();
    return this.#ask({ method: 'POST', path: '/cancel', type: JSON_TYPE, read });
  }

  remove(): Promise<void> {
    return this.#ask({ method: 'DELETE', type: '', read: async () => {} });
  }

  /** @param number of a file, from 1; 0 for the PDF of all. */
  result(number: number, type: ResultType): Promise<Blob> {
    // This page may ask its own server only, so it cannot follow a redirect.
    const path = `/files/${number}?redirect=false`;
    return this.#ask({ path, type, read: (response) => response.blob() });
  }

  archive(): Promise<Blob> {
    return this.#ask({ path: '/archive', type: 'application/zip', read: (response) => response.blob() });
  }

  /** Tells of the job whenever it has changed, until the stream ends: with the job, or earlier. */
  async watch(tell: (job: JobSummary) => void): Promise<void> {
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const hear = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    hear();
    try {
      const read = ({ body }: Response) => readEvents(body, hear, (data) => tell(JSON.parse(data)));
      await this.#ask({ path: '/events', type: 'text/event-stream', signal: silence.signal, read });
    } finally {
      clearTimeout(timer);
    }
  }

  async #ask<Result>(question: Question<Result>): Promise<Result> {
    const { method = 'GET', path = '', type, signal, read } = question;
    const headers = { Authorization: `Bearer ${this.#key}` };
    const isShort = type === JSON_TYPE || type === '';
    const limits = [...(signal ? [signal] : []), ...(isShort ? [AbortSignal.timeout(PATIENCE_MS)] : [])];
    try {
      const response = await fetch(`/v1/jobs/${this.id}${path}`, {
        method,
        headers,
        signal: AbortSignal.any(limits),
      });
      const answered = response.headers.get('content-type') ?? '';
      // A network that wants a sign-in first answers 200 with a page of its own.
      if (response.ok && answered.startsWith(type)) return await read(response);
      throw new JobFailure(await refusalIn(response));
    } catch (error) {
      throw error instanceof JobFailure ? error : new JobFailure({ code: 'UNREACHABLE' });
    }
  }
}
