#include "qpdf.h"

#include "accessible.h"

#include <qpdf/qpdf-c.h>
#include <qpdf/qpdfjob-c.h>
#include <qpdf/qpdflogger-c.h>

/* Its messages may quote the document. */
static void discard_messages(void)
{
    qpdflogger_handle logger = qpdflogger_default_logger();
    qpdflogger_set_info(logger, qpdf_log_dest_discard, NULL, NULL);
    qpdflogger_set_warn(logger, qpdf_log_dest_discard, NULL, NULL);
    qpdflogger_set_error(logger, qpdf_log_dest_discard, NULL, NULL);
    qpdflogger_cleanup(&logger);
}

static qpdf_data silent_pdf(void)
{
    qpdf_data pdf = qpdf_init();
    qpdf_silence_errors(pdf);
    qpdf_set_suppress_warnings(pdf, QPDF_TRUE);
    qpdf_set_attempt_recovery(pdf, QPDF_FALSE);
    return pdf;
}

int mend_accessible(const char *input, const char *output)
{
    qpdf_data pdf = silent_pdf();
    int failed = qpdf_read(pdf, input, NULL) & QPDF_ERRORS || make_accessible(pdf) ||
                 qpdf_init_write(pdf, output) & QPDF_ERRORS;
    if (!failed) {
        qpdf_set_deterministic_ID(pdf, QPDF_TRUE);
        failed = (qpdf_write(pdf) & QPDF_ERRORS) != 0;
    }
    qpdf_cleanup(&pdf);
    return failed ? -1 : 0;
}

static int count_pages(const char *path, const char *password)
{
    qpdf_data pdf = silent_pdf();
    int pages = qpdf_read(pdf, path, password) & QPDF_ERRORS ? 0 : qpdf_get_num_pages(pdf);
    qpdf_cleanup(&pdf);
    return pages > 0 ? pages : 0;
}

int run_qpdf(const char *job, const char *output, const char *password)
{
    discard_messages();
    return qpdfjob_run_from_json(job) == 0 ? count_pages(output, password) : 0;
}
