import { readFileSync } from 'node:fs';

/** Whether this is the process that loads the dictionaries for a kit: it starts after a document that needs them, and ends soon. */
export function loadsDictionaries(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8') === 'hyphenation\n';
  } catch {
    return false;
  }
}
