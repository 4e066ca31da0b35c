/* Whether this process met a full disk. */
#ifndef PLATEN_DISK_H
#define PLATEN_DISK_H

/* LibreOffice takes a picture that it cannot put into a temporary file for one that is not there, and converts on:
 * only who looks at its system calls knows. */
int met_full_disk(void);

#endif
