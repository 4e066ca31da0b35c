/** Objects in a bucket of S3. Whoever imports this loads the AWS SDK. */
import { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  NoSuchKey,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { S3Settings } from '../config.ts';
import { withLinkedController } from '../system/linked-controller.ts';
import { asStorageError, giveTo, takenFrom } from './content.ts';
import {
  type AddressOptions,
  assertKey,
  assertPrefix,
  type Content,
  type ObjectStore,
  type PutOptions,
  StorageError,
  type StoredObject,
} from './object-store.ts';

/** How long S3 may take to answer, or to go on sending. */
const PATIENCE_MS = 15_000;
/** The SDK tries this often by itself. */
const ATTEMPTS = 3;
/** An abort does not end these: an upload whose id is not known, or that is not aborted, would stay. */
const toTheEnd = [CreateMultipartUploadCommand, AbortMultipartUploadCommand];

export class S3Store implements ObjectStore {
  readonly shared = true;
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #hasAddresses: boolean;
  readonly #patienceMs: number;

  constructor({ bucket, endpoint, region, pathStyle, redirect }: S3Settings, patienceMs = PATIENCE_MS) {
    this.#bucket = bucket;
    this.#hasAddresses = redirect;
    this.#patienceMs = patienceMs;
    // By default 50 slow readers would keep all others from the store.
    const agent = { maxSockets: Number.POSITIVE_INFINITY };
    this.#client = new S3Client({
      region,
      ...(endpoint !== undefined && { endpoint }),
      forcePathStyle: pathStyle,
      maxAttempts: ATTEMPTS,
      requestHandler: {
        connectionTimeout: patienceMs,
        requestTimeout: patienceMs,
        throwOnRequestTimeout: true,
        // It would cut slow readers off.
        socketTimeout: 0,
        httpAgent: agent,
        httpsAgent: agent,
      },
    });
  }

  async put(key: string, content: Content, { type, signal }: PutOptions = {}): Promise<void> {
    await giveTo(key, (chunks) => this.#upload(key, chunks, type, signal), content, signal);
  }

  /** In parts, if it is more than one: S3 shows an object when all of it is there. */
  async #upload(
    key: string,
    chunks: AsyncIterable<Uint8Array>,
    type: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const upload = new Upload({
      client: this.#limited(signal),
      params: { Bucket: this.#bucket, Key: key, Body: Readable.from(chunks), ContentType: type },
      // Memory per object: this many parts of 5 MiB, and one that is being read.
      queueSize: 1,
    });
    await upload.done();
  }

  async open(
    key: string,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<StoredObject | undefined> {
    assertKey(key);
    signal?.throwIfAborted();
    try {
      const { Body, ContentLength } = await this.#limited(signal).send(
        new GetObjectCommand({ Bucket: this.#bucket, Key: key }),
      );
      const stream = takenFrom(Body as Readable, this.#patienceMs, signal);
      return { stream, bytes: ContentLength ?? 0 };
    } catch (error) {
      if (error instanceof NoSuchKey) return undefined;
      if (signal?.aborted) throw signal.reason;
      throw asStorageError(error);
    }
  }

  async remove(prefix: string): Promise<void> {
    assertPrefix(prefix);
    try {
      // First what might still become an object.
      await this.#removeUploads(prefix);
      for await (const keys of this.#pages(prefix)) await this.#removeObjects(keys);
    } catch (error) {
      throw asStorageError(error);
    }
  }

  async *list(prefix: string): AsyncGenerator<string> {
    assertPrefix(prefix);
    try {
      for await (const keys of this.#pages(prefix)) yield* keys;
    } catch (error) {
      throw asStorageError(error);
    }
  }

  async address(key: string, { disposition, seconds }: AddressOptions): Promise<URL | undefined> {
    assertKey(key);
    if (!this.#hasAddresses) return undefined;
    const command = new GetObjectCommand({
      Bucket: this.#bucket,
      Key: key,
      ResponseContentDisposition: disposition,
      ResponseCacheControl: 'no-store',
    });
    const address = await getSignedUrl(this.#client, command, { expiresIn: seconds }).catch(
      (error: unknown) => {
        throw asStorageError(error);
      },
    );
    return new URL(address);
  }

  close(): void {
    this.#client.destroy();
  }

  async *#pages(prefix: string): AsyncGenerator<readonly string[]> {
    const query = { Bucket: this.#bucket, Prefix: prefix };
    for await (const { Contents = [] } of paginateListObjectsV2({ client: this.#limited() }, query)) {
      yield Contents.map(({ Key }) => Key ?? '');
    }
  }

  async #removeObjects(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    const Objects = keys.map((Key) => ({ Key }));
    const { Errors: [failure] = [] } = await this.#limited().send(
      new DeleteObjectsCommand({ Bucket: this.#bucket, Delete: { Objects, Quiet: true } }),
    );
    if (failure) throw new StorageError(`${failure.Key} cannot be removed: ${failure.Code}`);
  }

  /**
   * Aborts uploads whose server died; the answer lists up to 1000. Some services lack this request, and remove such uploads by
   * themselves.
   */
  async #removeUploads(prefix: string): Promise<void> {
    const client = this.#limited();
    try {
      const { Uploads = [] } = await client.send(
        new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: prefix }),
      );
      for (const { Key, UploadId } of Uploads) {
        await client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId }));
      }
    } catch (error) {
      if ((error as Error).name !== 'NotImplemented') throw error;
    }
  }

  /** The client with a time limit for each request. Most end with the signal. */
  #limited(signal?: AbortSignal): S3Client {
    const client = this.#client;
    const limitMs = ATTEMPTS * this.#patienceMs;
    const send = (command: Parameters<S3Client['send']>[0]) => {
      const isKept = signal === undefined || toTheEnd.some((kind) => command instanceof kind);
      return withLinkedController([isKept ? new AbortController().signal : signal], async (linked) => {
        const timer = setTimeout(() => linked.abort(new Error(`no answer within ${limitMs} ms`)), limitMs);
        try {
          return await client.send(command, { abortSignal: linked.signal });
        } finally {
          clearTimeout(timer);
        }
      });
    };
    return Object.create(client, { send: { value: send } });
  }
}
