#include "check_main.h"

#include "base/context.h"
#include "mesh/tet.h"
#include "mesh_mutations.h"

#include <time.h>

// VELA_FUZZ_COUNT broken files (default 2000), over all formats in turn. None may crash, hang or leak; one that is taken
// must be a sound mesh, one that is refused must say why and where.

enum { MEMORY_LIMIT = 32 << 20 };

static void drop_message(void *user, VelaLogLevel level, const char *message)
{
    (void)level;
    *(size_t *)user += strlen(message);
}

static void assert_sound(VelaContext *context, const TetMesh *mesh, Arena *arena)
{
    ck_assert_int_gt(mesh->tet_count, 0);
    for (int64_t i = 0; i < 4 * (int64_t)mesh->tet_count; ++i)
        ck_assert(mesh->tets[i] >= 0 && mesh->tets[i] < mesh->node_count);
    for (int32_t t = 0; t < mesh->tet_count; ++t)
        ck_assert_double_gt(tet_volume(mesh->nodes, mesh->tets + 4 * (size_t)t), 0);
    for (int64_t i = 0; i < 3 * (int64_t)mesh->node_count; ++i)
        ck_assert(fabs(mesh->nodes[i]) <= 1e30);
    for (int32_t g = 0; g < mesh->group_count; ++g) {
        const NodeGroup *group = &mesh->groups[g];
        ck_assert_ptr_nonnull(group->name);
        ck_assert(g == 0 || strcmp(mesh->groups[g - 1].name, group->name) < 0);
        for (int32_t n = 0; n < group->node_count; ++n)
            ck_assert(group->nodes[n] >= 0 && group->nodes[n] < mesh->node_count &&
                      (n == 0 || group->nodes[n] > group->nodes[n - 1]));
    }
    int32_t count, *triangles;
    ASSERT_OK(context, mesh_surface(context, mesh, arena, &count, &triangles));
    ck_assert_int_gt(count, 0);
}

static void assert_sound_surface(const TriangleMesh *mesh)
{
    ck_assert_int_gt(mesh->triangle_count, 0);
    for (int64_t i = 0; i < 3 * (int64_t)mesh->triangle_count; ++i)
        ck_assert(mesh->triangles[i] >= 0 && mesh->triangles[i] < mesh->node_count);
    for (int64_t i = 0; i < 3 * (int64_t)mesh->node_count; ++i)
        ck_assert(fabs(mesh->nodes[i]) <= 1e30);
}

/// Reads one broken file; whether it was taken.
static bool read_broken(VelaContext *context, const Seed *seed, uint64_t *state)
{
    Arena arena = arena_make(context);
    Bytes files[2] = {{0}, {0}};
    MeshSource sources[2] = {{.name = seed->name, .data = ""}, {.name = "other.ele", .data = ""}};
    // Of a pair, one or both are broken.
    const size_t spared = seed->files[1].data ? random_below(state, 3) : 2;
    for (size_t f = 0; f < 2 && seed->files[f].data; ++f) {
        if (f == spared)
            bytes_append(&files[f], seed->files[f].data, seed->files[f].size);
        else
            files[f] = mutate(&seed->files[f], state);
        sources[f].data = files[f].data;
        sources[f].size = files[f].size;
    }
    VelaResult result;
    if (seed->format <= MESH_FORMAT_VTK) {
        TetMesh mesh;
        result = mesh_parse_tets(context, seed->format, sources, &arena, &mesh);
        if (result == VELA_OK)
            assert_sound(context, &mesh, &arena);
    } else {
        TriangleMesh mesh;
        result = mesh_parse_triangles(context, seed->format, sources, &arena, &mesh);
        if (result == VELA_OK)
            assert_sound_surface(&mesh);
    }
    const char *message = vela_context_message(context);
    ck_assert_msg(result == VELA_OK || result == VELA_ERROR_INVALID_INPUT ||
                      result == VELA_ERROR_OUT_OF_MEMORY,
                  "%s: result %d", seed->name, result);
    if (result == VELA_ERROR_INVALID_INPUT)
        ck_assert_msg(strstr(message, "found") && (strstr(message, sources[0].name) == message ||
                                                   strstr(message, sources[1].name) == message),
                      "%s: message \"%s\"", seed->name, message);
    arena_clear(&arena);
    ck_assert_msg(context->memory_used == 0, "%s: %zu bytes were not freed", seed->name,
                  (size_t)context->memory_used);
    free(files[0].data);
    free(files[1].data);
    return result == VELA_OK;
}

START_TEST(broken_files)
{
    Seed seeds[SEED_COUNT];
    seeds_make(seeds);
    size_t logged = 0;
    VelaContextDef def = vela_default_context_def();
    def.memory_limit = MEMORY_LIMIT;
    def.log = drop_message;
    def.log_user = &logged;
    VelaContext *context;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    const char *asked = getenv("VELA_FUZZ_COUNT");
    const long count = asked ? strtol(asked, NULL, 10) : 2000;
    ck_assert_int_gt(count, 0);
    long taken = 0;
    for (long i = 0; i < count; ++i) {
        uint64_t state = (uint64_t)i;
        const Seed *seed = &seeds[i % SEED_COUNT];
        const clock_t start = clock();
        taken += read_broken(context, seed, &state);
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        ck_assert_msg(seconds < 5, "file %ld (%s) took %g s", i, seed->name, seconds);
    }
    printf("%ld broken files: %ld taken, %ld refused\n", count, taken, count - taken);
    // Both must happen, else the mutations are too weak or too strong to mean anything.
    ck_assert(count < 100 || (taken > count / 50 && taken < count));
    vela_context_destroy(context);
    seeds_free(seeds);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fuzz_meshes");
    TCase *tests = tcase_create("broken files");
    tcase_add_test(tests, broken_files);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
