/* LibreOffice's code in large pages. */
#ifndef PLATEN_LARGE_PAGES_H
#define PLATEN_LARGE_PAGES_H

/*
 * Moves the code of the libraries in `folder` from the files that it is mapped from into large pages of memory, at the
 * same addresses. A fork does not copy page tables of mapped files, so each child would fault in the code that it runs, a few
 * pages at a time; it does copy those of large pages, one entry per 2 MiB. If the system has no large pages, or forbids
 * executing written memory, the code stays where it is.
 *
 * To be called once, while the process has one thread.
 */
void use_large_pages(const char *folder);

#endif
