/* Whether this process met a full disk. */
#ifndef PLATEN_DISK_H
#define PLATEN_DISK_H

/* If LibreOffice cannot store a picture in a temporary file, it treats it as missing and continues: only its system calls
 * show that. */
int met_full_disk(void);

#endif
