#define _XOPEN_SOURCE 700
#include "check_main.h"

#include "mesh_seeds.h"

#include "mesh/mesh.h"
#include "mesh/tet.h"

#include <math.h>
#include <unistd.h>

static VelaContext *context;
static Arena arena;
static char logged[8192];

static void keep_log(void *user, VelaLogLevel level, const char *message)
{
    (void)user;
    if (level <= VELA_LOG_WARNING)
        snprintf(logged + strlen(logged), sizeof logged - strlen(logged), "%s\n", message);
}

static void setup(void)
{
    VelaContextDef def = vela_default_context_def();
    def.log = keep_log;
    logged[0] = 0;
    ck_assert_int_eq(vela_context_create(&def, &context), VELA_OK);
    arena = arena_make(context);
}

static void teardown(void)
{
    arena_clear(&arena);
    vela_context_destroy(context);
}

static const NodeGroup *find_group(const TetMesh *mesh, const char *name)
{
    for (int32_t g = 0; g < mesh->group_count; ++g)
        if (strcmp(mesh->groups[g].name, name) == 0)
            return &mesh->groups[g];
    return NULL;
}

static void assert_group(const TetMesh *mesh, const char *file, const char *name, int32_t count,
                         const int32_t *nodes)
{
    const NodeGroup *group = find_group(mesh, name);
    ck_assert_msg(group != NULL, "%s: no group '%s'", file, name);
    ck_assert_msg(group->node_count == count, "%s: group '%s' has %d nodes", file, name, group->node_count);
    ck_assert_msg(memcmp(group->nodes, nodes, (size_t)count * sizeof *nodes) == 0, "%s: nodes of group '%s'",
                  file, name);
}

static void assert_groups(const TetMesh *mesh, const Seed *seed)
{
    static const int32_t all[8] = {0, 1, 2, 3, 4, 5, 6, 7}, left[4] = {0, 2, 4, 6}, line[2] = {0, 1};
    if (seed->format == MESH_FORMAT_GMSH) {
        ck_assert_int_eq(mesh->group_count, 4);
        assert_group(mesh, seed->name, "corner", 1, all);
        assert_group(mesh, seed->name, "7", 2, line);
        assert_group(mesh, seed->name, "left", 4, left);
        assert_group(mesh, seed->name, "whole", 8, all);
    } else if (seed->format == MESH_FORMAT_MEDIT) {
        ck_assert_int_eq(mesh->group_count, 4);
        assert_group(mesh, seed->name, "1", 1, all);
        assert_group(mesh, seed->name, "7", 2, line);
    }
    if (seed->format == MESH_FORMAT_TETGEN)
        ck_assert_int_eq(mesh->group_count, 1);
    if (seed->format != MESH_FORMAT_GMSH)
        assert_group(mesh, seed->name, "2", 4, left);
    if (seed->format == MESH_FORMAT_MEDIT || seed->format == MESH_FORMAT_VTK)
        assert_group(mesh, seed->name, "3", 8, all);
}

START_TEST(every_tet_format)
{
    Seed seeds[SEED_COUNT];
    seeds_make(seeds);
    int read = 0;
    for (int s = 0; s < SEED_COUNT; ++s) {
        if (seeds[s].format > MESH_FORMAT_VTK)
            continue;
        const MeshSource sources[2] = {{seeds[s].name, seeds[s].files[0].data, seeds[s].files[0].size},
                                       {"other.ele", seeds[s].files[1].data, seeds[s].files[1].size}};
        TetMesh mesh;
        const VelaResult result = mesh_parse_tets(context, seeds[s].format, sources, &arena, &mesh);
        ck_assert_msg(result == VELA_OK, "%s", vela_context_message(context));
        ck_assert_int_eq(mesh.node_count, SEED_NODES);
        ck_assert_int_eq(mesh.tet_count, SEED_TETS);
        ck_assert_mem_eq(mesh.nodes, SEED_POINTS, sizeof SEED_POINTS);
        ck_assert_mem_eq(mesh.tets, SEED_CORNERS, sizeof SEED_CORNERS);
        assert_groups(&mesh, &seeds[s]);
        ++read;
    }
    ck_assert_int_eq(read, 13);
    ck_assert_str_eq(logged, "");
    // The seeds are the box that vela makes.
    TetMesh box;
    ASSERT_OK(context, mesh_make_box(context, (double[]){1, 1, 1}, (int32_t[]){1, 1, 1}, &arena, &box));
    ck_assert_mem_eq(box.tets, SEED_CORNERS, sizeof SEED_CORNERS);
    ck_assert_mem_eq(box.nodes, SEED_POINTS, sizeof SEED_POINTS);
    seeds_free(seeds);
}
END_TEST

static double surface_volume(const TriangleMesh *mesh)
{
    double volume = 0;
    for (int32_t t = 0; t < mesh->triangle_count; ++t) {
        double across[3];
        const int32_t *triangle = mesh->triangles + 3 * (size_t)t;
        cross3(mesh->nodes + 3 * triangle[1], mesh->nodes + 3 * triangle[2], across);
        volume += dot3(mesh->nodes + 3 * triangle[0], across) / 6;
    }
    return volume;
}

START_TEST(every_surface_format)
{
    Seed seeds[SEED_COUNT];
    seeds_make(seeds);
    int read = 0;
    for (int s = 0; s < SEED_COUNT; ++s) {
        if (seeds[s].format <= MESH_FORMAT_VTK)
            continue;
        const MeshSource source = {seeds[s].name, seeds[s].files[0].data, seeds[s].files[0].size};
        TriangleMesh mesh;
        const VelaResult result = mesh_parse_triangles(context, seeds[s].format, &source, &arena, &mesh);
        ck_assert_msg(result == VELA_OK, "%s", vela_context_message(context));
        ck_assert_int_eq(mesh.node_count, SEED_NODES);
        ck_assert_int_eq(mesh.triangle_count, SEED_TRIANGLES);
        for (int32_t t = 0; t < SEED_TRIANGLES; ++t)
            for (int n = 0; n < 3; ++n) // STL has an order of nodes of its own
                ck_assert_mem_eq(mesh.nodes + 3 * mesh.triangles[3 * t + n], SEED_POINTS[SEED_FACES[t][n]],
                                 sizeof SEED_POINTS[0]);
        if (seeds[s].format != MESH_FORMAT_STL)
            ck_assert_mem_eq(mesh.triangles, SEED_FACES, sizeof SEED_FACES);
        ck_assert_double_eq_tol(surface_volume(&mesh), 1, 1e-14);
        ++read;
    }
    ck_assert_int_eq(read, 7);
    ck_assert_str_eq(logged, "");
    seeds_free(seeds);
}
END_TEST

START_TEST(polygons_are_fanned)
{
    const char *text = "OFF\n5 1 0\n0 0 0\n1 0 0\n2 1 0\n1 2 0\n0 1 0\n5 0 1 2 3 4\n";
    const MeshSource source = {"five.off", text, strlen(text)};
    TriangleMesh mesh;
    ASSERT_OK(context, mesh_parse_triangles(context, MESH_FORMAT_OFF, &source, &arena, &mesh));
    const int32_t expected[9] = {0, 1, 2, 0, 2, 3, 0, 3, 4};
    ck_assert_int_eq(mesh.triangle_count, 3);
    ck_assert_mem_eq(mesh.triangles, expected, sizeof expected);
    ck_assert_str_eq(logged, ""); // open, as it may be
}
END_TEST

static void write_file(const char *path, const Bytes *bytes)
{
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(tetgen_takes_either_name)
{
    char folder[] = "/tmp/vela_mesh_XXXXXX", nodes_path[64], elements_path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    snprintf(nodes_path, sizeof nodes_path, "%s/box.node", folder);
    snprintf(elements_path, sizeof elements_path, "%s/box.ele", folder);
    Bytes nodes = {0}, elements = {0};
    seed_tetgen(&nodes, &elements, 1);
    write_file(nodes_path, &nodes);
    TetMesh mesh;
    ck_assert_int_eq(mesh_read_tets(context, nodes_path, &arena, &mesh), VELA_ERROR_INVALID_INPUT);
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "box.node needs its other half: "));
    ck_assert_ptr_nonnull(strstr(vela_context_message(context), "box.ele: cannot be opened"));
    write_file(elements_path, &elements);
    ASSERT_OK(context, mesh_read_tets(context, nodes_path, &arena, &mesh));
    ASSERT_OK(context, mesh_read_tets(context, elements_path, &arena, &mesh));
    ck_assert_mem_eq(mesh.tets, SEED_CORNERS, sizeof SEED_CORNERS);
    free(nodes.data);
    free(elements.data);
    unlink(nodes_path);
    unlink(elements_path);
    rmdir(folder);
}
END_TEST

START_TEST(what_is_written_is_read)
{
    TetMesh ball;
    TriangleMesh mesh, again;
    ASSERT_OK(context, mesh_make_ball(context, 1. / 3, 4, &arena, &ball));
    mesh = (TriangleMesh){.node_count = ball.node_count, .nodes = ball.nodes};
    ASSERT_OK(context, mesh_surface(context, &ball, &arena, &mesh.triangle_count, &mesh.triangles));
    char folder[] = "/tmp/vela_mesh_XXXXXX", path[64];
    ck_assert_ptr_nonnull(mkdtemp(folder));
    for (int format = 0; format < 2; ++format) {
        snprintf(path, sizeof path, "%s/ball.%s", folder, format == 0 ? "obj" : "ply");
        ASSERT_OK(context, (format == 0 ? mesh_write_obj : mesh_write_ply)(context, path, &mesh));
        ASSERT_OK(context, mesh_read_triangles(context, path, &arena, &again));
        ck_assert_int_eq(again.node_count, mesh.node_count);
        ck_assert_int_eq(again.triangle_count, mesh.triangle_count);
        ck_assert_mem_eq(again.nodes, mesh.nodes, 3 * (size_t)mesh.node_count * sizeof(double));
        ck_assert_mem_eq(again.triangles, mesh.triangles, 3 * (size_t)mesh.triangle_count * sizeof(int32_t));
        unlink(path);
    }
    rmdir(folder);
    ck_assert_int_eq(mesh_write_obj(context, "/nowhere/ball.obj", &mesh), VELA_ERROR_IO);
}
END_TEST

START_TEST(groups_of_one_name_are_one)
{
    // Two volumes, both "soft", of which the second is in "top" too; written with two blocks and sparse ids.
    const char *text =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$PhysicalNames\n4\n3 1 \"soft\"\n3 2 \"soft\"\n3 5 \"top\"\n"
        "2 9 \"nothing\"\n$EndPhysicalNames\n$Entities\n0 0 0 2\n1 0 0 0 1 1 1 1 1 0\n"
        "2 0 0 0 1 1 1 2 -2 5 0\n$EndEntities\n$Nodes\n1 5 1 5\n3 1 0 5\n1\n2\n3\n4\n5\n"
        "0 0 0\n1 0 0\n0 1 0\n0 0 1\n1 1 1\n$EndNodes\n$Elements\n2 2 1 2\n3 1 4 1\n1 1 2 3 4\n3 2 4 1\n"
        "2 2 3 4 5\n$EndElements\n";
    const MeshSource source = {"two.msh", text, strlen(text)};
    TetMesh mesh;
    ASSERT_OK(context, mesh_parse_tets(context, MESH_FORMAT_GMSH, &source, &arena, &mesh));
    ck_assert_int_eq(mesh.group_count, 3);
    assert_group(&mesh, "two.msh", "soft", 5, (int32_t[]){0, 1, 2, 3, 4});
    assert_group(&mesh, "two.msh", "top", 4, (int32_t[]){1, 2, 3, 4});
    assert_group(&mesh, "two.msh", "nothing", 0, (int32_t[]){0});
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mesh_formats");
    TCase *tests = tcase_create("formats");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, every_tet_format);
    tcase_add_test(tests, every_surface_format);
    tcase_add_test(tests, polygons_are_fanned);
    tcase_add_test(tests, tetgen_takes_either_name);
    tcase_add_test(tests, what_is_written_is_read);
    tcase_add_test(tests, groups_of_one_name_are_one);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
