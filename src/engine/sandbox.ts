/** The sandbox of a document: the layers of the cage that the kit's children put on (src/kit/cage.h). */
import { OperatorError } from '../errors.ts';
import type { Log } from '../log.ts';

const layers = [
  { name: 'seccomp', bit: 1, required: true },
  { name: 'landlock-files', bit: 2, required: true },
  // A second lock on doors that seccomp has shut: newer kernels have it.
  { name: 'landlock-network', bit: 4, required: false },
  { name: 'landlock-scope', bit: 8, required: false },
] as const;

export interface SandboxLayer {
  readonly name: (typeof layers)[number]['name'];
  /** Whether documents are converted under it. */
  readonly active: boolean;
  /** Whether the service does without it where `SANDBOX=required`. */
  readonly required: boolean;
}

/** @param set the set of active layers, as the kit says it; 0: none. */
export function sandboxOf(set: number): readonly SandboxLayer[] {
  return layers.map(({ name, bit, required }) => ({ name, required, active: (set & bit) !== 0 }));
}

/**
 * Says once what this system lacks.
 *
 * @param policy whether the service does without it.
 * @throws OperatorError when it does not.
 */
export function checkSandbox(
  sandbox: readonly SandboxLayer[],
  policy: 'required' | 'available',
  log: Pick<Log, 'warn'>,
): void {
  const missing = sandbox.filter(({ active }) => !active);
  const lacks = missing.map(({ name }) => name);
  if (policy === 'required' && missing.some(({ required }) => required)) {
    throw new OperatorError(
      `SANDBOX=required, but documents would be converted without ${lacks.join(', ')}; docs/security.md says what ` +
        'each layer needs',
    );
  }
  if (lacks.length > 0) log.warn({ lacks }, 'this system lacks layers of the sandbox');
}
