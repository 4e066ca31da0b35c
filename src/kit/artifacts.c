/* Reads a content stream (ISO 32000-1, 7.8.2) as far as needed to find its operators. */
#define _GNU_SOURCE
#include "artifacts.h"

#include <stdlib.h>
#include <string.h>

#define BEGIN_MARK "/Artifact BMC\n"
#define END_MARK "\nEMC\n"

struct reader {
    const char *content;
    size_t length;
    size_t at;
};

struct token {
    const char *start;
    size_t length;
    int is_operator;
};

static int is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '\f' || c == '\0'; }

static int is_delimiter(char c) { return is_space(c) || strchr("()<>[]{}/%", c) != NULL; }

static char current(const struct reader *reader) { return reader->content[reader->at]; }

static void skip_space(struct reader *reader)
{
    while (reader->at < reader->length) {
        if (current(reader) == '%')
            while (reader->at < reader->length && current(reader) != '\n' && current(reader) != '\r')
                reader->at++;
        else if (is_space(current(reader)))
            reader->at++;
        else
            return;
    }
}

static void skip_literal(struct reader *reader)
{
    int depth = 0;
    for (; reader->at < reader->length; reader->at++) {
        char c = current(reader);
        if (c == '\\')
            reader->at++;
        else if (c == '(')
            depth++;
        else if (c == ')' && --depth == 0)
            break;
    }
    reader->at++;
}

static void skip_word(struct reader *reader)
{
    reader->at++;
    while (reader->at < reader->length && !is_delimiter(current(reader)))
        reader->at++;
}

/* Returns 0 at the end. */
static int read_token(struct reader *reader, struct token *token)
{
    skip_space(reader);
    if (reader->at >= reader->length)
        return 0;
    size_t start = reader->at;
    char c = current(reader);
    int is_word = 0;
    if (c == '(') {
        skip_literal(reader);
    } else if (c == '<' && start + 1 < reader->length && reader->content[start + 1] != '<') {
        const char *end = memchr(reader->content + start, '>', reader->length - start);
        reader->at = end ? (size_t)(end - reader->content) + 1 : reader->length;
    } else if (c != '/' && is_delimiter(c)) {
        reader->at++;
    } else {
        skip_word(reader);
        is_word = c != '/';
    }
    if (reader->at > reader->length)
        reader->at = reader->length;
    /* Numbers start with signs, points and digits, which sort before letters; the operators ' and " are text. */
    int is_operator = is_word && ((c >= 'A' && c <= 'z') || c == '\'' || c == '"');
    *token = (struct token){reader->content + start, reader->at - start, is_operator};
    return 1;
}

static int is(const struct token *token, const char *operators)
{
    const char *at = operators;
    while (*at) {
        size_t length = strcspn(at, " ");
        if (length == token->length && strncmp(at, token->start, length) == 0)
            return 1;
        at += length + strspn(at + length, " ");
    }
    return 0;
}

/* From behind ID to behind EI, between spaces. */
static void skip_inline_image(struct reader *reader)
{
    for (reader->at++; reader->at + 3 < reader->length; reader->at++) {
        const char *at = reader->content + reader->at;
        if (is_space(at[0]) && at[1] == 'E' && at[2] == 'I' && is_space(at[3])) {
            reader->at += 3;
            return;
        }
    }
    reader->at = reader->length;
}

struct output {
    char *bytes;
    size_t length;
    int has_marks;
};

static void append(struct output *output, const char *bytes, size_t length)
{
    memcpy(output->bytes + output->length, bytes, length);
    output->length += length;
}

/* What is outside marked content between two such sequences. */
struct stretch {
    size_t start;
    int draws;
    int has_text;
};

static void end_stretch(struct output *output, const struct reader *reader, struct stretch *stretch, size_t end)
{
    int is_artifact = stretch->draws && !stretch->has_text;
    if (is_artifact)
        append(output, BEGIN_MARK, strlen(BEGIN_MARK));
    append(output, reader->content + stretch->start, end - stretch->start);
    if (is_artifact) {
        append(output, END_MARK, strlen(END_MARK));
        output->has_marks = 1;
    }
    *stretch = (struct stretch){.start = end};
}

static int write_marked(struct reader *reader, struct output *output)
{
    struct stretch stretch = {0};
    struct token token;
    int depth = 0;
    /* Where the operands of the next operator start. */
    size_t operands = 0;
    while (read_token(reader, &token)) {
        if (!token.is_operator)
            continue;
        if (is(&token, "BMC BDC")) {
            if (depth++ == 0)
                end_stretch(output, reader, &stretch, operands);
        } else if (is(&token, "EMC")) {
            if (depth-- == 0)
                return -1;
            if (depth == 0) {
                append(output, reader->content + stretch.start, reader->at - stretch.start);
                stretch = (struct stretch){.start = reader->at};
            }
        } else if (depth == 0) {
            stretch.draws |= is(&token, "f F f* B B* b b* S s sh Do EI BI");
            stretch.has_text |= is(&token, "BT ET Tj TJ ' \"");
        }
        if (is(&token, "ID"))
            skip_inline_image(reader);
        operands = reader->at;
    }
    if (depth != 0)
        return -1;
    end_stretch(output, reader, &stretch, reader->length);
    return 0;
}

char *mark_artifacts(const char *content, size_t length, size_t *marked_length)
{
    if (length == 0)
        return NULL;
    /* Each marked stretch but the last has at least ten bytes with what follows it, "S BMC EMC ", and gets 19 more. */
    size_t room = 4 * length + strlen(BEGIN_MARK END_MARK);
    struct reader reader = {.content = content, .length = length};
    struct output output = {.bytes = malloc(room)};
    if (!output.bytes)
        return NULL;
    if (write_marked(&reader, &output) != 0 || !output.has_marks) {
        free(output.bytes);
        return NULL;
    }
    *marked_length = output.length;
    return output.bytes;
}
