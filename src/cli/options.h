/// The command line as a table: what a verb takes, how its help reads, and what is wrong with what was typed.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_FLAG,    ///< target: bool, set to true
    OPTION_TEXT,    ///< target: const char *
    OPTION_CHOICE,  ///< target: const char *; one of the words of `value`, which are separated by |
    OPTION_INTEGER, ///< target: int64_t in [smallest, largest]
    OPTION_REAL,    ///< target: double in [smallest, largest]
    OPTION_TEXTS,   ///< target: TextList; may be given several times
} OptionKind;

/// Texts of argv in the order they were given. `items` has room for every argument.
typedef struct TextList {
    int32_t count;
    const char **items;
} TextList;

typedef struct Option {
    const char *name;       ///< "--steps"
    const char *short_name; ///< "-o", or NULL
    OptionKind kind;
    const char *value;        ///< how the help calls the value: "N"; of a choice: its words
    const char *help;         ///< lines separated by \n
    void *target;             ///< where the value goes, left alone unless the option is given; see OptionKind
    double smallest, largest; ///< of a number
} Option;

// Options that several verbs take, each with its own words in the help.
static inline Option option_output(const char *value, const char **target, const char *help)
{
    return (Option){.name = "--output",
                    .short_name = "-o",
                    .kind = OPTION_TEXT,
                    .value = value,
                    .target = target,
                    .help = help};
}
static inline Option option_precision(const char **target, const char *help)
{
    return (Option){
        .name = "--precision", .kind = OPTION_CHOICE, .value = "f32|f64", .target = target, .help = help};
}
static inline Option option_set(TextList *target, const char *help)
{
    return (Option){
        .name = "--set", .kind = OPTION_TEXTS, .value = "path.to.key=value", .target = target, .help = help};
}

/// What one verb takes.
typedef struct Command {
    const char *name;    ///< "run"
    const char *summary; ///< one line, for `vela --help` and above the verb's own help
    const char *usage;   ///< what follows "vela run"
    const char *notes;   ///< below the options in the help; may be ""
    const Option *options;
    int32_t option_count;
    const char *argument;         ///< what an argument that is no option is called: "SCENE"
    int32_t fewest, most;         ///< how many of them
    const char *no_argument_hint; ///< what to say where they are missing
} Command;

enum { OPTIONS_GO_ON = -1 };

/// Reads argv[0..argc), which starts behind the verb. Fills the options' targets and `arguments` (its items allocated by
/// the caller with room for argc). Returns OPTIONS_GO_ON, or the exit code to leave with: 0 after --help, 2 after a
/// message on stderr. `--name value`, `--name=value`, `-o value`; behind `--` everything is an argument.
int options_parse(const Command *command, int argc, char **argv, TextList *arguments);

/// The candidate nearest to `word` by edits, NULL if none is near enough to be what was meant.
const char *text_nearest(const char *word, int32_t count, const char *const *candidates);

#endif
