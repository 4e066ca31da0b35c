/* LibreOffice's main loop, which 26.8 does not enter. */
#ifndef PLATEN_MAIN_LOOP_H
#define PLATEN_MAIN_LOOP_H

/*
 * Makes runLoop of the LibreOffice in `program` run its loop: from 26.8 on it returns at once. Under older versions this
 * does nothing. To be called after lok_init_2 and before runLoop, once.
 *
 * Returns 0, or -1 if the loop does not run and cannot be made to: the system forbids executing written memory, or the
 * processor is neither x86-64 nor AArch64.
 */
int mend_main_loop(const char *program);

#endif
