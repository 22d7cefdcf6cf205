/// Small runs for the tests of output, in folders of their own: two bodies of one and two tetrahedra; one tetrahedron and a
/// body of two cables.
#ifndef TESTS_OUTPUT_FIXTURE_H
#define TESTS_OUTPUT_FIXTURE_H

#include "check_main.h"

#include "output/frame.h"
#include "output/run_folder.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    FIXTURE_NODES = 9,
    FIXTURE_TETS = 3,
    FIXTURE_TRIANGLES = 10,
    FIXTURE_SEGMENTS = 3,
    FIXTURE_ELEMENTS = 4, ///< the most of a topology
};

static const double fixture_rest[3 * FIXTURE_NODES] = {
    0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 2, 0, 0, 3, 0, 0, 2, 1, 0, 2, 0, 1, 3, 1, 1,
};
static const int32_t fixture_tets[4 * FIXTURE_TETS] = {0, 1, 2, 3, 4, 5, 6, 7, 5, 8, 6, 7};
static const int32_t fixture_triangles[3 * FIXTURE_TRIANGLES] = {
    0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 8, 5, 8, 7, 6, 7, 8,
};
static const int32_t fixture_triangle_tets[FIXTURE_TRIANGLES] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 2};
static const FrameBody fixture_bodies[2] = {
    {"left", 0, 4, 0, 1, 0, 4, {0.8, 0.2, 0.1}, 0.4, 0},
    {"right, the larger", 4, 5, 1, 2, 4, 6, {0.1, 0.3, 0.9}, 0.7, 0},
};
static const FrameTopology fixture_topology = {
    .vertex_count = FIXTURE_NODES,
    .triangle_count = FIXTURE_TRIANGLES,
    .body_count = 2,
    .element_count = FIXTURE_TETS,
    .rest_positions = fixture_rest,
    .tet_count = FIXTURE_TETS,
    .tets = fixture_tets,
    .triangles = fixture_triangles,
    .triangle_elements = fixture_triangle_tets,
    .bodies = fixture_bodies,
};

// Vertex 8, which no triangle uses, is the middle of the first cable.
static const int32_t fixture_segments[2 * FIXTURE_SEGMENTS] = {4, 8, 8, 5, 6, 7};
static const int32_t fixture_segment_elements[FIXTURE_SEGMENTS] = {1, 2, 3};
static const FrameCable fixture_cables[2] = {{1, 0, 2, 0.05}, {1, 2, 1, 0.02}};
static const FrameBody fixture_cable_bodies[2] = {
    {"left", 0, 4, 0, 1, 0, 4, {0.8, 0.2, 0.1}, 0.4, 0},
    {"ropes", 4, 5, 1, 0, 4, 0, {0.1, 0.3, 0.9}, 0.7, 0},
};
static const FrameTopology fixture_cable_topology = {
    .vertex_count = FIXTURE_NODES,
    .triangle_count = 4,
    .body_count = 2,
    .segment_count = FIXTURE_SEGMENTS,
    .cable_count = 2,
    .element_count = FIXTURE_ELEMENTS,
    .rest_positions = fixture_rest,
    .tet_count = 1,
    .tets = fixture_tets,
    .triangles = fixture_triangles,
    .triangle_elements = fixture_triangle_tets,
    .segments = fixture_segments,
    .segment_elements = fixture_segment_elements,
    .bodies = fixture_cable_bodies,
    .cables = fixture_cables,
};

typedef struct FixtureState {
    double positions[3 * FIXTURE_NODES], velocities[3 * FIXTURE_NODES];
    float stretch[FIXTURE_ELEMENTS], energy_density[FIXTURE_ELEMENTS];
    float stress[STRESS_COMPONENTS * FIXTURE_ELEMENTS], strain[PRINCIPAL_STRAINS * FIXTURE_ELEMENTS];
} FixtureState;

/// Frame `index` of an invented motion; the arrays lie in `state`.
static inline Frame fixture_frame(int64_t index, FixtureState *state)
{
    const double time = 0.1 * (double)index;
    for (int i = 0; i < 3 * FIXTURE_NODES; ++i) {
        state->positions[i] = fixture_rest[i] + sin(time + 0.1 * i) / 3;
        state->velocities[i] = cos(time + 0.1 * i) / 3;
    }
    for (int i = 0; i < FIXTURE_ELEMENTS; ++i) {
        state->stretch[i] = 1.0f + 0.25f * (float)i;
        state->energy_density[i] = 10.5f * (float)(i + index);
    }
    for (int i = 0; i < STRESS_COMPONENTS * FIXTURE_ELEMENTS; ++i)
        state->stress[i] = 100.5f * (float)(i - index);
    for (int i = 0; i < PRINCIPAL_STRAINS * FIXTURE_ELEMENTS; ++i)
        state->strain[i] = 0.25f * (float)i;
    return (Frame){.index = index,
                   .step = 4 * index,
                   .time = time,
                   .positions = state->positions,
                   .velocities = state->velocities,
                   .stretch = state->stretch,
                   .energy_density = state->energy_density,
                   .stress = state->stress,
                   .strain = state->strain};
}

static inline RunRecord fixture_record(void)
{
    return (RunRecord){.scene_name = "fixture",
                       .scene_hash = 0x0123456789abcdefu,
                       .resumed_from_step = -1,
                       .host_waits = -1};
}

/// A run folder below the build folder with `frames` frames; `folder` has RUN_PATH_CAPACITY characters.
static inline void fixture_run_of(VelaContext *context, const FrameTopology *topology, const char *name,
                                  int64_t frames, char *folder)
{
    snprintf(folder, RUN_PATH_CAPACITY, "%s/test_output/%s", BINARY_DIR, name);
    const RunRecord record = fixture_record();
    ASSERT_OK(context, run_folder_create(context, folder, &record));
    for (int64_t i = 0; i < frames; ++i) {
        FixtureState state;
        const Frame frame = fixture_frame(i, &state);
        ASSERT_OK(context, frame_write(context, folder, topology, &frame));
    }
}

/// The same, of the two bodies of tetrahedra.
static inline void fixture_run(VelaContext *context, const char *name, int64_t frames, char *folder)
{
    fixture_run_of(context, &fixture_topology, name, frames, folder);
}

static inline bool file_exists(const char *folder, const char *name)
{
    char path[RUN_PATH_CAPACITY + 64];
    struct stat status;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return stat(path, &status) == 0;
}

static inline void touch(const char *folder, const char *name, const char *text)
{
    char path[RUN_PATH_CAPACITY + 64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

#define ASSERT_FAILS(context, code, expected_text, expression)                                               \
    do {                                                                                                     \
        const VelaResult fails_result = (expression);                                                        \
        ck_assert_int_eq(fails_result, code);                                                                \
        ck_assert_msg(strstr(vela_context_message(context), expected_text), "'%s' lacks '%s'",               \
                      vela_context_message(context), expected_text);                                         \
    } while (0)

#endif
