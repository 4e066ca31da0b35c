/** Opens the store of objects that the configuration names. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { Config, S3Settings } from '../config.ts';
import { OperatorError } from '../errors.ts';
import type { Log } from '../system/log.ts';
import { FolderStore } from './folder-store.ts';
import { type ObjectStore, StorageError } from './object-store.ts';

/**
 * Opens S3, or the folder in the data folder, and proves that it can be used.
 *
 * @throws OperatorError if it cannot.
 */
export async function openObjectStore(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  log: Log,
): Promise<ObjectStore> {
  const folder = join(dataDir, 'objects');
  const place = s3 ? `the bucket ${s3.bucket} (S3_BUCKET)` : `the folder ${folder} (in DATA_DIR)`;
  try {
    const store = s3 ? await openS3(s3) : await FolderStore.open(folder);
    await prove(store).catch((error: unknown) => {
      store.close();
      throw error;
    });
    if (s3) log.info({ bucket: s3.bucket, endpoint: s3.endpoint }, 'jobs are stored in S3');
    return store;
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    throw new OperatorError(`${place} cannot be used: ${error.message}`, { cause: error });
  }
}

/**
 * Opens the storage of jobs.
 *
 * @returns undefined if other processes on the same Redis could not read it.
 * @throws OperatorError if it cannot be used.
 */
export async function openJobStorage(
  config: Pick<Config, 's3' | 'dataDir' | 'redisUrl'>,
  log: Log,
): Promise<ObjectStore | undefined> {
  if (config.redisUrl === undefined || config.s3) return openObjectStore(config, log);
  log.info(
    'there are no jobs: servers that may share a Redis also need a storage that they share (S3_BUCKET)',
  );
  return undefined;
}

/** The AWS SDK is large, so it is loaded only for S3. */
async function openS3(settings: S3Settings): Promise<ObjectStore> {
  const { S3Store } = await import('./s3-store.ts');
  return new S3Store(settings);
}

/** Tries once all that jobs will do. @throws StorageError */
async function prove(store: ObjectStore): Promise<void> {
  const prefix = `check/${randomUUID()}/`;
  const content = Buffer.from(prefix);
  await store.put(`${prefix}object`, content);
  const found = await store.open(`${prefix}object`);
  if (!found?.stream || !content.equals(await buffer(found.stream))) {
    throw new StorageError('it does not give back what was put in');
  }
  await store.remove(prefix);
}
