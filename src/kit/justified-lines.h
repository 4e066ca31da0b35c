/* Where the lines of justified paragraphs break. */
#ifndef PLATEN_JUSTIFIED_LINES_H
#define PLATEN_JUSTIFIED_LINES_H

/*
 * Makes LibreOffice shrink the blanks of a justified line for one more word only where Word does. To be called once Writer is
 * loaded, while the process has one thread; processes that it forks inherit the change.
 *
 * Returns 0, or -1 if lines stay LibreOffice's: the processor is not x86-64, this build of LibreOffice is not understood, or the
 * system forbids executing written memory. `guess` gets LibreOffice's function that looks for the end of a line, or NULL.
 */
int break_justified_lines_as_word(const char *program, unsigned char **guess);

#endif
