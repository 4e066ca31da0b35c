/** An upload, its progress, and how it ended. */
import { readRefusal } from '../answer.ts';
import type { Failure } from './failures.ts';

/** Longer than the service's own limits: only a dead connection takes this long. */
const PATIENCE_MS = 600_000;

export type Outcome<Result> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'cancelled' };

export interface UploadEvents {
  /** @param part of the upload that has left, 0 to 1. */
  onProgress(part: number): void;
  /** The upload has left; the answer is to come. */
  onSent(): void;
}

interface UploadRequest<Result> {
  readonly path: string;
  /** Parts `file` of the form. */
  readonly files: readonly File[];
  readonly headers?: Readonly<Record<string, string>>;
  /** @returns undefined for what is not the success that was asked for. */
  read(request: XMLHttpRequest, body: Blob): Promise<Result | undefined>;
}

export interface Upload<Result> {
  readonly outcome: Promise<Outcome<Result>>;
  cancel(): void;
}

/** `fetch` does not tell the progress of an upload; XMLHttpRequest does. */
export function startUpload<Result>(
  { path, files, headers = {}, read }: UploadRequest<Result>,
  { onProgress, onSent }: UploadEvents,
): Upload<Result> {
  const request = new XMLHttpRequest();
  const outcome = new Promise<Outcome<Result>>((resolve) => {
    request.addEventListener('load', async () => {
      const body = request.response as Blob;
      const result = await read(request, body).catch(() => undefined);
      resolve(
        result === undefined
          ? { kind: 'failure', failure: await failureOf(request, body) }
          : { kind: 'done', result },
      );
    });
    request.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
    for (const kind of ['error', 'timeout']) {
      request.addEventListener(kind, () => resolve({ kind: 'failure', failure: { code: 'UNREACHABLE' } }));
    }
  });
  request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(loaded / total));
  request.upload.addEventListener('load', onSent);
  request.open('POST', path);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  request.responseType = 'blob';
  request.timeout = PATIENCE_MS;
  const form = new FormData();
  for (const file of files) form.append('file', file);
  request.send(form);
  return { outcome, cancel: () => request.abort() };
}

function failureOf(request: XMLHttpRequest, body: Blob): Promise<Failure> {
  const { status } = request;
  return readRefusal({
    status,
    header: (name) => request.getResponseHeader(name),
    text: () => body.text(),
  });
}
