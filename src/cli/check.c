/// vela check SCENE: validates a scene and prints what would be simulated.
#include "vela/check.h"

#include "cli.h"

static void print_count(const char *name, int64_t value)
{
    printf("  %-18s %lld\n", name, (long long)value);
}

static void print_bytes(const char *name, uint64_t bytes)
{
    char text[32];
    printf("  %-18s %s\n", name, format_bytes(bytes, text, sizeof text));
}

static void print_obstacles(const VelaSceneReport *report)
{
    const struct {
        const char *one, *many;
        int64_t count;
    } kinds[] = {{"plane", "planes", report->planes},
                 {"sphere", "spheres", report->spheres},
                 {"mesh", "meshes", report->meshes}};
    printf("  %-18s %lld", "obstacles", (long long)report->obstacles);
    const char *before = " (";
    for (int i = 0; i < 3; ++i) {
        if (kinds[i].count == 0)
            continue;
        printf("%s%lld %s", before, (long long)kinds[i].count,
               kinds[i].count == 1 ? kinds[i].one : kinds[i].many);
        before = ", ";
    }
    if (report->meshes > 0)
        printf(" of %lld triangles", (long long)report->mesh_triangles);
    printf("%s\n", report->obstacles > 0 ? ")" : "");
}

static void print_report(const VelaSceneReport *report)
{
    print_text(stdout, "%s\n", report->name);
    print_count("bodies", report->bodies);
    print_obstacles(report);
    print_count("nodes", report->nodes);
    print_count("pinned nodes", report->pinned_nodes);
    print_count("elements", report->elements);
    print_count("surface triangles", report->surface_triangles);
    if (report->skin_triangles > 0)
        printf("  %-18s %lld vertices, %lld triangles\n", "skins", (long long)report->skin_vertices,
               (long long)report->skin_triangles);
    print_count("pieces", report->pieces);
    printf("  %-18s %.4g x %.4g x %.4g m, from (%.4g, %.4g, %.4g)\n", "size",
           report->high[0] - report->low[0], report->high[1] - report->low[1],
           report->high[2] - report->low[2], report->low[0], report->low[1], report->low[2]);
    printf("  %-18s %.3g to %.3g m, %.3g m on average\n", "edges", report->shortest_edge,
           report->longest_edge, report->mean_edge);
    printf("  %-18s %.6g kg\n", "mass", report->mass);
    printf("  %-18s %lld of %.6g s (%.6g s)\n", "steps", (long long)report->steps, report->step,
           report->duration);
    printf("  %-18s %s\n", "integrator", report->integrator);
    printf("  %-18s %s\n", "solver", report->solver);
    printf("  %-18s %s\n", "contact", report->contact);
    print_count("frames", report->frames);
    print_count("images", report->images);
    print_bytes("memory, CPU", report->memory_cpu);
    print_bytes("memory, Vulkan f32", report->memory_vulkan_f32);
    print_bytes("memory, Vulkan f64", report->memory_vulkan_f64);
    if (report->vulkan[0])
        print_text(stdout, "  Vulkan             %s\n", report->vulkan);
    print_bytes("disk", report->disk);
}

int verb_check(int argc, char **argv)
{
    Invocation invocation;
    int code = invocation_begin(&invocation, "check", argc);
    if (code != OPTIONS_GO_ON)
        return code;
    const Option options[] = {
        option_set(&invocation.overrides, "changes the scene, as in `vela run --help`"),
    };
    const Command command = {
        .name = "check",
        .summary = "validates a scene and prints what would be simulated",
        .usage = "SCENE [options]",
        .options = options,
        .option_count = sizeof options / sizeof options[0],
        .argument = "SCENE",
        .fewest = 1,
        .most = 1,
        .no_argument_hint = "a scene file, such as scenes/quickstart.json",
        .notes =
            "The initial state is tested as a run tests it. Nothing is simulated and nothing is written.\n"
            "Disk: states, checkpoint and diagnostics, "
            "without images.",
    };
    code = options_parse(&command, argc, argv, &invocation.arguments);
    if (code != OPTIONS_GO_ON)
        return invocation_leave(&invocation, code);
    code = invocation_open(&invocation, 0);
    if (code != OPTIONS_GO_ON)
        return code;
    VelaSceneReport report = {0};
    const VelaResult result = vela_check(invocation.context, invocation.arguments.items[0],
                                         invocation.overrides.count, invocation.overrides.items, &report);
    if (result == VELA_OK)
        print_report(&report);
    return invocation_end(&invocation, result);
}
