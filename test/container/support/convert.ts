import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { docx } from '../../support/documents.ts';

/** What came of a conversion. */
interface Conversion {
  readonly status: number;
  /** The error's code and message; undefined for a PDF. */
  readonly code: string | undefined;
  readonly pdf: Buffer;
}

/** Converts a document of one page with this text. Without a key, on the public endpoint. */
export async function convert(
  base: string,
  text: string,
  key?: string,
  headers: Record<string, string> = {},
): Promise<Conversion> {
  const form = new FormData();
  form.set('file', new File([new Uint8Array(docx({ paragraphs: [text] }))], 'a.docx'));
  const response = await fetch(`${base}/v1/${key === undefined ? 'public/' : ''}convert`, {
    method: 'POST',
    body: form,
    headers: { ...headers, ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) },
    signal: AbortSignal.timeout(60_000),
  });
  const body = Buffer.from(await response.arrayBuffer());
  if (response.status === 200) return { status: 200, code: undefined, pdf: body };
  const isOurs = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (!isOurs) return { status: response.status, code: body.toString(), pdf: Buffer.alloc(0) };
  const { code, message } = JSON.parse(body.toString()) as { code: string; message: string };
  return { status: response.status, code: `${code}: ${message}`, pdf: Buffer.alloc(0) };
}

/** The text of a PDF, by poppler. */
export async function textOf(pdf: Buffer): Promise<string> {
  const running = promisify(execFile)('pdftotext', ['-', '-']);
  running.child.stdin?.end(pdf);
  return (await running).stdout;
}
