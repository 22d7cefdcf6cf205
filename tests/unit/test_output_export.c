// Export: NumPy arrays as NumPy's format has them, surfaces that are read back, formats that are refused.
#define _DEFAULT_SOURCE
#include "output_fixture.h"

#include "base/file.h"
#include "mesh/mesh.h"
#include "output/export.h"

enum { FRAMES = 4 };

static char *read_file(VelaContext *context, Arena *arena, const char *folder, const char *name, size_t *size)
{
    char path[RUN_PATH_CAPACITY], *data;
    ASSERT_OK(context, run_path(context, folder, name, path));
    ASSERT_OK(context, file_read(context, path, arena, &data, size));
    return data;
}

// Checks magic, version, alignment and dictionary of a .npy and returns its data.
static const void *npy_data(const char *file, size_t size, const char *dictionary, size_t expected_size)
{
    ck_assert_mem_eq(file, "\x93NUMPY\x01\x00", 8);
    const size_t length = (unsigned char)file[8] + 256u * (unsigned char)file[9];
    ck_assert_uint_eq((10 + length) % 64, 0);
    ck_assert_uint_eq(size, 10 + length + expected_size);
    ck_assert_int_eq(file[10 + length - 1], '\n');
    ck_assert_mem_eq(file + 10, dictionary, strlen(dictionary));
    for (size_t i = strlen(dictionary); i + 1 < length; ++i)
        ck_assert_int_eq(file[10 + i], ' ');
    return file + 10 + length;
}

START_TEST(npy)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY];
    fixture_run(context, "export_npy", FRAMES, folder);
    ASSERT_OK(context, export_motion(context, folder, "npy", NULL));
    snprintf(output, sizeof output, "%s/npy", folder);
    size_t size;
    const char *file = read_file(context, &arena, output, "positions.npy", &size);
    const double *positions = npy_data(
        file, size, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 9, 3), }", FRAMES * 27 * 8);
    file = read_file(context, &arena, output, "velocities.npy", &size);
    const double *velocities = npy_data(
        file, size, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 9, 3), }", FRAMES * 27 * 8);
    file = read_file(context, &arena, output, "times.npy", &size);
    const double *times =
        npy_data(file, size, "{'descr': '<f8', 'fortran_order': False, 'shape': (4,), }", FRAMES * 8);
    for (int i = 0; i < FRAMES; ++i) {
        FixtureState state;
        const Frame frame = fixture_frame(i, &state);
        ck_assert_double_eq(times[i], frame.time);
        ck_assert_mem_eq(positions + 27 * i, state.positions, sizeof state.positions);
        ck_assert_mem_eq(velocities + 27 * i, state.velocities, sizeof state.velocities);
    }
    file = read_file(context, &arena, output, "tets.npy", &size);
    ck_assert_mem_eq(npy_data(file, size, "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 4), }", 48),
                     fixture_tets, 48);
    file = read_file(context, &arena, output, "triangles.npy", &size);
    ck_assert_mem_eq(
        npy_data(file, size, "{'descr': '<i4', 'fortran_order': False, 'shape': (10, 3), }", 120),
        fixture_triangles, 120);
    file = read_file(context, &arena, output, "rest_positions.npy", &size);
    ck_assert_mem_eq(npy_data(file, size, "{'descr': '<f8', 'fortran_order': False, 'shape': (9, 3), }", 216),
                     fixture_rest, 216);
    FixtureState state;
    fixture_frame(1, &state);
    file = read_file(context, &arena, output, "stress.npy", &size);
    const float *stress = npy_data(
        file, size, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3, 6), }", FRAMES * 18 * 4);
    ck_assert_mem_eq(stress + 18, state.stress, sizeof(float) * 18);
    file = read_file(context, &arena, output, "strain.npy", &size);
    npy_data(file, size, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3, 3), }", FRAMES * 9 * 4);
    ck_assert(!file_exists(output, "segments.npy"));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(obj)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY];
    fixture_run(context, "export_obj", FRAMES, folder);
    snprintf(output, sizeof output, "%s/elsewhere/surfaces", folder);
    ASSERT_OK(context, export_motion(context, folder, "obj", output));
    size_t size;
    char *text = read_file(context, &arena, output, "000002.obj", &size);
    FixtureState state;
    fixture_frame(2, &state);
    int vertices = 0, triangles = 0, objects = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        double x[3];
        int v[3];
        if (sscanf(line, "v %lf %lf %lf", &x[0], &x[1], &x[2]) == 3) {
            for (int k = 0; k < 3; ++k)
                ck_assert_double_eq_tol(x[k], state.positions[3 * vertices + k], 1e-8);
            ++vertices;
        } else if (sscanf(line, "f %d %d %d", &v[0], &v[1], &v[2]) == 3) {
            for (int k = 0; k < 3; ++k)
                ck_assert_int_eq(v[k], fixture_triangles[3 * triangles + k] + 1);
            ++triangles;
        } else if (line[0] == 'o') {
            ck_assert_str_eq(line + 2, fixture_bodies[objects++].name);
        }
    }
    ck_assert_int_eq(vertices, FIXTURE_NODES);
    ck_assert_int_eq(triangles, FIXTURE_TRIANGLES);
    ck_assert_int_eq(objects, 2);
    ck_assert(!file_exists(output, "000004.obj"));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(ply)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY];
    fixture_run(context, "export_ply", FRAMES, folder);
    ASSERT_OK(context, export_motion(context, folder, "ply", NULL));
    snprintf(output, sizeof output, "%s/ply", folder);
    size_t size;
    const char *file = read_file(context, &arena, output, "000003.ply", &size);
    ck_assert_ptr_nonnull(strstr(file, "element vertex 9\n"));
    const char *data = strstr(file, "end_header\n");
    ck_assert_ptr_nonnull(data);
    data += strlen("end_header\n");
    ck_assert_uint_eq((size_t)(data - file) + 9 * 27 + 10 * 13, size);
    FixtureState state;
    fixture_frame(3, &state);
    for (int i = 0; i < FIXTURE_NODES; ++i) {
        float values[6];
        memcpy(values, data + 27 * i, sizeof values);
        for (int k = 0; k < 3; ++k) {
            ck_assert_float_eq(values[k], (float)state.positions[3 * i + k]);
            ck_assert_float_eq(values[3 + k], (float)state.velocities[3 * i + k]);
        }
        ck_assert_int_eq((unsigned char)data[27 * i + 24], i < 4 ? 204 : 26);
    }
    ck_assert_int_eq(data[9 * 27], 3);
    int32_t triangle[3];
    memcpy(triangle, data + 9 * 27 + 13 * 9 + 1, sizeof triangle);
    ck_assert_mem_eq(triangle, fixture_triangles + 27, sizeof triangle);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// Nodes inside the body or unused by any element are no vertices of the surface.
START_TEST(surface_leaves_out_inner_nodes)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY];
    fixture_run(context, "export_inner", 0, folder);
    FrameTopology topology = fixture_topology;
    FrameBody body = fixture_bodies[1];
    topology.triangle_count = 6; // the second body only: nodes 0 to 3 are not on the surface
    topology.triangles = fixture_triangles + 12;
    body.first_triangle = 0;
    topology.bodies = &body;
    topology.body_count = 1;
    FixtureState state;
    const Frame frame = fixture_frame(0, &state);
    ASSERT_OK(context, frame_write(context, folder, &topology, &frame));
    ASSERT_OK(context, export_motion(context, folder, "obj", NULL));
    snprintf(output, sizeof output, "%s/obj", folder);
    size_t size;
    const char *text = read_file(context, &arena, output, "000000.obj", &size);
    int vertices = 0;
    for (const char *at = text; (at = strstr(at, "\nv ")); ++at)
        ++vertices;
    ck_assert_int_eq(vertices, 5);
    ck_assert_ptr_nonnull(strstr(text, "\nf 1 3 2\n"));
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

// Cables in every format, and files that are read back by vela's own readers of surfaces.
START_TEST(cables)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY], path[RUN_PATH_CAPACITY];
    fixture_run_of(context, &fixture_cable_topology, "export_cables", 1, folder);
    ASSERT_OK(context, export_motion(context, folder, "npy", NULL));
    snprintf(output, sizeof output, "%s/npy", folder);
    size_t size;
    const char *file = read_file(context, &arena, output, "segments.npy", &size);
    ck_assert_mem_eq(npy_data(file, size, "{'descr': '<i4', 'fortran_order': False, 'shape': (3, 2), }", 24),
                     fixture_segments, 24);
    const int32_t ranges[18] = {0, 4, 0, 1, 0, 4, 0, 0, 0, 4, 5, 1, 0, 4, 0, 0, 3, 0};
    file = read_file(context, &arena, output, "bodies.npy", &size);
    ck_assert_mem_eq(npy_data(file, size, "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 9), }", 72),
                     ranges, 72);

    snprintf(output, sizeof output, "%s/obj", folder);
    ASSERT_OK(context, export_motion(context, folder, "obj", NULL));
    file = read_file(context, &arena, output, "000000.obj", &size);
    const char *ropes = strstr(file, "\no ropes\n"), *lines = "\nl 5 9\nl 9 6\nl 7 8\n";
    ck_assert_ptr_nonnull(ropes);
    ck_assert_str_eq(ropes + strlen("\no ropes"), lines);

    // Vertex 8 belongs to a segment only; its colour is that of its body.
    snprintf(output, sizeof output, "%s/ply", folder);
    ASSERT_OK(context, export_motion(context, folder, "ply", NULL));
    file = read_file(context, &arena, output, "000000.ply", &size);
    ck_assert_ptr_nonnull(strstr(file, "element vertex 9\n"));
    ck_assert_ptr_nonnull(strstr(file, "element face 4\n"));
    ck_assert_ptr_nonnull(
        strstr(file, "element edge 3\nproperty int vertex1\nproperty int vertex2\nend_header\n"));
    const char *data = strstr(file, "end_header\n") + strlen("end_header\n");
    ck_assert_uint_eq((size_t)(data - file) + 9 * 27 + 4 * 13 + 3 * 8, size);
    ck_assert_int_eq((unsigned char)data[27 * 8 + 26], 230);
    ck_assert_mem_eq(data + 9 * 27 + 4 * 13, fixture_segments, sizeof fixture_segments);

    static const char *const names[2] = {"obj/000000.obj", "ply/000000.ply"};
    for (int i = 0; i < 2; ++i) {
        TriangleMesh mesh;
        ASSERT_OK(context, run_path(context, folder, names[i], path));
        ASSERT_OK(context, mesh_read_triangles(context, path, &arena, &mesh));
        ck_assert_int_eq(mesh.triangle_count, 4);
    }
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(multipliers)
{
    VelaContext *context = test_context();
    Arena arena = arena_make(context);
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY];
    FrameTopology topology = fixture_topology;
    double values[FRAMES][5];
    fixture_run(context, "export_multipliers", 0, folder);
    snprintf(output, sizeof output, "%s/arrays", folder);
    topology.multiplier_count = 5;
    for (int64_t i = 0; i < FRAMES; ++i) {
        FixtureState state;
        Frame frame = fixture_frame(i, &state);
        for (int k = 0; k < 5; ++k)
            values[i][k] = 1.5 * k - (double)i;
        frame.multipliers = values[i];
        ASSERT_OK(context, frame_write(context, folder, &topology, &frame));
    }
    for (int again = 0; again < 2; ++again) // into a folder with nothing else in it
        ASSERT_OK(context, export_motion(context, folder, "npy", output));
    size_t size;
    const char *file = read_file(context, &arena, output, "multipliers.npy", &size);
    ck_assert_mem_eq(
        npy_data(file, size, "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 5), }", FRAMES * 40),
        values, sizeof values);
    file = read_file(context, &arena, output, "stress.npy", &size);
    npy_data(file, size, "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 3, 6), }", FRAMES * 18 * 4);
    arena_clear(&arena);
    vela_context_destroy(context);
}
END_TEST

START_TEST(refuses)
{
    VelaContext *context = test_context();
    char folder[RUN_PATH_CAPACITY], output[2 * RUN_PATH_CAPACITY];
    fixture_run(context, "export_refuses", FRAMES, folder);
    static const char *const later[] = {"vtu", "pc2", "usda"};
    for (int i = 0; i < 3; ++i)
        ASSERT_FAILS(context, VELA_ERROR_UNSUPPORTED, "not in this version",
                     export_motion(context, folder, later[i], NULL));
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "'stl': expected npy",
                 export_motion(context, folder, "stl", NULL));
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "not a run folder",
                 export_motion(context, BINARY_DIR, "npy", NULL));
    // A damaged frame in the middle: an error, and nothing that looks like a whole array.
    ASSERT_OK(context, run_folder_truncate_frames(context, folder, 3));
    touch(folder, "states/000003.vst", "garbage");
    snprintf(output, sizeof output, "%s/damaged", folder);
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "000003.vst",
                 export_motion(context, folder, "npy", output));
    ck_assert(!file_exists(output, "positions.npy") && !file_exists(output, "positions.npy.part"));
    ASSERT_OK(context, run_folder_truncate_frames(context, folder, 0));
    ASSERT_FAILS(context, VELA_ERROR_INVALID_INPUT, "holds no frames",
                 export_motion(context, folder, "npy", output));
    vela_context_interrupt(context);
    fixture_run(context, "export_refuses", 1, folder);
    ASSERT_FAILS(context, VELA_ERROR_INTERRUPTED, "interrupted",
                 export_motion(context, folder, "obj", output));
    vela_context_destroy(context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("output export");
    TCase *tests = tcase_create("export");
    tcase_add_test(tests, npy);
    tcase_add_test(tests, obj);
    tcase_add_test(tests, ply);
    tcase_add_test(tests, surface_leaves_out_inner_nodes);
    tcase_add_test(tests, cables);
    tcase_add_test(tests, multipliers);
    tcase_add_test(tests, refuses);
    suite_add_tcase(suite, tests);
    return test_run(suite);
}
