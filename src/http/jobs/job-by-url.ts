/** A job whose documents are fetched: what is sent as JSON in place of a form. */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type Static, Type } from 'typebox';
import { MAX_JOB_FILES } from '../../accounts/plans/plans.ts';
import { PlatenError } from '../../errors.ts';
import type { JobRef } from '../../jobs/job.ts';
import { putSource } from '../../jobs/job-objects.ts';
import type { FileIntake } from '../../jobs/job-record.ts';
import { readOutsideUrl } from '../../outbound/outside-url.ts';
import { MAX_URL } from '../../outbound/target.ts';
import { type PageNumbering, secretFields } from '../../shared/options/conversion-options.ts';
import type { ObjectStore } from '../../storage/object-store.ts';
import { convertDocument, UploadForm } from '../conversion/convert.contract.ts';
import { shownName } from '../conversion/file-name.ts';
import { pageNumbers } from '../conversion/options.contract.ts';
import { checkedMetadata, METADATA_RULE } from './metadata.ts';
import { WEBHOOK_TEXT } from './webhook.ts';

/** Most bytes of the JSON. */
export const MAX_JOB_JSON_BYTES = 524_288;
const MAX_NAME = 255;

const { password, userPassword, ownerPassword } = UploadForm.properties;

/** Of a job, besides the options of its conversions. */
export const combine = Type.Optional(
  Type.Boolean({
    description: 'Make one PDF of all documents, as `POST /v1/combine` does: file 0. Default: false.',
  }),
);

export const JobByUrl = Type.Object(
  {
    files: Type.Array(
      Type.Object(
        {
          url: Type.String({
            minLength: 1,
            maxLength: MAX_URL,
            description:
              'Where the document is, with https://. It is fetched with GET, without credentials; redirects are not followed.',
          }),
          name: Type.Optional(
            Type.String({
              maxLength: MAX_NAME,
              description: 'Its file name. Default: the last part of the path of the address.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      {
        minItems: 1,
        maxItems: MAX_JOB_FILES,
        title: `a list of 1 to ${MAX_JOB_FILES} documents`,
        description: `Up to ${MAX_JOB_FILES} documents, or fewer as the plan says.`,
      },
    ),
    options: Type.Optional(
      Type.Object(
        {
          ...convertDocument.schema.querystring.properties,
          combine,
          pageNumbers,
          password,
          userPassword,
          ownerPassword,
        },
        {
          additionalProperties: false,
          description: 'The options of each file, as those of `POST /v1/convert`, and its passwords.',
        },
      ),
    ),
    webhook: Type.Optional(Type.String({ maxLength: MAX_URL, description: WEBHOOK_TEXT })),
    metadata: Type.Optional(
      Type.Record(Type.String(), Type.String(), {
        description: `Your own data, which is part of the job: ${METADATA_RULE}.`,
      }),
    ),
  },
  { additionalProperties: false },
);

type Body = Static<typeof JobByUrl>;

/** What is asked for. */
interface FetchedJob {
  /** Name and address of each file, in order. */
  readonly files: readonly { readonly name: string | null; readonly url: string }[];
  readonly options: Static<typeof convertDocument.schema.querystring> & {
    readonly combine?: boolean;
    readonly pageNumbers?: PageNumbering;
  };
  readonly secrets: ReadonlyMap<string, string>;
  readonly metadata: Readonly<Record<string, string>>;
  readonly webhook: string | undefined;
}

export function isByUrl({ headers }: FastifyRequest): boolean {
  return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

/**
 * Reads a body that fits its schema.
 *
 * @throws PlatenError `INVALID_REQUEST`, `INVALID_PARAMETER`
 */
export function readJobByUrl(
  { body, query }: FastifyRequest,
  { maxFiles, allowHttp }: { readonly maxFiles: number; readonly allowHttp: boolean },
): FetchedJob {
  const { files, options = {}, metadata = {}, webhook } = body as Body;
  if (Object.keys(query as object).length > 0) {
    throw new PlatenError('INVALID_PARAMETER', {
      message: 'The query has options, but the body is JSON. Send the options in the body, as "options".',
    });
  }
  if (files.length > maxFiles) {
    throw new PlatenError('INVALID_REQUEST', {
      message: `The job has ${files.length} files. Your plan allows ${maxFiles} files a job.`,
    });
  }
  const isSecret = (name: string) => secretFields.some((each) => each === name);
  const given = Object.entries(options);
  return {
    files: files.map(({ url, name }, index) => {
      const { pathname } = new URL(readOutsideUrl(`files.${index}.url`, url, { egressAllowHttp: allowHttp }));
      return { url, name: shownName(name ?? decoded(pathname)) };
    }),
    options: Object.fromEntries(given.filter(([name]) => !isSecret(name))),
    secrets: new Map(given.filter(([name]) => isSecret(name)) as [string, string][]),
    metadata: checkedMetadata(metadata),
    webhook,
  };
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Stores where the files' documents are; the addresses may hold secrets, which Redis does not get. */
export async function storeSources(
  storage: ObjectStore,
  { id }: JobRef,
  { files }: FetchedJob,
): Promise<FileIntake[]> {
  await Promise.all(files.map(({ url }, index) => putSource(storage, { id, n: index + 1 }, { url })));
  return files.map(({ name }) => ({ name, bytes: null, sha256: null }));
}

/** Stands for the document in the digest of a job. */
export function digestOfUrl(url: string): string {
  return createHash('sha256').update(`url:${url}`).digest('hex');
}
