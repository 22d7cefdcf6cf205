#include "options.h"

#include "text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_USAGE = 2, LONGEST_WORD = 63, MOST_CANDIDATES = 64 };

static const double HARDLY_A_LIMIT = 1e15;

// ---------------------------------------------------------------- near misses

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

// Optimal string alignment distance: insertions, deletions, replacements, and swaps of neighbours count 1 each.
static int edit_distance(const char *a, const char *b)
{
    const int length_a = (int)strlen(a), length_b = (int)strlen(b);
    if (length_a > LONGEST_WORD || length_b > LONGEST_WORD)
        return LONGEST_WORD;
    int rows[3][LONGEST_WORD + 1];
    for (int j = 0; j <= length_b; j++)
        rows[0][j] = j;
    for (int i = 1; i <= length_a; i++) {
        int *row = rows[i % 3];
        const int *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
        row[0] = i;
        for (int j = 1; j <= length_b; j++) {
            const int replace = above[j - 1] + (a[i - 1] != b[j - 1]);
            row[j] = smaller(replace, 1 + smaller(above[j], row[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = smaller(row[j], above2[j - 2] + 1);
        }
    }
    return rows[length_a % 3][length_b];
}

const char *text_nearest(const char *word, int32_t count, const char *const *candidates)
{
    const char *best = NULL;
    int best_distance = 1 + (int)strlen(word) / 3;
    for (int32_t i = 0; i < count; i++) {
        const int distance = edit_distance(word, candidates[i]);
        if (distance <= best_distance && (!best || distance < best_distance)) {
            best = candidates[i];
            best_distance = distance;
        }
    }
    return best;
}

// ---------------------------------------------------------------- help

static int option_heading(const Option *option, char *text, size_t size)
{
    const bool takes_value = option->kind != OPTION_FLAG;
    return snprintf(text, size, "%s%s%s%s%s", option->short_name ? option->short_name : "",
                    option->short_name ? ", " : "", option->name, takes_value ? " " : "",
                    takes_value ? option->value : "");
}

static void print_option(const Option *option, int width)
{
    char heading[128];
    option_heading(option, heading, sizeof heading);
    const char *line = option->help;
    printf("  %-*s  ", width, heading);
    while (true) {
        const size_t length = strcspn(line, "\n");
        printf("%.*s\n", (int)length, line);
        if (line[length] == '\0')
            return;
        line += length + 1;
        printf("  %-*s  ", width, "");
    }
}

static void print_help(const Command *command)
{
    static const Option help = {
        .name = "--help", .short_name = "-h", .kind = OPTION_FLAG, .help = "prints this"};
    printf("vela %s: %s\n\nusage: vela %s %s\n\n", command->name, command->summary, command->name,
           command->usage);
    int width = 0;
    for (int32_t i = 0; i < command->option_count; i++) {
        char heading[128];
        const int length = option_heading(&command->options[i], heading, sizeof heading);
        width = length > width ? length : width;
    }
    width = width < 10 ? 10 : width;
    for (int32_t i = 0; i < command->option_count; i++)
        print_option(&command->options[i], width);
    print_option(&help, width);
    if (command->notes[0])
        printf("\n%s\n", command->notes);
}

// ---------------------------------------------------------------- parsing

static int usage_hint(const Command *command)
{
    print_text(stderr, "Try: vela %s --help\n", command->name);
    return EXIT_USAGE;
}

static const Option *option_find(const Command *command, const char *name, size_t length)
{
    for (int32_t i = 0; i < command->option_count; i++) {
        const Option *option = &command->options[i];
        if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
            return option;
        if (option->short_name && strlen(option->short_name) == length &&
            strncmp(option->short_name, name, length) == 0)
            return option;
    }
    return NULL;
}

static int unknown_option(const Command *command, const char *argument, size_t length)
{
    char word[LONGEST_WORD + 1];
    const char *candidates[MOST_CANDIDATES];
    int32_t count = 0;
    snprintf(word, sizeof word, "%.*s", (int)length, argument);
    for (int32_t i = 0; i < command->option_count && count < MOST_CANDIDATES - 1; i++)
        candidates[count++] = command->options[i].name;
    candidates[count++] = "--help";
    const char *nearest = text_nearest(word, count, candidates);
    print_text(stderr, "vela %s: unknown option %.*s", command->name, (int)length, argument);
    if (nearest)
        fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\n");
    return usage_hint(command);
}

static int bad_value(const Command *command, const Option *option, const char *value, const char *expected)
{
    print_text(stderr, "vela %s: %s: found \"%s\", expected %s\n", command->name, option->name, value,
               expected);
    return usage_hint(command);
}

static int set_choice(const Command *command, const Option *option, const char *value)
{
    char words[128];
    const char *candidates[MOST_CANDIDATES];
    int32_t count = 0;
    snprintf(words, sizeof words, "%s", option->value);
    for (char *word = strtok(words, "|"); word && count < MOST_CANDIDATES; word = strtok(NULL, "|")) {
        if (strcmp(word, value) == 0) {
            *(const char **)option->target = value;
            return OPTIONS_GO_ON;
        }
        candidates[count++] = word;
    }
    char expected[256];
    const char *nearest = text_nearest(value, count, candidates);
    snprintf(expected, sizeof expected, "one of %s%s%s%s", option->value, nearest ? "; did you mean " : "",
             nearest ? nearest : "", nearest ? "?" : "");
    return bad_value(command, option, value, expected);
}

static int set_number(const Command *command, const Option *option, const char *value)
{
    const bool whole = option->kind == OPTION_INTEGER;
    char *end = NULL;
    errno = 0;
    const long long integer = whole ? strtoll(value, &end, 10) : 0;
    const double number = whole ? (double)integer : strtod(value, &end);
    const bool in_range = isfinite(number) && number >= option->smallest && number <= option->largest;
    if (value[0] == '\0' || *end != '\0' || errno == ERANGE || !in_range) {
        char expected[128];
        const char *kind = whole ? "whole number" : "number";
        if (option->largest >= HARDLY_A_LIMIT)
            snprintf(expected, sizeof expected, "a %s of at least %.10g", kind, option->smallest);
        else
            snprintf(expected, sizeof expected, "a %s from %.10g to %.10g", kind, option->smallest,
                     option->largest);
        return bad_value(command, option, value, expected);
    }
    if (whole)
        *(int64_t *)option->target = integer;
    else
        *(double *)option->target = number;
    return OPTIONS_GO_ON;
}

static int set_value(const Command *command, const Option *option, const char *value)
{
    switch (option->kind) {
    case OPTION_CHOICE:
        return set_choice(command, option, value);
    case OPTION_INTEGER:
    case OPTION_REAL:
        return set_number(command, option, value);
    case OPTION_TEXTS: {
        TextList *list = option->target;
        list->items[list->count++] = value;
        return OPTIONS_GO_ON;
    }
    default:
        if (value[0] == '\0')
            return bad_value(command, option, value, option->value);
        *(const char **)option->target = value;
        return OPTIONS_GO_ON;
    }
}

// Reads the option at argv[*index], and its value, which may be the next argument.
static int parse_option(const Command *command, int argc, char **argv, int *index)
{
    const char *argument = argv[*index];
    const size_t length = strcspn(argument, "=");
    const Option *option = option_find(command, argument, length);
    if (!option)
        return unknown_option(command, argument, length);
    const bool inline_value = argument[length] == '=';
    if (option->kind == OPTION_FLAG) {
        if (inline_value) {
            print_text(stderr, "vela %s: %s takes no value\n", command->name, option->name);
            return usage_hint(command);
        }
        *(bool *)option->target = true;
        return OPTIONS_GO_ON;
    }
    if (inline_value)
        return set_value(command, option, argument + length + 1);
    if (*index + 1 >= argc || strncmp(argv[*index + 1], "--", 2) == 0) {
        print_text(stderr, "vela %s: %s: its value %s is missing\n", command->name, option->name,
                   option->value);
        return usage_hint(command);
    }
    *index += 1;
    return set_value(command, option, argv[*index]);
}

static int check_arguments(const Command *command, const TextList *arguments)
{
    if (arguments->count < command->fewest) {
        print_text(stderr, "vela %s: %s is missing: %s\n", command->name, command->argument,
                   command->no_argument_hint);
        return usage_hint(command);
    }
    if (arguments->count > command->most) {
        print_text(stderr, "vela %s: unexpected argument \"%s\", expected ", command->name,
                   arguments->items[command->most]);
        if (command->most == 0)
            fprintf(stderr, "none\n");
        else
            print_text(stderr, "at most %d %s\n", (int)command->most, command->argument);
        return usage_hint(command);
    }
    return OPTIONS_GO_ON;
}

int options_parse(const Command *command, int argc, char **argv, TextList *arguments)
{
    bool options_end = false;
    arguments->count = 0;
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            print_help(command);
            return 0;
        }
    }
    for (int i = 0; i < argc; i++) {
        if (!options_end && strcmp(argv[i], "--") == 0) {
            options_end = true;
        } else if (!options_end && argv[i][0] == '-' && argv[i][1] != '\0') {
            const int result = parse_option(command, argc, argv, &i);
            if (result != OPTIONS_GO_ON)
                return result;
        } else {
            arguments->items[arguments->count++] = argv[i];
        }
    }
    return check_arguments(command, arguments);
}
