/** So much at once does not outlast the time limit of a command. */
export const BATCH = 100;

/** Does a task for each item, some at a time, and returns what they gave in the order of the items. */
export async function inBatches<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += BATCH) {
    results.push(...(await Promise.all(items.slice(start, start + BATCH).map(task))));
  }
  return results;
}
