/** Objects of a job in the storage. */
import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { OutboundFailure } from '../outbound/outbound.ts';
import { LONGEST_FAILOVER_MS } from '../redis/connect.ts';
import type {
  Attachment,
  ConversionOptions,
  FormOptions,
  PageNumbering,
} from '../shared/options/conversion-options.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { JobFileRef, JobRef } from './job.ts';
import type { JobRecords } from './job-records.ts';
import { type Secrets, seal, unseal } from './secrets.ts';

/** An attachment; its content is at its key. */
type StoredAttachment = Omit<Attachment, 'path'> & { readonly key: string };

/** What the client asks for each of a job's files. */
interface JobRequest {
  readonly options: ConversionOptions;
  /** If its files become one PDF. */
  readonly pageNumbers?: PageNumbering | undefined;
  readonly secrets: Secrets;
  /** Sorted by name. */
  readonly attachments: readonly StoredAttachment[];
}

/** The same in the storage; upkeep removes it with all inputs. */
interface StoredRequest extends Omit<JobRequest, 'secrets'> {
  /** Encrypted; undefined for none. */
  readonly secrets?: string | undefined;
}

/** Where a document is fetched from. The address may hold a secret. */
interface Source {
  readonly url: string;
}

/** The result of fetching a document. */
export type Fetched =
  | { readonly bytes: number; readonly sha256: string }
  /** The message is for the client. */
  | { readonly failure: OutboundFailure; readonly message: string };

/** Names in the storage; a name with a slash at its end stands for several objects. */
export const objectNames = {
  all: (id: string) => `jobs/${id}/`,
  inputs: (id: string) => `jobs/${id}/in/`,
  request: (id: string) => `jobs/${id}/in/request.json`,
  /** Attachments are numbered from 1. */
  attachment: (id: string, number: number) => `jobs/${id}/in/attachments/${number}`,
  input: (id: string, n: number) => `jobs/${id}/in/${n}/`,
  document: (id: string, n: number) => `jobs/${id}/in/${n}/document`,
  source: (id: string, n: number) => `jobs/${id}/in/${n}/source.json`,
  fetched: (id: string, n: number) => `jobs/${id}/in/${n}/fetched.json`,
  outputs: (id: string) => `jobs/${id}/out/`,
  /** The token keeps servers apart that convert the same file. */
  output: (id: string, n: number, token: string) => `jobs/${id}/out/${n}/${token}/`,
  result: (id: string, n: number, token: string, extension: string) =>
    `jobs/${id}/out/${n}/${token}/result.${extension}`,
} as const;

/** Stores the request of a job. @returns the key of its secrets, which only the job's record is to have; undefined for none. */
export async function putRequest(
  storage: ObjectStore,
  id: string,
  { secrets, ...request }: JobRequest,
): Promise<string | undefined> {
  const sealed = seal(id, secrets);
  const stored: StoredRequest = { ...request, secrets: sealed?.text };
  await putJson(storage, objectNames.request(id), stored);
  return sealed?.key;
}

export async function putSource(storage: ObjectStore, { id, n }: DocumentRef, source: Source): Promise<void> {
  await putJson(storage, objectNames.source(id, n), source);
}

/** Undefined if nobody wants the file any more. */
export function readSource(storage: ObjectStore, { id, n }: DocumentRef): Promise<Source | undefined> {
  return readJson(storage, objectNames.source(id, n));
}

export async function putFetched(
  storage: ObjectStore,
  { id, n }: DocumentRef,
  fetched: Fetched,
): Promise<void> {
  await putJson(storage, objectNames.fetched(id, n), fetched);
}

/** Undefined until the document is fetched or has failed. */
export function readFetched(storage: ObjectStore, { id, n }: DocumentRef): Promise<Fetched | undefined> {
  return readJson(storage, objectNames.fetched(id, n));
}

type DocumentRef = Pick<JobFileRef, 'id' | 'n'>;

async function putJson(storage: ObjectStore, key: string, value: object): Promise<void> {
  await storage.put(key, Buffer.from(JSON.stringify(value)));
}

async function readJson<T>(
  storage: ObjectStore,
  key: string,
  options: { readonly signal?: AbortSignal } = {},
): Promise<T | undefined> {
  const stored = await storage.open(key, options);
  return stored && (JSON.parse(await text(stored.stream)) as T);
}

/** Where attachments are copied to. */
interface AttachmentPaths {
  attachment(number: number): string;
}

/** Most requests in memory. */
const MAX_KNOWN = 100;

/** What is asked of a file, or of all files that become one PDF. */
interface Asked {
  readonly options: ConversionOptions;
  readonly pageNumbers?: PageNumbering | undefined;
  readonly form: FormOptions;
}

/** Copies the inputs of files from the storage. */
export class JobInputs {
  readonly #storage: ObjectStore;
  readonly #records: Pick<JobRecords, 'secretsKey'>;
  /** Requests by job, for no longer than upkeep keeps the inputs after a job's end. */
  readonly #known = new Map<string, StoredRequest>();

  /** @param records has the keys of secrets. */
  constructor(storage: ObjectStore, records: Pick<JobRecords, 'secretsKey'>) {
    this.#storage = storage;
    this.#records = records;
  }

  /** Copies a document to a path. @returns false if it is missing. */
  async document({ id, n }: JobFileRef, path: string, signal: AbortSignal): Promise<boolean> {
    return this.#copy(objectNames.document(id, n), path, signal);
  }

  /**
   * Reads what is asked of a job's files, and copies the attachments.
   *
   * @returns undefined if something is missing.
   */
  async asked(job: JobRef, paths: AttachmentPaths, signal: AbortSignal): Promise<Asked | undefined> {
    const { id } = job;
    const request = await this.#request(id, signal);
    if (!request) return undefined;
    const { options, pageNumbers, secrets: text, attachments } = request;
    const key = text === undefined ? undefined : await this.#records.secretsKey(job);
    // The job has ended.
    if (text !== undefined && key === undefined) return undefined;
    const secrets = text !== undefined && key !== undefined ? unseal(id, { key, text }) : {};
    const fetched = attachments.map((each, index) => ({ ...each, path: paths.attachment(index + 1) }));
    for (const { key, path } of fetched) {
      if (!(await this.#copy(key, path, signal))) return undefined;
    }
    return {
      options,
      pageNumbers,
      form: { ...secrets, ...(fetched.length > 0 && { attachments: fetched }) },
    };
  }

  async #copy(key: string, path: string, signal: AbortSignal): Promise<boolean> {
    const object = await this.#storage.open(key, { signal });
    if (!object) return false;
    await pipeline(object.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
    return true;
  }

  /** All files of a job have the same request, and each answer of S3 takes milliseconds. */
  async #request(id: string, signal: AbortSignal): Promise<StoredRequest | undefined> {
    const known = this.#known.get(id);
    if (known) return known;
    const request = await readJson<StoredRequest>(this.#storage, objectNames.request(id), { signal });
    if (!request) return undefined;
    this.#known.set(id, request);
    setTimeout(() => this.#known.delete(id), LONGEST_FAILOVER_MS).unref();
    const [oldest = id] = this.#known.keys();
    if (this.#known.size > MAX_KNOWN) this.#known.delete(oldest);
    return request;
  }
}
