/*
 * The sandbox, which a child enters before it opens a document, so that a document that takes over LibreOffice gains
 * nothing else. It needs no privileges and drops those it has; each layer holds without the others.
 */
#ifndef PLATEN_SANDBOX_H
#define PLATEN_SANDBOX_H

/* A set of layers. */
enum layer {
    SYSTEM_CALLS = 1, /* seccomp: only calls that a conversion needs */
    FILES = 2,        /* Landlock: only LibreOffice, fonts and the job's folder */
    NETWORK = 4,      /* Landlock ABI 4 (Linux 6.7): no TCP */
    SCOPE = 8,        /* Landlock ABI 6 (Linux 6.12): no signals or abstract sockets to the outside */
    ALL_LAYERS = SYSTEM_CALLS | FILES | NETWORK | SCOPE,
};

/*
 * Prepares the sandbox for the children of this process, which must have one thread. It consists of those `wanted` layers
 * that this kernel supports; each is tried in a process of its own. Children may also read below LibreOffice's `profile`.
 *
 * Returns the layers, or -1 if the system is out of memory, descriptors or processes.
 */
int prepare_sandbox(unsigned wanted, const char *profile);

/*
 * Confines the calling process permanently; it may write below `folder`, and execute `program`, unless that is NULL, in the same
 * confinement. 0, or -1: do not continue.
 */
int enter_sandbox(const char *folder, const char *program);

#endif
