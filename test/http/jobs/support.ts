/** Jobs over HTTP, in front of a stub engine. */
import { type Answer, multipart, type Part, send, type Target } from '../../e2e/support/requests.ts';
import { docx } from '../../support/documents.ts';
import { until } from '../../support/until.ts';

export interface JobBody {
  readonly id: string;
  readonly state: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly options?: Readonly<Record<string, string>>;
  /** Of all files. */
  readonly pdf?: { readonly bytes: number; readonly sha256: string } | null;
  readonly files: readonly {
    readonly number: number;
    readonly name: string | null;
    readonly state: string;
    readonly pdf: { readonly bytes: number; readonly sha256: string } | null;
    readonly error: { readonly code: string } | null;
  }[];
}

export function filePart(data: Buffer = docx(), fileName = 'report.docx', name = 'file'): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"; filename="${fileName}"`], data };
}

export function field(name: string, data: string): Part {
  return { headers: [`Content-Disposition: form-data; name="${name}"`], data };
}

interface PostOptions {
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function post(
  service: Target,
  key: string,
  parts: readonly Part[],
  { query = '', headers = {} }: PostOptions = {},
): Promise<Answer> {
  const form = multipart(parts);
  return send(service, `/v1/jobs${query}`, { key, ...form, headers: { ...form.headers, ...headers } });
}

export const readBody = <T = JobBody>({ body }: Answer): T => JSON.parse(body.toString()) as T;

export const ask = (service: Target, key: string, path: string, method = 'GET') =>
  send(service, `/v1/jobs${path}`, { key, method });

/** Waits until the job has ended. */
export async function ended(service: Target, key: string, id: string): Promise<JobBody> {
  let job: JobBody | undefined;
  await until('the job ends', async () => {
    const now = readBody(await ask(service, key, `/${id}`));
    job = now;
    return !['queued', 'running'].includes(now.state);
  });
  return job as JobBody;
}
