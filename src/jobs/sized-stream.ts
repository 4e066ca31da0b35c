/** Streams whose length is known. */
import { pipeline, type Readable, Transform } from 'node:stream';

/**
 * Ends with the last of so many bytes. A file or a store says only later that nothing follows: a client that has everything by
 * then leaves, and would be taken for one that left too early.
 *
 * @param stream ends with the result, which fails as it does, and where it is too short: a client would wait for the rest.
 */
export function endingAfter(stream: Readable, bytes: number): Readable {
  let left = bytes;
  const result = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length;
      done(null, chunk);
      if (left <= 0) result.end();
    },
    flush: (done) => done(left > 0 ? new Error(`a stream lacks its last ${left} bytes`) : null),
  });
  // Whoever reads the result is told of a failure.
  pipeline(stream, result, () => {});
  return result;
}
