/** Programs in Java that run several times. */
import { execFile } from 'node:child_process';
import { basename, dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** For programs that run for seconds only; in the environment of `java`. */
export const JDK_JAVA_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';

/** Compiles a program, which `java FILE` does at each start. @returns the arguments of `java` that run it. */
export async function compileJava(file: string): Promise<readonly string[]> {
  const folder = dirname(file);
  await run('javac', [...JDK_JAVA_OPTIONS.split(' ').map((option) => `-J${option}`), '-d', folder, file]);
  return ['-cp', folder, basename(file, '.java')];
}
