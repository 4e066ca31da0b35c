/** What a job has in the storage. */
import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Attachment, ConversionOptions, FormOptions } from '../options/conversion-options.ts';
import type { OutboundFailure } from '../outbound/outbound.ts';
import type { ObjectStore } from '../storage/object-store.ts';
import type { FileName } from './job.ts';

/** An attachment, whose content is under its key. */
export type StoredAttachment = Omit<Attachment, 'path'> & { readonly key: string };

/** What is asked of each of a job's files. It may hold secrets, and goes with the last input. */
export interface JobRequest {
  readonly options: ConversionOptions;
  readonly secrets: Omit<FormOptions, 'attachments'>;
  /** By ascending names. */
  readonly attachments: readonly StoredAttachment[];
}

/** Where a file's document is to be fetched from. The address may hold a secret. */
export interface Source {
  readonly url: string;
}

/** What came of it. */
export type Fetched =
  | { readonly bytes: number; readonly sha256: string }
  /** The message is for the client. */
  | { readonly failure: OutboundFailure; readonly message: string };

/** Names in the storage; those that end with a slash are of several objects. */
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
  /** All of {@link objectNames.input}. */
  inputsOf: (id: string, n: number) =>
    ['document', 'source.json', 'fetched.json'].map((name) => `jobs/${id}/in/${n}/${name}`),
  outputs: (id: string) => `jobs/${id}/out/`,
  /** Servers that make the same file do not meet. */
  output: (id: string, n: number, token: string) => `jobs/${id}/out/${n}/${token}/`,
  pdf: (id: string, n: number, token: string) => `jobs/${id}/out/${n}/${token}/result.pdf`,
} as const;

/** Stores what is asked of the files. */
export async function putRequest(storage: ObjectStore, id: string, request: JobRequest): Promise<void> {
  await putJson(storage, objectNames.request(id), request);
}

export async function putSource(storage: ObjectStore, { id, n }: Place, source: Source): Promise<void> {
  await putJson(storage, objectNames.source(id, n), source);
}

/** Undefined if nobody wants the file any more. */
export function readSource(storage: ObjectStore, { id, n }: Place): Promise<Source | undefined> {
  return readJson(storage, objectNames.source(id, n));
}

export async function putFetched(storage: ObjectStore, { id, n }: Place, fetched: Fetched): Promise<void> {
  await putJson(storage, objectNames.fetched(id, n), fetched);
}

/** Undefined as long as nothing came of it. */
export function readFetched(storage: ObjectStore, { id, n }: Place): Promise<Fetched | undefined> {
  return readJson(storage, objectNames.fetched(id, n));
}

type Place = Pick<FileName, 'id' | 'n'>;

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

/** Where the inputs of a file go. */
export interface InputPaths {
  readonly input: string;
  attachment(number: number): string;
}

/**
 * Copies the inputs of a file out of the storage.
 *
 * @returns what is asked of it; undefined if something is missing.
 */
export async function fetchInputs(
  storage: ObjectStore,
  { id, n }: FileName,
  paths: InputPaths,
  signal: AbortSignal,
): Promise<{ readonly options: ConversionOptions; readonly form: FormOptions } | undefined> {
  const request = await readJson<JobRequest>(storage, objectNames.request(id), { signal });
  if (!request) return undefined;
  const { options, secrets, attachments } = request;
  const fetched = attachments.map((each, index) => ({ ...each, path: paths.attachment(index + 1) }));
  const wanted = [
    { key: objectNames.document(id, n), path: paths.input },
    ...fetched.map(({ key, path }) => ({ key, path })),
  ];
  for (const { key, path } of wanted) {
    const object = await storage.open(key, { signal });
    if (!object) return undefined;
    await pipeline(object.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }), { signal });
  }
  return { options, form: { ...secrets, ...(fetched.length > 0 && { attachments: fetched }) } };
}
