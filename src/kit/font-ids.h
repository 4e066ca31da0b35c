/* The numbers of the Type 1 fonts that LibreOffice makes. */
#ifndef PLATEN_FONT_IDS_H
#define PLATEN_FONT_IDS_H

/*
 * Finds LibreOffice's counter, before the first conversion. Returns 0, or -1 if this build has none at a place that is certain:
 * then the bytes of a PDF would depend on what the process has converted before.
 */
int find_font_ids(const char *program);

/* Notes where it stands when a child begins, and sets it back to that before each further document. */
void note_font_ids(void);
void restart_font_ids(void);

#endif
