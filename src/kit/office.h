/* The part of LibreOffice that the kit needs. */
#ifndef PLATEN_OFFICE_H
#define PLATEN_OFFICE_H

#define LOK_USE_UNSTABLE_API /* runLoop and joinThreads live behind it */
#include <LibreOfficeKit/LibreOfficeKit.h>

#include "instructions.h"
#include "job.h"

enum conversion {
    CONVERTED = 0,
    LOAD_FAILED = 3,   /* LibreOffice cannot read the document */
    EXPORT_FAILED = 4, /* it read the document and could not write the PDF */
};

/*
 * Converts the DOCX at the absolute path `input` to a PDF at `output`. It leaves the document open, as a process that exits
 * need not spend time on closing it. `pages` receives the number of pages laid out.
 */
enum conversion convert(LibreOfficeKit *office, const char *input, const struct instructions *instructions,
                        const char *output, int *pages);

/* Closes what `convert` left open, for a process that continues. */
void close_converted(void);

/* Export options of the warm-up. */
extern const char warm_up_options[];

/* The same for a process that continues, with these options. */
enum conversion convert_and_close(LibreOfficeKit *office, const char *input, const char *output);

#endif
