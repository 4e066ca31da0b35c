/* A job, one document in its own folder: what Node, the kit and a child exchange about it. */
#ifndef PLATEN_JOB_H
#define PLATEN_JOB_H

enum {
    MAX_ID = 64,        /* characters of a job's id */
    FOLDER_SIZE = 4096, /* bytes of the longest path of a job's folder, its NUL included */
};

/*
 * The output format: a tagged PDF, an untagged one, or PDF/A of that part and level (ISO 19005), which LibreOffice always
 * tags.
 */
enum format { PDF, UNTAGGED_PDF, PDFA_1B, PDFA_2B, PDFA_3B, FORMATS };

/*
 * Added to a format: the PDF has a named destination for each bookmark of the document; full-width punctuation may be
 * compressed.
 */
enum { FORMAT = 0x0f, DESTINATIONS = 0x10, COMPRESSED = 0x20 };

/* The task of a child. The folder's path is sent without its NUL, at its actual length. */
struct task {
    int format; /* an enum format, with or without DESTINATIONS and COMPRESSED */
    unsigned long cpu_seconds; /* budget */
    char folder[FOLDER_SIZE];
};

/* The budget of each child, besides CPU time. */
struct budget {
    unsigned long file_mib;   /* of the largest file it writes */
    unsigned long memory_mib; /* resident; enforced by the kit, see children.c */
};

/* What a child reports after a conversion. */
struct report {
    int pages;
    long peak_kib;
    long cpu_ms;
};

/* How a job ended. */
struct ending {
    const char *outcome; /* one of the words in control.h */
    int detail;          /* exit code, or the number of the signal */
    struct report report;
};

#endif
