/** S3 for tests: s3rver on a free port, with additions: aborting and listing uploads, and only complete objects. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import type { Test } from 'tap';

const BUCKET = 'jobs';

/** Sees a request first: answers it, or passes it on. */
type Interceptor = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

export class S3Server {
  readonly bucket = BUCKET;
  /** What the AWS SDK reads from the environment. */
  readonly credentials = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER' };
  intercept: Interceptor = (_request, _response, pass) => pass();
  readonly #server: Server;
  readonly #app: S3rver;
  #port = 0;

  private constructor(directory: string) {
    this.#app = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET }] });
    keepWhole(this.#app.store);
    const answer = this.#app.callback();
    this.#server = createServer((request, response) => {
      this.intercept(request, response, () => {
        const { pathname, searchParams: query } = new URL(request.url ?? '', this.endpoint);
        const uploadId = query.get('uploadId');
        if (request.method === 'DELETE' && uploadId !== null) void this.#abort(uploadId, response);
        else if (pathname === `/${BUCKET}/` && query.has('uploads')) void this.#list(query, response);
        else answer(request, response);
      });
    });
  }

  /**
   * A bucket, which is removed after the test.
   *
   * @param place a folder of the caller, which is served and stays, and a port; without it the bucket is empty.
   */
  static async start(
    t: Pick<Test, 'teardown'>,
    place?: { readonly folder: string; readonly port: number },
  ): Promise<S3Server> {
    const folder = place?.folder ?? (await mkdtemp(join(tmpdir(), 'platen-s3-')));
    const s3 = new S3Server(folder);
    await s3.#app.configureBuckets();
    s3.#server.listen(place?.port ?? 0, '127.0.0.1');
    await once(s3.#server, 'listening');
    s3.#port = (s3.#server.address() as AddressInfo).port;
    t.teardown(async () => {
      s3.stop();
      if (!place) await rm(folder, { recursive: true, force: true });
    });
    return s3;
  }

  get endpoint(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Cuts all connections and takes no more. */
  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Serves what it had, on the same port. */
  async restart(): Promise<void> {
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  /** The keys of the uploads in parts that are neither complete nor aborted, by the uploads' ids. */
  async uploads(): Promise<ReadonlyMap<string, string>> {
    const ids = await readdir(this.#uploads).catch(() => []);
    const keys = ids.map(async (id) => [id, await readFile(join(this.#uploads, id, 'key'), 'utf8')] as const);
    return new Map(await Promise.all(keys));
  }

  get #uploads(): string {
    return this.#app.store.getResourcePath(BUCKET, undefined, 'uploads');
  }

  async #abort(id: string, response: ServerResponse): Promise<void> {
    await rm(join(this.#uploads, id), { recursive: true, force: true });
    response.writeHead(204).end();
  }

  async #list(query: URLSearchParams, response: ServerResponse): Promise<void> {
    const found = [...(await this.uploads())].filter(([, key]) => key.startsWith(query.get('prefix') ?? ''));
    const entries = found.map(([id, key]) => `<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload>`);
    response.setHeader('content-type', 'application/xml');
    response.end(`<ListMultipartUploadsResult>${entries.join('')}</ListMultipartUploadsResult>`);
  }
}

/** s3rver itself keeps parts of interrupted uploads, and lists objects before they are complete. */
function keepWhole(store: S3rver['store']): void {
  const md5Of = (content: Buffer) => createHash('md5').update(content).digest('hex');
  store.putObject = async ({ bucket, key, content, metadata }) => {
    const whole = await buffer(content);
    const path = store.getResourcePath(bucket, key, 'object');
    await mkdir(dirname(path), { recursive: true });
    const draft = `${path}.${process.hrtime.bigint()}`;
    await writeFile(draft, whole);
    // Metadata first, as this process may be killed: an object that exists must be complete.
    await store.putMetadata(bucket, key, metadata, md5Of(whole));
    await rename(draft, path);
    return { size: whole.length, md5: md5Of(whole) };
  };
  store.putPart = async (bucket, uploadId, part, content) => {
    const whole = await buffer(content);
    await writeFile(join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, part), whole);
    return { size: whole.length, md5: md5Of(whole) };
  };
}
