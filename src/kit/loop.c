/*
 * platen-loop: the benchmark's limit. The same warm LibreOffice as the kit's, converting one document after
 * the other in its one process: what a conversion costs when nothing is isolated from anything.
 *
 *   platen-loop PROGRAM PROFILE-URL WARM-UP-DOCX WARM-UP-PDF < lines of "INPUT<tab>OUTPUT"
 *
 * Prints the milliseconds of each conversion, a line each, after a line "ready".
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "main-loop.h"
#include "office.h"
#include <LibreOfficeKit/LibreOfficeKitInit.h>

static LibreOfficeKit *office;
static const char *warm_up_document, *warm_up_pdf;

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static int on_idle(void *data, int timeout_us)
{
    (void)data, (void)timeout_us;
    for (int i = 0; i < 2; i++)
        if (convert_and_close(office, warm_up_document, warm_up_pdf) != CONVERTED)
            _exit(1);
    setvbuf(stdout, NULL, _IOLBF, 0);
    puts("ready");
    static char line[8192];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        char *output = line;
        const char *input = strsep(&output, "\t");
        double started = now_ms();
        if (!output || convert_and_close(office, input, output) != CONVERTED)
            _exit(1);
        printf("%.3f\n", now_ms() - started);
    }
    _exit(0);
}

static void on_wake(void *data) { (void)data; }

int main(int argc, char **argv)
{
    if (argc != 5)
        return fprintf(stderr, "usage: platen-loop PROGRAM PROFILE-URL WARM-UP-DOCX WARM-UP-PDF\n"), 2;
    warm_up_document = argv[3], warm_up_pdf = argv[4];
    setenv("SAL_LOK_OPTIONS", "unipoll", 1);
    office = lok_init_2(argv[1], argv[2]);
    if (!office)
        return fprintf(stderr, "platen-loop: LibreOffice did not initialise\n"), 1;
    if (mend_main_loop(argv[1]))
        return fprintf(stderr, "platen-loop: LibreOffice's main loop cannot be made to run\n"), 1;
    office->pClass->runLoop(office, on_idle, on_wake, argv);
    return 1;
}
