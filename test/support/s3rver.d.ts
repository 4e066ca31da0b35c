/** What the tests use of s3rver, which comes without types. */
declare module 's3rver' {
  import type { RequestListener } from 'node:http';
  import type { Readable } from 'node:stream';

  interface StoredObject {
    readonly bucket: string;
    readonly key: string;
    readonly content: Readable;
    readonly metadata: object;
  }

  interface Stored {
    readonly size: number;
    readonly md5: string;
  }

  export default class S3rver {
    constructor(options: {
      readonly directory: string;
      readonly silent: boolean;
      readonly configureBuckets: readonly { readonly name: string }[];
    });
    readonly store: {
      getResourcePath(bucket: string, key: string | undefined, resource: string): string;
      putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
      putObject(object: StoredObject): Promise<Stored>;
      putPart(bucket: string, uploadId: string, part: string, content: Readable): Promise<Stored>;
    };
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
