/** Work on many documents, several at a time. */

interface InOrderOptions<Result> {
  /** Documents at a time. */
  readonly workers: number;
  /** Called after each document, with its result. */
  readonly onProgress: (done: number, of: number, result: Result) => void;
  /** Called in the order of the documents. */
  readonly onResult?: (result: Result) => void;
}

/**
 * Works on each document. If that throws, no further one is begun.
 *
 * @throws what the work throws, once none is going on.
 */
export async function inOrder<Document, Result>(
  documents: readonly Document[],
  work: (document: Document) => Promise<Result>,
  { workers, onProgress, onResult }: InOrderOptions<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let [next, done, told] = [0, 0, 0];
  let failure: { readonly error: unknown } | undefined;
  const run = async () => {
    for (let index = next++; index < documents.length && !failure; index = next++) {
      let result: Result;
      try {
        result = await work(documents[index] as Document);
      } catch (error) {
        failure ??= { error };
        return;
      }
      results[index] = result;
      onProgress(++done, documents.length, result);
      for (; told in results; told++) onResult?.(results[told] as Result);
    }
  };
  await Promise.all(Array.from({ length: workers }, run));
  if (failure) throw failure.error;
  return results;
}
