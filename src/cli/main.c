/// vela VERB ...: hands the command line to a verb.
#include "cli.h"

#include <string.h>

typedef struct Verb {
    const char *name;
    const char *summary;
    int (*function)(int argc, char **argv);
} Verb;

static const Verb verbs[] = {
    {"run", "simulates a scene and writes a run folder with images", verb_run},
    {"check", "validates a scene and prints what would be simulated", verb_check},
    {"render", "renders images again from a run folder", verb_render},
    {"plot", "draws energies and momenta of runs against time", verb_plot},
    {"export", "writes the recorded motion for other programs", verb_export},
    {"compare", "runs a scene on two devices and reports how far apart they are", verb_compare},
    {"devices", "lists the Vulkan devices and whether they are usable", verb_devices},
    {"mesh", "converts between mesh formats (not in this version)", verb_mesh},
};
enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

static void print_help(FILE *file)
{
    fprintf(file, "vela simulates elastic bodies with contact, on any GPU through Vulkan or on the CPU, and "
                  "renders them.\n"
                  "\nusage: vela VERB ...\n\n");
    for (int i = 0; i < VERB_COUNT; i++)
        fprintf(file, "  %-8s  %s\n", verbs[i].name, verbs[i].summary);
    fprintf(file,
            "\n  vela VERB --help   what a verb takes\n"
            "  vela --version     version and git revision\n"
            "\nExit codes: 0 success; 1 the run failed; 2 the command line, the scene or a mesh is wrong.\n");
}

static int unknown_verb(const char *word)
{
    const char *names[VERB_COUNT + 2] = {"--help", "--version"};
    for (int i = 0; i < VERB_COUNT; i++)
        names[i + 2] = verbs[i].name;
    const char *nearest = text_nearest(word, VERB_COUNT + 2, names);
    print_text(stderr, "vela: unknown %s \"%s\"", word[0] == '-' ? "option" : "verb", word);
    if (nearest)
        fprintf(stderr, "; did you mean %s?", nearest);
    fprintf(stderr, "\nTry: vela --help\n");
    return EXIT_CODE_INPUT;
}

static int dispatch(int argc, char **argv)
{
    if (argc < 2) {
        print_help(stderr);
        return EXIT_CODE_INPUT;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        print_help(stdout);
        return EXIT_CODE_SUCCESS;
    }
    if (strcmp(word, "--version") == 0) {
        printf("vela %s (%s)\n", vela_version(), vela_revision());
        return EXIT_CODE_SUCCESS;
    }
    for (int i = 0; i < VERB_COUNT; i++) {
        if (strcmp(word, verbs[i].name) == 0)
            return verbs[i].function(argc - 2, argv + 2);
    }
    return unknown_verb(word);
}

int main(int argc, char **argv)
{
    const int code = dispatch(argc, argv);
    // What could not be printed (a full disk behind a pipe) must not pass for success.
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_CODE_SUCCESS) {
        fprintf(stderr, "vela: standard output could not be written\n");
        return EXIT_CODE_FAILURE;
    }
    return code;
}
