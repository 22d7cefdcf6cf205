#include "check_main.h"

#include "mesh/mesh.h"
#include "mesh/tet.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static VelaContext *context;
static Arena arena;

static void setup(void)
{
    context = test_context();
    arena = arena_make(context);
}

static void teardown(void)
{
    arena_clear(&arena);
    vela_context_destroy(context);
}

static double mesh_volume(const TetMesh *mesh)
{
    double volume = 0;
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        const double part = tet_volume(mesh->nodes, mesh->tets + 4 * (size_t)t);
        if (!(part > 0)) // a passing ck_assert writes a line; too slow here
            ck_abort_msg("tet %d has volume %g", t, part);
        volume += part;
    }
    return volume;
}

/// Directed edges of a closed, consistently oriented surface: each occurs once, and so does its reverse.
static void assert_closed(const TetMesh *mesh, int32_t euler)
{
    int32_t count, *triangles;
    ASSERT_OK(context, mesh_surface(context, mesh, &arena, &count, &triangles));
    ck_assert_int_gt(count, 0);
    // balance[edge slot]: open addressing on the directed edge.
    const size_t slots = 16 * (size_t)count;
    int64_t *keys;
    ASSERT_OK(context, ARENA_ARRAY(&arena, keys, slots));
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < 3 * (int64_t)count; ++i) {
            int64_t a = triangles[i], b = triangles[i / 3 * 3 + (i + 1) % 3];
            const int64_t key = pass == 0 ? a * mesh->node_count + b : b * mesh->node_count + a;
            size_t slot = (size_t)key * 2654435761u % slots;
            while (keys[slot] != 0 && keys[slot] != key + 1)
                slot = (slot + 1) % slots;
            ck_assert_msg((keys[slot] != 0) == (pass == 1),
                          "edge %lld-%lld is not met once in each direction", (long long)a, (long long)b);
            keys[slot] = key + 1;
        }
    uint8_t *used;
    ASSERT_OK(context, ARENA_ARRAY(&arena, used, mesh->node_count));
    int32_t used_count = 0;
    double volume = 0;
    for (int64_t i = 0; i < 3 * (int64_t)count; ++i)
        used_count += !used[triangles[i]], used[triangles[i]] = 1;
    for (int32_t t = 0; t < count; ++t) {
        double across[3];
        cross3(mesh->nodes + 3 * triangles[3 * t + 1], mesh->nodes + 3 * triangles[3 * t + 2], across);
        volume += dot3(mesh->nodes + 3 * triangles[3 * t], across) / 6;
    }
    ck_assert_int_eq(used_count - 3 * count / 2 + count, euler);
    // Outward: the divergence theorem gives the tets' volume.
    ck_assert_double_eq_tol(volume, mesh_volume(mesh), 1e-12 * fabs(volume));
}

static void assert_all_used(const TetMesh *mesh)
{
    uint8_t *used;
    ASSERT_OK(context, ARENA_ARRAY(&arena, used, mesh->node_count));
    for (int64_t i = 0; i < 4 * (int64_t)mesh->tet_count; ++i)
        used[mesh->tets[i]] = 1;
    for (int32_t n = 0; n < mesh->node_count; ++n)
        if (!used[n])
            ck_abort_msg("node %d is unused", n);
}

START_TEST(box_split_and_order)
{
    TetMesh mesh;
    const double size[3] = {2, 3, 4};
    const int32_t cells[3] = {1, 1, 1};
    ASSERT_OK(context, mesh_make_box(context, size, cells, &arena, &mesh));
    // Local corner c of a cell is this node: 0=000 1=100 2=110 3=010 4=001 5=101 6=111 7=011.
    const int32_t corner[8] = {0, 1, 3, 2, 4, 5, 7, 6};
    const int32_t expected[6][4] = {{0, 1, 2, 6}, {0, 1, 6, 5}, {0, 3, 6, 2},
                                    {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 4, 6, 7}};
    ck_assert_int_eq(mesh.node_count, 8);
    ck_assert_int_eq(mesh.tet_count, 6);
    for (int t = 0; t < 6; ++t)
        for (int n = 0; n < 4; ++n)
            ck_assert_int_eq(mesh.tets[4 * t + n], corner[expected[t][n]]);
    for (int n = 0; n < 8; ++n) {
        ck_assert_double_eq(mesh.nodes[3 * n], n & 1 ? 1 : -1);
        ck_assert_double_eq(mesh.nodes[3 * n + 1], n & 2 ? 1.5 : -1.5);
        ck_assert_double_eq(mesh.nodes[3 * n + 2], n & 4 ? 2 : -2);
    }
    ck_assert_double_eq_tol(mesh_volume(&mesh), 24, 1e-13);
}
END_TEST

START_TEST(box_grid)
{
    TetMesh mesh;
    const double size[3] = {1, 0.5, 2};
    const int32_t cells[3] = {4, 3, 5};
    ASSERT_OK(context, mesh_make_box(context, size, cells, &arena, &mesh));
    ck_assert_int_eq(mesh.node_count, 5 * 4 * 6);
    ck_assert_int_eq(mesh.tet_count, 6 * 60);
    for (int k = 0; k <= 5; ++k)
        for (int j = 0; j <= 3; ++j)
            for (int i = 0; i <= 4; ++i) {
                const double *node = mesh.nodes + 3 * (i + 5 * (j + 4 * k));
                ck_assert_double_eq_tol(node[0], -0.5 + i / 4.0, 1e-15);
                ck_assert_double_eq_tol(node[1], -0.25 + j / 6.0, 1e-15);
                ck_assert_double_eq_tol(node[2], -1 + 2 * k / 5.0, 1e-15);
            }
    ck_assert_double_eq_tol(mesh_volume(&mesh), 1, 1e-12);
    assert_closed(&mesh, 2);
    assert_all_used(&mesh);
    int32_t count, *triangles;
    ASSERT_OK(context, mesh_surface(context, &mesh, &arena, &count, &triangles));
    ck_assert_int_eq(count, 2 * 2 * (12 + 15 + 20));
    const MeshQuality quality = mesh_quality(&mesh);
    ck_assert_double_eq_tol(quality.smallest_volume, 1.0 / 360, 1e-15);
    ck_assert_double_eq_tol(quality.largest_volume, 1.0 / 360, 1e-15);
}
END_TEST

START_TEST(surface_order)
{
    TetMesh mesh;
    const int32_t one[3] = {1, 1, 1};
    ASSERT_OK(context, mesh_make_box(context, (double[]){1, 1, 1}, one, &arena, &mesh));
    mesh.tet_count = 1;
    int32_t count, *triangles;
    ASSERT_OK(context, mesh_surface(context, &mesh, &arena, &count, &triangles));
    ck_assert_int_eq(count, 4);
    const int32_t *t = mesh.tets;
    const int32_t expected[12] = {t[1], t[2], t[3], t[0], t[3], t[2], t[0], t[1], t[3], t[0], t[2], t[1]};
    ck_assert_mem_eq(triangles, expected, sizeof expected);
    const MeshQuality quality = mesh_quality(&mesh);
    ck_assert_double_eq_tol(quality.smallest_dihedral, 45, 1e-12);
    ck_assert_double_eq_tol(quality.largest_dihedral, 90, 1e-12);
}
END_TEST

/// The centroid is at 0 along `axes`, as it is for a mesh that is its own mirror image.
static void assert_centred(const TetMesh *mesh, const bool axes[3])
{
    for (int axis = 0; axis < 3; ++axis) {
        double sum = 0;
        for (int32_t t = 0; axes[axis] && t < mesh->tet_count; ++t) {
            const int32_t *tet = mesh->tets + 4 * (size_t)t;
            for (int n = 0; n < 4; ++n)
                sum += tet_volume(mesh->nodes, tet) * mesh->nodes[3 * tet[n] + axis];
        }
        ck_assert_double_eq_tol(sum, 0, 1e-14);
    }
}

START_TEST(ball)
{
    for (int32_t resolution = 2; resolution <= 12; ++resolution) {
        TetMesh mesh;
        ASSERT_OK(context, mesh_make_ball(context, 0.5, resolution, &arena, &mesh));
        const double exact = PI / 6, error = 1 - mesh_volume(&mesh) / exact;
        ck_assert_double_gt(error, 0);
        ck_assert_double_lt(error, 1.1 / (resolution * resolution));
        const MeshQuality quality = mesh_quality(&mesh);
        ck_assert_double_gt(quality.smallest_dihedral, 26);
        ck_assert_double_lt(quality.largest_dihedral, 115);
        ck_assert_double_lt(quality.largest_volume / quality.smallest_volume, 3.5);
        assert_closed(&mesh, 2);
        assert_all_used(&mesh);
        if (resolution % 2 == 0)
            assert_centred(&mesh, (bool[]){true, true, true});
        int32_t count, *triangles;
        ASSERT_OK(context, mesh_surface(context, &mesh, &arena, &count, &triangles));
        ck_assert_int_eq(count, 12 * resolution * resolution);
        for (int32_t i = 0; i < 3 * count; ++i)
            if (!(fabs(norm3(mesh.nodes + 3 * triangles[i]) - 0.5) < 1e-15))
                ck_abort_msg("surface node %d is not on the sphere", triangles[i]);
        arena_clear(&arena);
    }
}
END_TEST

START_TEST(cylinder)
{
    for (int32_t resolution = 2; resolution <= 10; ++resolution) {
        TetMesh mesh;
        ASSERT_OK(context, mesh_make_cylinder(context, 0.25, 1, resolution, &arena, &mesh));
        ck_assert_int_eq(mesh.tet_count, 6 * resolution * resolution * 2 * resolution);
        const double exact = PI / 16, error = 1 - mesh_volume(&mesh) / exact;
        ck_assert_double_gt(error, 0);
        ck_assert_double_lt(error, 0.42 / (resolution * resolution));
        const MeshQuality quality = mesh_quality(&mesh);
        ck_assert_double_gt(quality.smallest_dihedral, 30);
        ck_assert_double_lt(quality.largest_dihedral, 122);
        assert_closed(&mesh, 2);
        assert_all_used(&mesh);
        assert_centred(&mesh, (bool[]){resolution % 2 == 0, true, resolution % 2 == 0});
        double low = 0, high = 0;
        for (int32_t n = 0; n < mesh.node_count; ++n) {
            const double *node = mesh.nodes + 3 * (size_t)n;
            if (!(hypot(node[0], node[2]) <= 0.25 + 1e-15))
                ck_abort_msg("node %d is outside", n);
            low = fmin(low, node[1]), high = fmax(high, node[1]);
        }
        ck_assert_double_eq(low, -0.5);
        ck_assert_double_eq(high, 0.5);
        arena_clear(&arena);
    }
}
END_TEST

START_TEST(torus)
{
    for (int32_t resolution = 2; resolution <= 8; ++resolution) {
        TetMesh mesh;
        ASSERT_OK(context, mesh_make_torus(context, 1, 0.3, resolution, &arena, &mesh));
        const double exact = 2 * PI * PI * 0.09, error = 1 - mesh_volume(&mesh) / exact;
        ck_assert_double_gt(error, 0);
        ck_assert_double_lt(error, 0.48 / (resolution * resolution));
        const MeshQuality quality = mesh_quality(&mesh);
        ck_assert_double_gt(quality.smallest_dihedral, 27);
        ck_assert_double_lt(quality.largest_dihedral, 124);
        assert_closed(&mesh, 0);
        assert_all_used(&mesh);
        assert_centred(&mesh, (bool[]){true, resolution % 2 == 0, true});
        for (int32_t n = 0; n < mesh.node_count; ++n) {
            const double *node = mesh.nodes + 3 * (size_t)n;
            if (!(hypot(hypot(node[0], node[2]) - 1, node[1]) <= 0.3 + 1e-15))
                ck_abort_msg("node %d is outside", n);
        }
        arena_clear(&arena);
    }
}
END_TEST

/// Coarse tubes that nearly close the hole: no cell may turn inside out.
START_TEST(thick_torus)
{
    for (int32_t resolution = 2; resolution <= 5; ++resolution)
        for (int i = 0; i < 3; ++i) {
            TetMesh mesh;
            ASSERT_OK(context,
                      mesh_make_torus(context, 1, (double[]){0.6, 0.9, 0.999}[i], resolution, &arena, &mesh));
            assert_closed(&mesh, 0);
        }
}
END_TEST

static void assert_refused(VelaResult result, const char *expected)
{
    ck_assert_int_eq(result, VELA_ERROR_INVALID_INPUT);
    const char *message = vela_context_message(context);
    ck_assert_msg(strstr(message, expected) != NULL, "\"%s\" lacks \"%s\"", message, expected);
}

START_TEST(bad_parameters)
{
    TetMesh mesh;
    const int32_t one[3] = {1, 1, 1}, none[3] = {1, 0, 1}, many[3] = {30000, 30000, 30000};
    const double size[3] = {1, 1, 1};
    assert_refused(mesh_make_box(context, (double[]){1, 1, -2}, one, &arena, &mesh), "box: size[2] is -2");
    assert_refused(mesh_make_box(context, (double[]){NAN, 1, 1}, one, &arena, &mesh), "box: size[0] is nan");
    assert_refused(mesh_make_box(context, size, none, &arena, &mesh),
                   "box: cells[1] is 0, expected at least 1");
    assert_refused(mesh_make_box(context, size, many, &arena, &mesh),
                   "30000 x 30000 x 30000 cells make 1.62e+14");
    assert_refused(mesh_make_ball(context, 0, 4, &arena, &mesh), "ball: radius is 0");
    assert_refused(mesh_make_ball(context, 1, 1, &arena, &mesh),
                   "ball: resolution is 1, expected at least 2");
    assert_refused(mesh_make_ball(context, 1, INT32_MAX, &arena, &mesh), "expected at most 2147483647");
    assert_refused(mesh_make_cylinder(context, 1, INFINITY, 4, &arena, &mesh), "cylinder: length is inf");
    assert_refused(mesh_make_cylinder(context, 1e-9, 1e9, 4, &arena, &mesh), "layers");
    assert_refused(mesh_make_torus(context, 1, 1, 4, &arena, &mesh),
                   "torus: tube is 1 m, expected less than the radius");
    assert_refused(mesh_make_torus(context, 1, -1, 4, &arena, &mesh), "torus: tube is -1");
    assert_refused(mesh_make_torus(context, 1e9, 1e-9, 4, &arena, &mesh), "layers");
}
END_TEST

START_TEST(memory_limit)
{
    VelaContextDef def = vela_default_context_def();
    def.memory_limit = 1 << 20;
    VelaContext *small;
    ck_assert_int_eq(vela_context_create(&def, &small), VELA_OK);
    Arena own = arena_make(small);
    TetMesh mesh;
    ck_assert_int_eq(mesh_make_ball(small, 1, 60, &own, &mesh), VELA_ERROR_OUT_OF_MEMORY);
    int32_t count, *triangles;
    ASSERT_OK(small, mesh_make_ball(small, 1, 10, &own, &mesh));
    ck_assert_int_eq(mesh_surface(small, &mesh, &own, &count, &triangles), VELA_ERROR_OUT_OF_MEMORY);
    ck_assert_int_eq(count, 0);
    arena_clear(&own);
    vela_context_destroy(small);
}
END_TEST

/// Area of a surface in the XZ plane whose triangles all face +Y.
static double area_facing_up(const TriangleMesh *mesh)
{
    double area = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        const double *x[3];
        for (int k = 0; k < 3; ++k)
            x[k] = mesh->nodes + 3 * (size_t)mesh->triangles[3 * (size_t)t + (size_t)k];
        const double part =
            0.5 * ((x[1][2] - x[0][2]) * (x[2][0] - x[0][0]) - (x[1][0] - x[0][0]) * (x[2][2] - x[0][2]));
        ck_assert_double_gt(part, 0);
        area += part;
    }
    return area;
}

/// Nodes i + (nx + 1) k, diagonals in turn: that of cell (0, 0) goes from node to node across, that of (1, 0) the other way.
START_TEST(sheet)
{
    TriangleMesh mesh;
    ASSERT_OK(context, mesh_make_sheet(context, (double[]){3, 2}, (int32_t[]){3, 2}, &arena, &mesh));
    ck_assert_int_eq(mesh.node_count, 12);
    ck_assert_int_eq(mesh.triangle_count, 12);
    for (int32_t n = 0; n < 12; ++n) {
        ck_assert_double_eq_tol(mesh.nodes[3 * n], -1.5 + n % 4, 1e-15);
        ck_assert_double_eq(mesh.nodes[3 * n + 1], 0);
        ck_assert_double_eq_tol(mesh.nodes[3 * n + 2], -1.0 + n / 4, 1e-15);
    }
    ck_assert_double_eq_tol(area_facing_up(&mesh), 6, 1e-14);
    static const int32_t first[12] = {0, 4, 5, 0, 5, 1, 5, 6, 2, 5, 2, 1};
    ck_assert_mem_eq(mesh.triangles, first, sizeof first);
}
END_TEST

START_TEST(disk)
{
    for (int32_t resolution = 2; resolution < 40; resolution += 5) {
        TriangleMesh mesh;
        ASSERT_OK(context, mesh_make_disk(context, 0.5, resolution, &arena, &mesh));
        ck_assert_int_eq(mesh.triangle_count, 2 * resolution * resolution);
        const double missing = 1 - area_facing_up(&mesh) / (PI * 0.25);
        ck_assert_double_gt(missing, 0);
        ck_assert_double_lt(missing,
                            1.7 / (resolution * resolution)); // of a polygon with 4 resolution corners less
        double outermost = 0;
        for (int32_t n = 0; n < mesh.node_count; ++n)
            outermost = fmax(outermost, hypot(mesh.nodes[3 * n], mesh.nodes[3 * n + 2]));
        ck_assert_double_eq_tol(outermost, 0.5, 1e-15);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mesh_shapes");
    TCase *tests = tcase_create("shapes");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, box_split_and_order);
    tcase_add_test(tests, box_grid);
    tcase_add_test(tests, surface_order);
    tcase_add_test(tests, ball);
    tcase_add_test(tests, cylinder);
    tcase_add_test(tests, torus);
    tcase_add_test(tests, thick_torus);
    tcase_add_test(tests, sheet);
    tcase_add_test(tests, disk);
    tcase_add_test(tests, bad_parameters);
    tcase_add_test(tests, memory_limit);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
