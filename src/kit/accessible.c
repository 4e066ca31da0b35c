#include "accessible.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "artifacts.h"

/* ISO 32000-1, 14.8.4. */
static const char *const standard_types[] = {
    "/Document", "/Part",  "/Art",     "/Sect", "/Div",   "/BlockQuote", "/Caption", "/TOC",   "/TOCI",      "/Index",
    "/NonStruct", "/Private", "/P",    "/H",    "/H1",    "/H2",         "/H3",      "/H4",    "/H5",        "/H6",
    "/L",        "/LI",    "/Lbl",     "/LBody", "/Table", "/TR",        "/TH",      "/TD",    "/THead",     "/TBody",
    "/TFoot",    "/Span",  "/Quote",   "/Note", "/Reference", "/BibEntry", "/Code",  "/Link",  "/Annot",     "/Ruby",
    "/RB",       "/RT",    "/RP",      "/Warichu", "/WT", "/WP",         "/Figure",  "/Formula", "/Form",
};

/* Deepest element that is looked at; LibreOffice nests tables less. */
enum { MAX_DEPTH = 512 };

/* A set of object numbers. */
struct numbers {
    unsigned char *bits;
    size_t bytes;
};

struct document {
    qpdf_data pdf;
    qpdf_oh catalog;
    /* The root of the structure, and its first element. */
    qpdf_oh root;
    qpdf_oh top;
    /* Numbers and elements of the parent tree, and its next number. */
    qpdf_oh parents;
    long long next_parent;
    /* A tree with leaves, as one of several documents has, gets another leaf, with the parents from this number on. */
    qpdf_oh leaf;
    long long first_of_leaf;
    struct numbers elements;
    /* Annotations that are in an element. */
    struct numbers annotations;
    int is_short_of_memory;
};

static int has(const struct numbers *numbers, int number)
{
    size_t byte = (size_t)number / 8;
    return number > 0 && byte < numbers->bytes && (numbers->bits[byte] >> (number % 8)) & 1;
}

/* Returns whether it was not in the set. */
static int add(struct document *document, struct numbers *numbers, int number)
{
    if (number <= 0 || has(numbers, number))
        return 0;
    size_t byte = (size_t)number / 8;
    if (byte >= numbers->bytes) {
        size_t bytes = 2 * byte + 64;
        unsigned char *bits = realloc(numbers->bits, bytes);
        if (!bits) {
            document->is_short_of_memory = 1;
            return 0;
        }
        memset(bits + numbers->bytes, 0, bytes - numbers->bytes);
        *numbers = (struct numbers){bits, bytes};
    }
    numbers->bits[byte] |= (unsigned char)(1 << (number % 8));
    return 1;
}

/* Null if there is no dictionary. */
static qpdf_oh value_of(qpdf_data pdf, qpdf_oh dictionary, const char *key)
{
    int is_dictionary = qpdf_oh_is_dictionary(pdf, dictionary);
    return is_dictionary ? qpdf_oh_get_key(pdf, dictionary, key) : qpdf_oh_new_null(pdf);
}

static int is_named(qpdf_data pdf, qpdf_oh dictionary, const char *key, const char *name)
{
    return qpdf_oh_is_name_and_equals(pdf, value_of(pdf, dictionary, key), name);
}

static void set_name(qpdf_data pdf, qpdf_oh dictionary, const char *key, const char *name)
{
    qpdf_oh_replace_key(pdf, dictionary, key, qpdf_oh_new_name(pdf, name));
}

static int has_text(qpdf_data pdf, qpdf_oh dictionary, const char *key)
{
    qpdf_oh value = value_of(pdf, dictionary, key);
    return qpdf_oh_is_string(pdf, value) && *qpdf_oh_get_utf8_value(pdf, value);
}

/* An array under the key, made of a single value if there is one. */
static qpdf_oh items(qpdf_data pdf, qpdf_oh dictionary, const char *key)
{
    qpdf_oh value = value_of(pdf, dictionary, key);
    if (qpdf_oh_is_array(pdf, value))
        return value;
    qpdf_oh array = qpdf_oh_new_array(pdf);
    if (!qpdf_oh_is_null(pdf, value))
        qpdf_oh_append_item(pdf, array, value);
    qpdf_oh_replace_key(pdf, dictionary, key, array);
    return array;
}

static qpdf_oh new_element(struct document *document, const char *type, qpdf_oh parent)
{
    qpdf_data pdf = document->pdf;
    qpdf_oh element = qpdf_make_indirect_object(pdf, qpdf_oh_new_dictionary(pdf));
    set_name(pdf, element, "/Type", "/StructElem");
    set_name(pdf, element, "/S", type);
    qpdf_oh_replace_key(pdf, element, "/P", parent);
    return element;
}

/* Puts a list around the item at this place, or appends it to the list before it if that was made for one. */
static void put_into_list(struct document *document, qpdf_oh parent, qpdf_oh kids, int at, qpdf_oh *made)
{
    qpdf_data pdf = document->pdf;
    qpdf_oh item = qpdf_oh_get_array_item(pdf, kids, at);
    int continues = qpdf_oh_is_initialized(pdf, *made);
    if (!continues)
        *made = new_element(document, "/L", parent);
    qpdf_oh_append_item(pdf, items(pdf, *made, "/K"), item);
    qpdf_oh_replace_key(pdf, item, "/P", *made);
    if (continues)
        qpdf_oh_erase_item(pdf, kids, at);
    else
        qpdf_oh_set_array_item(pdf, kids, at, *made);
}

static void mend_elements(struct document *document, qpdf_oh element, int depth)
{
    qpdf_data pdf = document->pdf;
    int number = qpdf_oh_get_object_id(pdf, element);
    if (depth > MAX_DEPTH || !add(document, &document->elements, number))
        return;
    if (is_named(pdf, element, "/S", "/Note") && !has_text(pdf, element, "/ID")) {
        char id[32];
        snprintf(id, sizeof id, "note-%d", number);
        qpdf_oh_replace_key(pdf, element, "/ID", qpdf_oh_new_string(pdf, id));
    }
    int is_list = is_named(pdf, element, "/S", "/L");
    qpdf_oh kids = items(pdf, element, "/K");
    qpdf_oh made = qpdf_oh_new_uninitialized(pdf);
    for (int i = 0; i < qpdf_oh_get_array_n_items(pdf, kids); i++) {
        qpdf_oh kid = qpdf_oh_get_array_item(pdf, kids, i);
        if (is_named(pdf, kid, "/Type", "/OBJR")) {
            qpdf_oh object = qpdf_oh_get_key(pdf, kid, "/Obj");
            add(document, &document->annotations, qpdf_oh_get_object_id(pdf, object));
        }
        int is_stray = !is_list && is_named(pdf, kid, "/S", "/LI");
        if (qpdf_oh_is_dictionary(pdf, kid) && qpdf_oh_has_key(pdf, kid, "/S"))
            mend_elements(document, kid, depth + 1);
        if (!is_stray) {
            made = qpdf_oh_new_uninitialized(pdf);
            continue;
        }
        int count = qpdf_oh_get_array_n_items(pdf, kids);
        put_into_list(document, element, kids, i, &made);
        i -= count - qpdf_oh_get_array_n_items(pdf, kids);
    }
}

static void find_parents(struct document *document)
{
    qpdf_data pdf = document->pdf;
    qpdf_oh tree = qpdf_oh_get_key(pdf, document->root, "/ParentTree");
    if (qpdf_oh_is_array(pdf, value_of(pdf, tree, "/Kids"))) {
        document->leaf = qpdf_make_indirect_object(pdf, qpdf_oh_new_dictionary(pdf));
        document->parents = items(pdf, document->leaf, "/Nums");
        document->next_parent = qpdf_oh_get_int_value(pdf, value_of(pdf, document->root, "/ParentTreeNextKey"));
        document->first_of_leaf = document->next_parent;
        return;
    }
    document->leaf = qpdf_oh_new_uninitialized(pdf);
    document->parents = items(pdf, tree, "/Nums");
    int count = qpdf_oh_get_array_n_items(pdf, document->parents);
    for (int i = 0; i < count; i += 2) {
        long long number = qpdf_oh_get_int_value(pdf, qpdf_oh_get_array_item(pdf, document->parents, i));
        if (number >= document->next_parent)
            document->next_parent = number + 1;
    }
}

static void end_parents(struct document *document)
{
    qpdf_data pdf = document->pdf;
    if (!qpdf_oh_is_initialized(pdf, document->leaf) || document->next_parent == document->first_of_leaf)
        return;
    qpdf_oh limits = qpdf_oh_new_array(pdf);
    qpdf_oh_append_item(pdf, limits, qpdf_oh_new_integer(pdf, document->first_of_leaf));
    qpdf_oh_append_item(pdf, limits, qpdf_oh_new_integer(pdf, document->next_parent - 1));
    qpdf_oh_replace_key(pdf, document->leaf, "/Limits", limits);
    qpdf_oh tree = qpdf_oh_get_key(pdf, document->root, "/ParentTree");
    qpdf_oh_append_item(pdf, qpdf_oh_get_key(pdf, tree, "/Kids"), document->leaf);
    qpdf_oh next = qpdf_oh_new_integer(pdf, document->next_parent);
    qpdf_oh_replace_key(pdf, document->root, "/ParentTreeNextKey", next);
}

/* Appends an element for an annotation to the document. */
static void put_into_element(struct document *document, qpdf_oh page, qpdf_oh annotation, const char *type)
{
    qpdf_data pdf = document->pdf;
    qpdf_oh object = qpdf_oh_new_dictionary(pdf);
    set_name(pdf, object, "/Type", "/OBJR");
    qpdf_oh_replace_key(pdf, object, "/Obj", annotation);
    qpdf_oh_replace_key(pdf, object, "/Pg", page);
    qpdf_oh element = new_element(document, type, document->top);
    qpdf_oh_append_item(pdf, items(pdf, element, "/K"), object);
    qpdf_oh_append_item(pdf, items(pdf, document->top, "/K"), element);
    qpdf_oh number = qpdf_oh_new_integer(pdf, document->next_parent++);
    qpdf_oh_append_item(pdf, document->parents, number);
    qpdf_oh_append_item(pdf, document->parents, element);
    qpdf_oh_replace_key(pdf, annotation, "/StructParent", number);
}

/* A field's own attribute, or that of the field that it is a part of. */
static qpdf_oh field_text(qpdf_data pdf, qpdf_oh field, const char *key)
{
    if (has_text(pdf, field, key))
        return qpdf_oh_get_key(pdf, field, key);
    qpdf_oh parent = value_of(pdf, field, "/Parent");
    return has_text(pdf, parent, key) ? qpdf_oh_get_key(pdf, parent, key) : qpdf_oh_new_string(pdf, "Field");
}

static void mend_annotation(struct document *document, qpdf_oh page, qpdf_oh annotation)
{
    qpdf_data pdf = document->pdf;
    int is_link = is_named(pdf, annotation, "/Subtype", "/Link");
    int is_field = is_named(pdf, annotation, "/Subtype", "/Widget");
    if (!is_link && !is_field)
        return;
    if (is_link && !has_text(pdf, annotation, "/Contents")) {
        qpdf_oh action = value_of(pdf, annotation, "/A");
        int leads_out = has_text(pdf, action, "/URI");
        qpdf_oh text = leads_out ? qpdf_oh_get_key(pdf, action, "/URI") : qpdf_oh_new_string(pdf, "Link");
        qpdf_oh_replace_key(pdf, annotation, "/Contents", text);
    }
    if (is_field && !has_text(pdf, annotation, "/TU")) {
        qpdf_oh parent = value_of(pdf, annotation, "/Parent");
        const char *key = has_text(pdf, parent, "/TU") ? "/TU" : "/T";
        qpdf_oh_replace_key(pdf, annotation, "/TU", field_text(pdf, annotation, key));
    }
    if (!has(&document->annotations, qpdf_oh_get_object_id(pdf, annotation)))
        put_into_element(document, page, annotation, is_link ? "/Link" : "/Form");
}

static void mend_content(qpdf_data pdf, qpdf_oh page)
{
    unsigned char *content = NULL;
    size_t length = 0;
    if (qpdf_oh_get_page_content_data(pdf, page, &content, &length) & QPDF_ERRORS)
        return;
    size_t marked_length = 0;
    char *marked = mark_artifacts((const char *)content, length, &marked_length);
    if (marked) {
        qpdf_oh stream = qpdf_oh_new_stream(pdf);
        qpdf_oh none = qpdf_oh_new_null(pdf);
        qpdf_oh_replace_stream_data(pdf, stream, (const unsigned char *)marked, marked_length, none, none);
        qpdf_oh_replace_key(pdf, page, "/Contents", stream);
        free(marked);
    }
    free(content);
}

static void mend_pages(struct document *document)
{
    qpdf_data pdf = document->pdf;
    int count = qpdf_get_num_pages(pdf);
    for (int i = 0; i < count; i++) {
        qpdf_oh page = qpdf_get_page_n(pdf, (size_t)i);
        mend_content(pdf, page);
        qpdf_oh annotations = qpdf_oh_get_key(pdf, page, "/Annots");
        int annotation_count = qpdf_oh_is_array(pdf, annotations) ? qpdf_oh_get_array_n_items(pdf, annotations) : 0;
        for (int j = 0; j < annotation_count; j++)
            mend_annotation(document, page, qpdf_oh_get_array_item(pdf, annotations, j));
    }
}

static void mend_catalog(struct document *document)
{
    qpdf_data pdf = document->pdf;
    if (!qpdf_oh_is_dictionary(pdf, qpdf_oh_get_key(pdf, document->catalog, "/ViewerPreferences")))
        qpdf_oh_replace_key(pdf, document->catalog, "/ViewerPreferences", qpdf_oh_new_dictionary(pdf));
    qpdf_oh preferences = qpdf_oh_get_key(pdf, document->catalog, "/ViewerPreferences");
    qpdf_oh_replace_key(pdf, preferences, "/DisplayDocTitle", qpdf_oh_new_bool(pdf, QPDF_TRUE));
    qpdf_oh roles = qpdf_oh_get_key(pdf, document->root, "/RoleMap");
    if (!qpdf_oh_is_dictionary(pdf, roles))
        return;
    for (size_t i = 0; i < sizeof standard_types / sizeof *standard_types; i++)
        qpdf_oh_remove_key(pdf, roles, standard_types[i]);
}

int make_accessible(qpdf_data pdf)
{
    struct document document = {.pdf = pdf, .catalog = qpdf_get_root(pdf)};
    document.root = qpdf_oh_get_key(pdf, document.catalog, "/StructTreeRoot");
    qpdf_oh tops = qpdf_oh_is_dictionary(pdf, document.root) ? items(pdf, document.root, "/K") : qpdf_oh_new_array(pdf);
    if (qpdf_oh_get_array_n_items(pdf, tops) == 0)
        return -1;
    document.top = qpdf_oh_get_array_item(pdf, tops, 0);
    for (int i = 0; i < qpdf_oh_get_array_n_items(pdf, tops); i++)
        mend_elements(&document, qpdf_oh_get_array_item(pdf, tops, i), 0);
    find_parents(&document);
    mend_pages(&document);
    end_parents(&document);
    mend_catalog(&document);
    free(document.elements.bits);
    free(document.annotations.bits);
    return qpdf_has_error(pdf) || document.is_short_of_memory ? -1 : 0;
}
