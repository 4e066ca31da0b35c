/** One conversion: a document out, its PDF or a picture of a page back. */
import { startUpload, type Upload, type UploadEvents } from './upload.ts';
import { type DescribedWarnings, describeWarnings } from './warnings.ts';

/** The types of results, and what they are called. */
export const results = {
  'application/pdf': { name: 'PDF', extension: 'pdf' },
  'image/png': { name: 'picture', extension: 'png' },
} as const;
export type ResultType = keyof typeof results;

/** The type of a result; undefined for what is none. */
function typeOf({ type }: Blob): ResultType | undefined {
  return type in results ? (type as ResultType) : undefined;
}

/** A result and what the service said of it; times are milliseconds. */
export interface Converted {
  readonly content: Blob;
  readonly type: ResultType;
  /** Of the PDF. */
  readonly pages: number;
  readonly times: ReadonlyMap<string, number>;
  /** Sentences. */
  readonly warnings: DescribedWarnings;
}

/** @param query of the options, with its question mark. */
export function startConversion(file: File, query: string, events: UploadEvents): Upload<Converted> {
  return startUpload({ path: `/v1/public/convert${query}`, files: [file], read: readResult }, events);
}

async function readResult(request: XMLHttpRequest, body: Blob): Promise<Converted | undefined> {
  const type = typeOf(body);
  // A network that wants a sign-in first answers 200 with a page of its own.
  if (request.status !== 200 || type === undefined) return undefined;
  const pages = Number(request.getResponseHeader('x-conversion-pages'));
  const times = readTimes(request.getResponseHeader('server-timing') ?? '');
  const warnings = describeWarnings(request.getResponseHeader('x-conversion-warnings'));
  return { content: body, type, pages, times, warnings };
}

/** The durations of a header Server-Timing, by name. */
function readTimes(header: string): Map<string, number> {
  const entries = header.matchAll(/([\w-]+);dur=([\d.]+)/g);
  return new Map([...entries].map(([, name = '', duration]) => [name, Number(duration)]));
}
