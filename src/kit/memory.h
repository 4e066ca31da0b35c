/* Memory of the kit and its children: what a fork makes slow, made ahead of the document. */
#ifndef PLATEN_MEMORY_H
#define PLATEN_MEMORY_H

#include "office.h"

/*
 * Lets a conversion run in a child of its own, and notes down which pages of the kit's it touches: those it writes to,
 * which a fork shares until then, and those of mapped files, whose page tables a fork does not copy. Nearly all of them
 * are the same for every document: LibreOffice counts references to the objects and strings that the warm-up left.
 *
 * To be called once, after the warm-up, while the process has one thread. Where the system does not tell a process
 * which pages it has, none are noted. Returns 0, or -1 when the conversion failed.
 */
int learn_touched_pages(LibreOfficeKit *office, const char *document, const char *output);

/*
 * Makes a new child's memory ready, so that nothing of it has to be done when the document is there: new memory comes
 * from large pages of its own, not from the gaps of the kit's, and the pages noted down are its own or mapped already.
 */
void prepare_memory(void);

#endif
