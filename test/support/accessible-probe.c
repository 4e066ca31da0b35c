/* Mends a PDF as the kit does: accessible-probe INPUT OUTPUT. */
#include <stdio.h>

#include "../../src/kit/accessible.h"

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    qpdf_data pdf = qpdf_init();
    if (qpdf_read(pdf, argv[1], NULL) & QPDF_ERRORS)
        return 3;
    if (make_accessible(pdf) != 0)
        return 4;
    if (qpdf_init_write(pdf, argv[2]) & QPDF_ERRORS)
        return 5;
    /* Streams of PDF/A end with a line end. */
    qpdf_set_newline_before_endstream(pdf, QPDF_TRUE);
    qpdf_set_deterministic_ID(pdf, QPDF_TRUE);
    if (qpdf_write(pdf) & QPDF_ERRORS)
        return 6;
    qpdf_cleanup(&pdf);
    return 0;
}
