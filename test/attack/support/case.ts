/** What an attack is, as data: one list serves the built server and each layer of defence alone. */
import type { Code } from '../../e2e/support/assertions.ts';

/** What a document may try to reach. */
export interface Targets {
  /** Listeners on loopback, as origins such as `http://127.0.0.1:8080`, by address and by name. */
  readonly web: readonly string[];
  /** The same listeners as `host:port`. */
  readonly hosts: readonly string[];
  /** Folders with canary files in them (see canaries.ts), as absolute paths. */
  readonly folders: readonly string[];
  /** Files of the proc file system that show the environment of processes of ours. */
  readonly environments: readonly string[];
}

/**
 * A layer of defence that stops a case by itself: the preflight, which refuses it, the kit's profile
 * (src/kit/kit.xcu), its way of loading, which asks for no macros (src/kit/office.c), or a layer of its sandbox
 * (src/kit/sandbox.h): seccomp, Landlock for files, Landlock for the network.
 */
export type Layer = 'preflight' | 'profile' | 'load' | 'seccomp' | 'files' | 'network';

/** What a client may get: a PDF, or an error. */
export type Outcome = 200 | Code;

export interface Case {
  readonly name: string;
  readonly build: (targets: Targets) => Buffer;
  /** What the client may get, where it is not just a PDF. */
  readonly outcomes?: readonly Outcome[];
  /** The layers that stop it, each without the others; none where LibreOffice does not do it at all. */
  readonly claims?: readonly Layer[];
}

/** A document on which LibreOffice gives up or crashes, or does not: all that counts is what it does not reach. */
export const endsSomehow: readonly Outcome[] = [200, 'CORRUPTED_FILE', 'CONVERSION_FAILED'];

/** A document that costs more than its bytes: whether that is more than its budget is up to the machine. */
export const burns: readonly Outcome[] = [200, 'CONVERSION_FAILED'];

/** A document that the preflight refuses. */
export const refused: Pick<Case, 'outcomes' | 'claims'> = {
  outcomes: ['CORRUPTED_FILE'],
  claims: ['preflight'],
};
