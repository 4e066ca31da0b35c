/* Memory of the kit and its children: work that a fork causes, done before the document comes. */
#ifndef PLATEN_MEMORY_H
#define PLATEN_MEMORY_H

#include "office.h"

/*
 * Runs a conversion in a child and records which of the kit's pages it touches: pages it writes to, which a fork shares
 * copy-on-write, and pages of mapped files, whose page tables a fork does not copy. Nearly all are the same for every
 * document: LibreOffice counts references to objects and strings left by the warm-up.
 *
 * To be called once, after the warm-up, while the process has one thread. If the system does not expose a process's pages,
 * none are recorded. Returns 0, or -1 if the conversion failed.
 */
int learn_touched_pages(LibreOfficeKit *office, const char *document, const char *output);

/*
 * Prepares a new child's memory before its document comes: new memory comes from large pages of its own instead of gaps in
 * the kit's heap, and the recorded pages are copied or mapped already.
 */
void prepare_memory(void);

#endif
