/** What a job has in the storage. */
import { createWriteStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import type { Attachment, ConversionOptions, FormOptions } from '../options/conversion-options.ts';
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

/** Names in the storage; those that end with a slash are of several objects. */
export const objectNames = {
  all: (id: string) => `jobs/${id}/`,
  inputs: (id: string) => `jobs/${id}/in/`,
  request: (id: string) => `jobs/${id}/in/request.json`,
  /** Attachments are numbered from 1. */
  attachment: (id: string, number: number) => `jobs/${id}/in/attachments/${number}`,
  input: (id: string, n: number) => `jobs/${id}/in/${n}/`,
  document: (id: string, n: number) => `jobs/${id}/in/${n}/document`,
  outputs: (id: string) => `jobs/${id}/out/`,
  /** Servers that make the same file do not meet. */
  output: (id: string, n: number, token: string) => `jobs/${id}/out/${n}/${token}/`,
  pdf: (id: string, n: number, token: string) => `jobs/${id}/out/${n}/${token}/result.pdf`,
} as const;

/** Stores what is asked of the files. */
export async function putRequest(storage: ObjectStore, id: string, request: JobRequest): Promise<void> {
  await storage.put(objectNames.request(id), Buffer.from(JSON.stringify(request)));
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
  const stored = await storage.open(objectNames.request(id), { signal });
  if (!stored) return undefined;
  const { options, secrets, attachments } = JSON.parse(await text(stored.stream)) as JobRequest;
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
