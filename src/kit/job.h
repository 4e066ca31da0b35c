/* A job, one document in its own folder: what Node, the kit and a child exchange about it. */
#ifndef PLATEN_JOB_H
#define PLATEN_JOB_H

enum {
    MAX_ID = 64,        /* characters of a job's id */
    FOLDER_SIZE = 4096, /* bytes of the longest path of a job's folder, its NUL included */
};

/* The task of a child; the rest is in its folder, see instructions.h. The folder's path is sent without its NUL, at its actual length. */
struct task {
    unsigned long cpu_seconds; /* budget */
    int stays;                 /* the child waits for another task in the same folder afterwards */
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
    int lacked_dictionary; /* see hyphenation.h */
};

/* How a job ended. */
struct ending {
    const char *outcome; /* one of the words in control.h */
    int detail;          /* exit code, or the number of the signal */
    struct report report;
};

#endif
