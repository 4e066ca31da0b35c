/* LibreOffice's code in large pages. */
#ifndef PLATEN_LARGE_PAGES_H
#define PLATEN_LARGE_PAGES_H

/*
 * Moves the code of the libraries in `folder` from the files that it is mapped from into large pages of memory, at the
 * same addresses. A fork copies no page table of a mapped file, so each child would fault in all the code that it runs,
 * a few pages at a time; it copies those of large pages, one entry for 2 MiB. Where the system has no large pages, or
 * allows no memory that was written to be run, the code stays where it is.
 *
 * To be called once, while the process has one thread.
 */
void use_large_pages(const char *folder);

#endif
