/* The part of libqpdf that the kit needs: work on a finished PDF. */
#ifndef PLATEN_QPDF_H
#define PLATEN_QPDF_H

/* Mends a PDF as PDF/UA (accessible.h). Returns -1 if it cannot be read, mended or written. */
int mend_accessible(const char *input, const char *output);

/*
 * Runs a job (JSON, see qpdf's manual, "QPDF Jobs") and opens its output, as a reader with the password would.
 * Returns the number of pages of the output; 0 if the job failed or its output cannot be read.
 */
int run_qpdf(const char *job, const char *output, const char *password);

#endif
