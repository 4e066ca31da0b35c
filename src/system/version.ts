/** The version of this installation. */
import { readFileSync } from 'node:fs';
import { packageFile } from '../paths.ts';

/** As package.json has it, such as `1.0.0`. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version;
}
