/* The gap between East Asian letters and others. */
#ifndef PLATEN_SCRIPT_GAP_H
#define PLATEN_SCRIPT_GAP_H

/*
 * Makes the gap a quarter of the font's size, as in Word; LibreOffice computes a fifth. To be called once Writer is loaded, while
 * the process has one thread.
 *
 * Returns 0, or -1 if the gap stays a fifth: the processor is not x86-64, this build of LibreOffice is not understood, or the
 * system forbids executing written memory.
 */
int widen_script_gap(const char *program);

#endif
