/// vela mesh: not in this version.
#include "cli.h"

#include <string.h>

int verb_mesh(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            printf("vela mesh: converts between mesh formats\n\nusage: vela mesh IN -o OUT\n\nNot in this "
                   "version.\n");
            return EXIT_CODE_SUCCESS;
        }
    }
    fprintf(stderr, "vela mesh: not in this version\n");
    return EXIT_CODE_INPUT;
}
