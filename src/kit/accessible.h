/* Mends PDF/UA (ISO 14289-1) by LibreOffice. */
#ifndef PLATEN_ACCESSIBLE_H
#define PLATEN_ACCESSIBLE_H

#include <qpdf/qpdf-c.h>

/* Adds what LibreOffice's export as PDF/UA lacks or gets wrong, whatever the document:
 *   7.1     shapes outside the structure become artifacts; roles of standard types go; the title is shown;
 *   7.2     list items outside lists get one;
 *   7.9     notes get an identifier;
 *   7.18    links and fields in no element get one; fields and links say what they are.
 * The PDF must have a title.
 * What only the author knows, such as alternative texts, stays missing.
 * Returns 0, or -1 if the PDF has no structure or qpdf fails. */
int make_accessible(qpdf_data pdf);

#endif
