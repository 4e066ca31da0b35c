/** Few enough not to exceed a command's time limit. */
export const BATCH = 100;

/** Runs a task for each item, in batches; returns the results in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + BATCH).map(task))));
  }
  return results;
}
