/** One conversion: a document out, its PDF back. */
import { startUpload, type Upload, type UploadEvents } from './upload.ts';
import { type DescribedWarnings, describeWarnings } from './warnings.ts';

/** A PDF and what the service said of it; times are milliseconds. */
export interface ConvertedPdf {
  readonly pdf: Blob;
  readonly pages: number;
  readonly times: ReadonlyMap<string, number>;
  /** Sentences. */
  readonly warnings: DescribedWarnings;
}

/** @param query of the options, with its question mark. */
export function startConversion(file: File, query: string, events: UploadEvents): Upload<ConvertedPdf> {
  return startUpload({ path: `/v1/public/convert${query}`, files: [file], read: readPdf }, events);
}

async function readPdf(request: XMLHttpRequest, body: Blob): Promise<ConvertedPdf | undefined> {
  // A network that wants a sign-in first answers 200 with a page of its own.
  if (request.status !== 200 || body.type !== 'application/pdf') return undefined;
  const pages = Number(request.getResponseHeader('x-conversion-pages'));
  const times = readTimes(request.getResponseHeader('server-timing') ?? '');
  const warnings = describeWarnings(request.getResponseHeader('x-conversion-warnings'));
  return { pdf: body, pages, times, warnings };
}

/** The durations of a header Server-Timing, by name. */
function readTimes(header: string): Map<string, number> {
  const entries = header.matchAll(/([\w-]+);dur=([\d.]+)/g);
  return new Map([...entries].map(([, name = '', duration]) => [name, Number(duration)]));
}
