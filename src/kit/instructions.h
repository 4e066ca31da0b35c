/*
 * The file `task` in a job's folder, which Node writes: what to do with the document. Each line has the name of an
 * instruction and, after a blank, its value:
 *
 *   export JSON       convert input.docx to output.pdf, with these options of LibreOffice's export filter
 *   compressed        full-width punctuation may be compressed
 *   joined            no gap between East Asian letters and others
 *   update            update fields and indexes before the export
 *   clock SECONDS     the time in the PDF, since the epoch
 *   qpdf JSON         instead of an export, run this job of qpdf's, which makes output.pdf
 *   accessible        first mend unfinished.pdf as PDF/UA; the job reads the result, accessible.pdf
 *   password TEXT     opens that output.pdf
 *   draw COMMAND      instead of both, become this program of poppler's (picture.h), with these arguments, separated by blanks
 */
#ifndef PLATEN_INSTRUCTIONS_H
#define PLATEN_INSTRUCTIONS_H

#include <time.h>

struct instructions {
    const char *export; /* NULL: no export */
    const char *qpdf;   /* NULL: no job of qpdf's */
    char *draw;         /* NULL: no picture */
    const char *password;
    int compressed, joined, update, accessible;
    time_t clock; /* 0: the real time */
};

/* Reads the file. The texts live as long as the process. Returns -1 if it is missing, too long or not understood. */
int read_instructions(const char *folder, struct instructions *instructions);

#endif
