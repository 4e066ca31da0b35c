/* The fork server: carries out Node's requests with the children. */
#ifndef PLATEN_SERVER_H
#define PLATEN_SERVER_H

#include "children.h"

/* What was found in LibreOffice's loaded code. All but the font ids are Word's since, instead of LibreOffice's. */
enum mend {
    SCRIPT_GAP = 1,      /* script-gap.h */
    JUSTIFIED_LINES = 2, /* justified-lines.h */
    FONT_IDS = 4,        /* font-ids.h: found, so that a child can convert several documents */
    PUNCTUATION = 8,     /* punctuation.h */
};

struct server_options {
    int control; /* stream socket to Node, see control.h */
    int layers;  /* of the sandbox, see sandbox.h */
    int mends;   /* a set of enum mend */
    struct children_options children;
};

/* Serves until Node closes the control socket, then ends every child and exits. */
_Noreturn void serve(LibreOfficeKit *office, const struct server_options *options,
                     const struct temp_names *temp_names);

#endif
