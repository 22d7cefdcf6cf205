/// vela render DIR: renders images again from a run folder's frames.
#include "vela/render.h"

#include "cli.h"
#include "progress.h"

#include <errno.h>
#include <stdlib.h>

static void show_images(void *user, int64_t done, int64_t count)
{
    progress_count(user, "image", done, count);
}

// Reads a whole number of at least `smallest` and moves behind it.
static bool read_integer(const char **text, int64_t smallest, int64_t largest, int64_t *value)
{
    char *end;
    errno = 0;
    const long long number = strtoll(*text, &end, 10);
    if (end == *text || errno == ERANGE || number < smallest || number > largest)
        return false;
    *value = number;
    *text = end;
    return true;
}

// "A:B", both included; "A:" and ":B" are open ended, "A" is one frame.
static bool parse_frames(const char *text, VelaRenderDef *def)
{
    int64_t first = 0, last = -1;
    if (*text != ':') {
        if (!read_integer(&text, 0, INT64_MAX, &first))
            return false;
        if (*text == '\0')
            last = first;
    }
    if (*text == ':') {
        text++;
        if (*text != '\0' && !read_integer(&text, first, INT64_MAX, &last))
            return false;
    }
    def->first_frame = first;
    def->last_frame = last;
    return *text == '\0';
}

static bool parse_size(const char *text, VelaRenderDef *def)
{
    int64_t width, height;
    if (!read_integer(&text, 16, 16384, &width) || *text++ != 'x' || !read_integer(&text, 16, 16384, &height))
        return false;
    def->width = (int32_t)width;
    def->height = (int32_t)height;
    return *text == '\0';
}

// Seven numbers separated by commas: eye, target, vertical field of view in degrees.
static bool parse_camera(const char *text, VelaRenderDef *def)
{
    double numbers[7];
    for (int i = 0; i < 7; i++) {
        char *end;
        numbers[i] = strtod(text, &end);
        if (end == text || *end != (i < 6 ? ',' : '\0') || !(numbers[i] - numbers[i] == 0))
            return false;
        text = end + 1;
    }
    for (int i = 0; i < 3; i++) {
        def->eye[i] = numbers[i];
        def->target[i] = numbers[3 + i];
    }
    def->fov_degrees = numbers[6];
    def->has_camera = true;
    return numbers[6] >= 1 && numbers[6] <= 170;
}

static bool parse_texts(const char *frames, const char *size, const char *camera, VelaRenderDef *def)
{
    if (frames && !parse_frames(frames, def)) {
        print_text(stderr, "vela render: --frames: found \"%s\", expected FIRST:LAST, such as 0:59\n",
                   frames);
        return false;
    }
    if (size && !parse_size(size, def)) {
        print_text(
            stderr,
            "vela render: --size: found \"%s\", expected WIDTHxHEIGHT of 16 to 16384 pixels each, such "
            "as 1280x720\n",
            size);
        return false;
    }
    if (camera && !parse_camera(camera, def)) {
        fprintf(
            stderr,
            "vela render: --camera: found \"%s\", expected seven numbers: eye x,y,z, target x,y,z, and the "
            "vertical field of view, 1 to 170 degrees\n",
            camera);
        return false;
    }
    return true;
}

static int render(Invocation *invocation, VelaRenderDef *def)
{
    const int code = invocation_open(invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    ProgressDisplay display = progress_make(invocation->verbosity);
    invocation->make_room = progress_make_room;
    invocation->make_room_user = &display;
    def->folder = invocation->arguments.items[0];
    def->override_count = invocation->overrides.count;
    def->overrides = invocation->overrides.items;
    def->progress = show_images;
    def->progress_user = &display;
    VelaRenderSummary summary = {0};
    const VelaResult result = vela_render(invocation->context, def, &summary);
    progress_make_room(&display);
    if (result == VELA_OK) {
        char duration[32];
        print_text(stdout, "%s: %lld images on %s in %s\n", summary.output, (long long)summary.images,
                   summary.device, format_duration(summary.wall_seconds, duration, sizeof duration));
    }
    return invocation_end(invocation, result);
}

int verb_render(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "render", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    VelaRenderDef def = vela_default_render_def();
    const char *frames = NULL, *size = NULL, *camera = NULL;
    const Option options[] = {
        {.name = "--frames",
         .kind = OPTION_TEXT,
         .value = "A:B",
         .target = &frames,
         .help = "first and last frame, both included; A: to the end, :B from the\nbeginning; default: all"},
        {.name = "--size",
         .kind = OPTION_TEXT,
         .value = "WxH",
         .target = &size,
         .help = "pixels; default: the scene's, else 1280x720"},
        {.name = "--camera",
         .kind = OPTION_TEXT,
         .value = "eye,target,fov",
         .target = &camera,
         .help = "seven numbers: eye x,y,z and target x,y,z in metres, vertical field\n"
                 "of view in degrees; default: the scene's"},
        option_set(
            &invocation.overrides,
            "changes what is drawn: render.* of the scene, and the look of bodies and\nobstacles; may be given several "
            "times (bodies.0.look.color=[1,0,0],\nrender.color_by=stretch)"),
        option_output("DIR2", &def.output, "folder for the images; default: DIR/images"),
    };
    const Command command = {
        .name = "render",
        .summary = "renders images again from a run folder",
        .usage = "DIR [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "DIR",
        .fewest = 1,
        .most = 1,
        .no_argument_hint = "a run folder, such as out/quickstart",
        .notes = "Nothing is simulated. Any Vulkan driver will do, a software one too.",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    if (!parse_texts(frames, size, camera, &def))
        return invocation_leave(&invocation, EXIT_CODE_INPUT);
    return render(&invocation, &def);
}
