/** The layers of the sandbox (src/kit/sandbox.h). */
import { OperatorError } from '../errors.ts';
import type { Log } from '../system/log.ts';

const layers = [
  { name: 'seccomp', bit: 1, required: true },
  { name: 'landlock-files', bit: 2, required: true },
  // A second lock behind seccomp, on newer kernels.
  { name: 'landlock-network', bit: 4, required: false },
  { name: 'landlock-scope', bit: 8, required: false },
] as const;

export interface SandboxLayer {
  readonly name: (typeof layers)[number]['name'];
  /** Whether it is active. */
  readonly active: boolean;
  /** Whether `SANDBOX=required` needs it. */
  readonly required: boolean;
}

/** @param set bit set of active layers, as the kit reports it. */
export function sandboxOf(set: number): readonly SandboxLayer[] {
  return layers.map(({ name, bit, required }) => ({ name, required, active: (set & bit) !== 0 }));
}

/**
 * Logs missing layers once.
 *
 * @throws OperatorError when the policy requires a missing layer.
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
