#define _XOPEN_SOURCE 700
#include "check_main.h"

#include "mesh/mesh.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

// Real meshes, which are not part of vela: numbers as their own tools counted them.

#define MESHES SHARED_DIR "/meshes/"

static VelaContext *context;
static Arena arena;
static int warnings;

static void count_warning(void *user, VelaLogLevel level, const char *message)
{
    (void)user;
    if (level <= VELA_LOG_WARNING) {
        fprintf(stderr, "%s\n", message);
        ++warnings;
    }
}

static void setup(void)
{
    VelaContextDef def = vela_default_context_def();
    def.log = count_warning;
    warnings = 0;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    arena = arena_make(context);
}

static void teardown(void)
{
    arena_clear(&arena);
    vela_context_destroy(context);
}

typedef struct Expected {
    const char *path;
    int32_t nodes, tets, triangles;
    double smallest_dihedral, largest_dihedral; ///< degrees, to 0.05 or so
} Expected;

static const Expected SOLIDS[] = {
    {"tet/bunny_1k.msh", 978, 3462, 1444, 11.1, 160.6},
    {"tet/bunny_7k5.msh", 7583, 37187, 5698, 10.2, 164.6},
    {"tet/armadillo_5k.msh", 4888, 19719, 5952, 10.2, 163.6},
    {"tet/armadillo_28k.msh", 27693, 124176, 29170, 9.3, 164.7},
    {"tet/dragon_5k.msh", 4849, 18111, 7092, 11.0, 163.0},
    {"tet/guardian_lion_5k.msh", 4959, 19570, 6524, 8.0, 166.1},
    {"tet/bear_3k.msh", 2954, 13062, 2956, 10.5, 165.1},
    {"tet/cat_4k.msh", 3904, 16661, 4280, 9.3, 164.4},
    {"tet/ball_1k6.msh", 1504, 6795, 1518, 11.5, 156.2},
    {"tet/bar.msh", 558, 1794, 930, 14.7, 154.8},
    {"tet/cube.msh", 236, 739, 396, 15.1, 152.1},
    {"paper/bunny_ipc_4k7.msh", 4670, 19379, 6266, 0.23, 179.5},
    {"paper/armadillo_ipc_13k.msh", 13230, 54985, 17296, 3.24, 170.7},
    {"paper/armadillo_ipc_28k.msh", 27951, 121190, 34592, 0.29, 179.1},
    {"paper/bunny_gipc_19k.msh", 19193, 79935, 20832, 11.5, 159.3},
    {"paper/bunny_uipc_1k9.msh", 1869, 7356, 2152, 11.0, 148.3},
    {"paper/ball_uipc_1k6.msh", 1647, 7056, 1568, 13.3, 150.5},
    {"paper/link_uipc_500.msh", 491, 1499, 796, 11.9, 159.8},
    {"paper/mat40x40_ipc.msh", 3200, 9126, 6396, 16.6, 156.2},
};

START_TEST(solids)
{
    for (size_t i = 0; i < sizeof SOLIDS / sizeof *SOLIDS; ++i) {
        const Expected *expected = &SOLIDS[i];
        char path[512];
        snprintf(path, sizeof path, MESHES "%s", expected->path);
        TetMesh mesh;
        ASSERT_OK(context, mesh_read_tets(context, path, &arena, &mesh));
        ck_assert_msg(warnings == 0, "%s: %d warnings", path, warnings);
        ck_assert_msg(mesh.node_count == expected->nodes && mesh.tet_count == expected->tets,
                      "%s: %d nodes, %d tets", path, mesh.node_count, mesh.tet_count);
        int32_t count, *triangles;
        ASSERT_OK(context, mesh_surface(context, &mesh, &arena, &count, &triangles));
        ck_assert_msg(count == expected->triangles, "%s: %d surface triangles", path, count);
        const MeshQuality quality = mesh_quality(&mesh);
        ck_assert_double_eq_tol(quality.smallest_dihedral, expected->smallest_dihedral, 0.06);
        ck_assert_double_eq_tol(quality.largest_dihedral, expected->largest_dihedral, 0.06);
        ck_assert_double_gt(quality.smallest_volume, 0);
        arena_clear(&arena);
    }
}
END_TEST

START_TEST(formats)
{
    static const char *const paths[] = {"v22.msh", "v22.bin.msh", "v41.bin.msh", "surf.v41.msh",
                                        "mesh",    "node",        "ele",         "vtk"};
    TetMesh first;
    ASSERT_OK(context, mesh_read_tets(context, MESHES "tet/bunny_1k.msh", &arena, &first));
    for (size_t i = 0; i < sizeof paths / sizeof *paths; ++i) {
        char path[512];
        snprintf(path, sizeof path, MESHES "formats/bunny_1k.%s", paths[i]);
        TetMesh mesh;
        ASSERT_OK(context, mesh_read_tets(context, path, &arena, &mesh));
        ck_assert_int_eq(warnings, 0);
        ck_assert_int_eq(mesh.node_count, first.node_count);
        ck_assert_int_eq(mesh.tet_count, first.tet_count);
        ck_assert_msg(memcmp(mesh.nodes, first.nodes, 3 * (size_t)mesh.node_count * sizeof(double)) == 0,
                      "%s: nodes", path);
        ck_assert_msg(memcmp(mesh.tets, first.tets, 4 * (size_t)mesh.tet_count * sizeof(int32_t)) == 0,
                      "%s: tets", path);
    }
}
END_TEST

START_TEST(surfaces)
{
    static const struct {
        const char *path;
        int32_t nodes, triangles;
        double extent[3], tolerance;
    } expected[] = {
        {"surface/spot.obj", 2930, 5856, {.55, .98, 1}, 0.006},
        {"surface/anchor.off", 3793, 7598, {1, .63, .86}, 0.006},
        {"surface/stairs.obj", 106, 208, {2, 1, 2}, 1e-12},
        {"surface/terrain.obj", 4802, 9600, {4, .69, 4}, 0.006},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        char path[512];
        snprintf(path, sizeof path, MESHES "%s", expected[i].path);
        TriangleMesh mesh;
        ASSERT_OK(context, mesh_read_triangles(context, path, &arena, &mesh));
        ck_assert_int_eq(warnings, 0);
        ck_assert_int_eq(mesh.node_count, expected[i].nodes);
        ck_assert_int_eq(mesh.triangle_count, expected[i].triangles);
        for (int axis = 0; axis < 3; ++axis) {
            double low = INFINITY, high = -INFINITY;
            for (int32_t n = 0; n < mesh.node_count; ++n) {
                low = fmin(low, mesh.nodes[3 * n + axis]);
                high = fmax(high, mesh.nodes[3 * n + axis]);
            }
            ck_assert_double_eq_tol(high - low, expected[i].extent[axis], expected[i].tolerance);
        }
    }
}
END_TEST

int main(void)
{
    if (access(MESHES "README.md", R_OK) != 0) {
        printf("skipped: no meshes in %s\n", MESHES);
        return 77;
    }
    Suite *suite = suite_create("mesh_files");
    TCase *tests = tcase_create("files");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, solids);
    tcase_add_test(tests, formats);
    tcase_add_test(tests, surfaces);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
