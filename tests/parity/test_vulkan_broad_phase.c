// Candidates of barrier contact that the device finds against those of the CPU path: none is missing, few come besides, their numbers
// agree; the list is the same bytes whatever the trees look like; a list without room is empty and says what it wanted.
#include "candidate_items.h"

#include "device/cpu/contact/candidates.h"
#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/recording.h"
#include "device/vulkan/vulkan.h"
#include "gpu/open.h"
#include "gpu/transfer.h"
#include "model/build.h"
#include "model/contact_joints.h"
#include "parity/vulkan_fixture.h"
#include "scene/parse.h"

#include <math.h>
#include <string.h>

#define SHARED_MESH SHARED_DIR "/meshes/tet/bunny_1k.msh"
#define HEAD                                                                                                 \
    "{\"version\": 1, \"time\": {\"step\": 0.01, \"duration\": 1}, "                                         \
    "\"integrator\": {\"type\": \"implicit_euler\"}, \"solver\": {\"type\": \"newton\", "                    \
    "\"linear\": {\"preconditioner\": \"block_jacobi\"}}, \"materials\": {\"m\": {\"model\": "               \
    "\"neo_hookean\", \"density\": 1000, \"youngs_modulus\": 1e5, \"poissons_ratio\": 0.3}}, "

static const char *const scenes[][2] = {
    {"solids, cables, dice and obstacles of every kind", HEAD
     "\"bodies\": [{\"name\": \"cubes\", \"material\": \"m\", \"contact_thickness\": 0.004, "
     "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [4, 4, 4]}}, \"array\": {\"count\": "
     "[1, 2, 1], \"spacing\": [0, 0.21, 0]}}, {\"name\": \"ball\", \"material\": \"m\", \"geometry\": "
     "{\"ball\": {\"radius\": 0.05, \"resolution\": 2}}, \"translate\": [0.16, 0.03, 0.01], \"pins\": "
     "[{\"select\": {\"nearest\": [0.16, 0, 0]}}]}, {\"name\": \"ropes\", \"type\": \"cable\", "
     "\"material\": \"m\", \"radius\": 0.004, \"contact_thickness\": 0.008, \"geometry\": {\"cable\": "
     "{\"from\": [-0.1, 0.33, 0], \"to\": [0.2, 0.334, 0.02], \"segments\": 40}}, \"array\": {\"count\": "
     "[1, 3, 1], \"spacing\": [0, 0.014, 0]}}, {\"name\": \"dice\", \"type\": \"affine\", \"material\": "
     "\"m\", \"geometry\": {\"box\": {\"size\": [0.05, 0.05, 0.05], \"cells\": [1, 1, 1]}}, \"array\": "
     "{\"count\": [2, 2, 2], \"spacing\": [0.056, 0.054, 0.058]}, \"translate\": [0, 0.41, 0]}], "
     "\"obstacles\": [{\"name\": \"sphere\", \"sphere\": {\"center\": [-0.17, 0, 0.01], \"radius\": 0.06}}, "
     "{\"name\": \"second\", \"sphere\": {\"center\": [0.2, -0.045, -0.2], \"radius\": 0.06}}, "
     "{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.11, 0], \"normal\": [0.02, 1, 0]}}, {\"name\": "
     "\"steps\", \"mesh\": \"" SOURCE_DIR "/tests/scenes/steps.obj\", \"scale\": 0.3, \"translate\": "
     "[-0.35, -0.265, -0.3]}], \"contact\": {\"model\": \"barrier\", \"distance\": 0.012, \"stiffness\": 100}}"},
    {"a sheet folded once", HEAD
     "\"bodies\": [{\"name\": \"sheet\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.4, 0.016, "
     "0.15], \"cells\": [24, 1, 9]}}}], \"contact\": {\"model\": \"barrier\", \"distance\": 0.006, "
     "\"stiffness\": 100}}"},
    {"without self-contact", HEAD
     "\"bodies\": [{\"name\": \"plates\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.3, 0.02, "
     "0.2], \"cells\": [2, 1, 2]}}, \"array\": {\"count\": [1, 27, 1], \"spacing\": [0, 0.028, 0]}}], "
     "\"contact\": {\"model\": \"barrier\", \"distance\": 0.01, \"stiffness\": 100, \"self\": false}}"},
    {"what does not see each other, and joints", HEAD
     "\"bodies\": [{\"name\": \"cubes\", \"material\": \"m\", \"contact_thickness\": 0.004, "
     "\"geometry\": {\"box\": {\"size\": [0.2, 0.2, 0.2], \"cells\": [4, 4, 4]}}, \"array\": {\"count\": "
     "[2, 2, 1], \"spacing\": [0.206, 0.207, 0]}}, {\"name\": \"leaf\", \"material\": \"m\", \"geometry\": "
     "{\"box\": {\"size\": [0.3, 0.012, 0.2], \"cells\": [6, 1, 4]}}, \"translate\": [0.1, 0.32, 0]}, {\"name\": "
     "\"ghost\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.2], \"cells\": [3, 2, "
     "3]}}, \"translate\": [0.1, 0.27, 0.05]}, {\"name\": \"ropes\", \"type\": \"cable\", \"material\": \"m\", "
     "\"radius\": 0.004, \"contact_thickness\": 0.008, \"geometry\": {\"cable\": {\"from\": [-0.1, 0.341, 0], "
     "\"to\": [0.3, 0.345, 0.02], \"segments\": 40}}, \"array\": {\"count\": [1, 3, 1], \"spacing\": [0, 0.014, "
     "0]}}], \"obstacles\": [{\"name\": \"sphere\", \"sphere\": {\"center\": [-0.17, 0, 0.01], \"radius\": 0.06}}, "
     "{\"name\": \"floor\", \"plane\": {\"point\": [0, -0.11, 0], \"normal\": [0.02, 1, 0]}}, {\"name\": "
     "\"air\", \"plane\": {\"point\": [0, 0.25, 0], \"normal\": [0, 1, 0]}}, {\"name\": \"steps\", \"mesh\": "
     "\"" SOURCE_DIR "/tests/scenes/steps.obj\", \"scale\": 0.3, \"translate\": [-0.35, -0.265, -0.3]}], "
     "\"contact\": {\"model\": \"barrier\", \"distance\": 0.012, \"stiffness\": 100, \"clearance\": 0.05, \"pairs\": "
     "[{\"between\": [\"ghost\", \"cubes\"], \"contact\": false}, {\"between\": [\"ghost\", \"leaf\"], \"contact\": "
     "false}, {\"between\": [\"leaf\", \"leaf\"], \"contact\": false}, {\"between\": [\"m\", \"air\"], \"contact\": "
     "false}, {\"between\": [\"steps\", \"leaf\"], \"contact\": false}, {\"between\": [\"sphere\", \"ghost\"], "
     "\"contact\": false}]}}"},
    {"a body of " SHARED_MESH,
     HEAD "\"bodies\": [{\"name\": \"body\", \"material\": \"m\", \"geometry\": {\"mesh\": \"" SHARED_MESH
          "\"}}], \"contact\": {\"model\": \"barrier\", \"distance\": 0.03, \"stiffness\": 100}}"},
    {"sheets of 2^16 edges and more", HEAD
     "\"bodies\": [{\"name\": \"sheets\", \"type\": \"affine\", \"material\": \"m\", \"geometry\": {\"box\": {\"size\": "
     "[1, 0.01, 1], \"cells\": [78, 1, 78]}}}, {\"name\": \"other\", \"type\": \"affine\", \"material\": \"m\", "
     "\"geometry\": {\"box\": {\"size\": [1, 0.01, 1], \"cells\": [78, 1, 78]}}, \"translate\": [0.7, 0.011, 0.003]}], "
     "\"contact\": {\"model\": \"barrier\", \"distance\": 0.002, \"stiffness\": 100}}"},
};
enum {
    SCENES = sizeof scenes / sizeof *scenes,
    FOLDED = 1,
    PLATES = 2,
    JOINED = 3,
    MESH = 4,
    SHEETS = 5,
    MOTIONS = 5
};

static VelaContext *context;
static GpuInstance *instance;
static GpuDevice
    *devices[2]; ///< with the longest rows of workgroups, with rows of 5; kernels are compiled once for each
static bool float64;

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

typedef struct Bench {
    Arena arena;
    SceneDef scene;
    Model model;
    GpuDevice *gpu;
    VulkanDevice *device;
    CandidateList *list;
    size_t vertices;
    double *start, *x, *p;
} Bench;

/// Cubes at a corner, side by side and on each other; a rope in the middle of another's, and on the leaf; one that two joints hold.
static const ContactJoint joints[] = {{{0, 1}, {{0.1, 0.1, 0.1}, {0.106, 0.1, 0.1}}},
                                      {{2, 0}, {{0.05, 0.107, 0}, {0.05, 0.1, 0}}},
                                      {{2, 0}, {{0, 0.107, 0}, {0, 0.1, 0}}},
                                      {{6, 7}, {{0.1, 0.343, 0.01}, {0.1, 0.357, 0.01}}},
                                      {{4, 6}, {{0.15, 0.326, 0.01}, {0.15, 0.344, 0.01}}}};

static void start(Bench *bench, int scene, bool f64, bool short_rows)
{
    const char *text = scenes[scene][1];
    Device *device;
    *bench = (Bench){.arena = arena_make(context)};
    ASSERT_OK(context,
              scene_parse(context, "broad_phase", text, strlen(text), 0, NULL, &bench->arena, &bench->scene));
    ASSERT_OK(context, model_build(context, &bench->scene, &bench->arena, &bench->model));
    if (scene == JOINED)
        ASSERT_OK(context, contact_joints_exclude(context, &bench->arena, sizeof joints / sizeof *joints,
                                                  joints, &bench->model));
    bench->gpu = devices[short_rows];
    ASSERT_OK(context, vulkan_device_create(context, bench->gpu, &bench->model, f64, &device));
    bench->device = (VulkanDevice *)device;
    ASSERT_OK(context, candidate_list_create(context, &bench->model, kernels_choose(), 2, &bench->list));
    bench->vertices = (size_t)bench->model.surface.map.vertex_count;
    ASSERT_OK(context, ARENA_ARRAY(&bench->arena, bench->start, 3 * bench->vertices));
    ASSERT_OK(context, ARENA_ARRAY(&bench->arena, bench->x, 3 * bench->vertices));
    ASSERT_OK(context, ARENA_ARRAY(&bench->arena, bench->p, 3 * bench->vertices));
    surface_map_apply(&bench->model.surface.map, bench->model.initial_positions, bench->start);
    if (scene == FOLDED) // half a turn of a tube, and a gap of 0.4 d-hat where the ends lie on each other
        for (size_t v = 0; v < bench->vertices; ++v) {
            double *place = bench->start + 3 * v;
            const double radius = 0.032, angle = place[0] / radius * 0.5;
            const double distance = radius + place[1];
            place[0] = distance * sin(angle);
            place[1] = distance * cos(angle);
        }
}

static void end(Bench *bench)
{
    candidate_list_destroy(bench->list);
    device_destroy(&bench->device->base);
    arena_clear(&bench->arena);
}

static bool is_plane_point(const Model *model, size_t vertex)
{
    for (int32_t q = 0; q < model->contact.plane_count; ++q)
        if ((size_t)model->contact.planes[q].point == vertex ||
            (size_t)model->contact.planes[q].tip == vertex)
            return true;
    return false;
}

/// From nearly nothing to far beyond the bodies' size, all together, each owner for itself and each vertex; as real numbers of the
/// device. False: without motion.
static bool make_motion(Bench *bench, int motion, uint64_t *state)
{
    const Model *model = &bench->model;
    double extent = 0;
    for (size_t i = 3; i < 3 * bench->vertices; ++i)
        extent = fmax(extent, fabs(bench->start[i] - bench->start[i % 3]));
    const double size = extent * (motion == 1 ? 0.2 : pow(10, -0.5 - 3 * random_number(state))),
                 spread = motion == 1 ? 0.2 : pow(10, -2 * random_number(state));
    const bool turns = motion == 3;
    double common[3], own[3] = {0};
    for (int k = 0; k < 3; ++k)
        common[k] = size * (random_number(state) - 0.5);
    for (size_t v = 0, o = 0; v < bench->vertices; ++v) {
        const ContactOwner *owners = model->contact.owners;
        if (o < (size_t)model->contact.owner_count && (size_t)owners[o].first_vertex <= v) {
            for (int k = 0; k < 3; ++k)
                own[k] = size * spread * (random_number(state) - 0.5);
            ++o;
        }
        const bool of_plane = is_plane_point(model, v);
        for (size_t k = 0; k < 3; ++k) {
            const double alone = 0.3 * size * spread * (random_number(state) - 0.5);
            bench->x[3 * v + k] =
                bench->start[3 * v + k] + (of_plane ? 0 : 0.001 * (random_number(state) - 0.5));
            bench->p[3 * v + k] = of_plane && !turns ? 0 : (float)(common[k] + own[k] + alone);
        }
    }
    return motion != 4;
}

typedef struct Found {
    uint32_t control[CONTACT_CONTROL_COUNT];
    uint32_t count;
    uint32_t *words;
    double *numbers;
} Found;

static void forget(Found *found)
{
    free(found->words);
    free(found->numbers);
}

static void sweep(Bench *bench, bool moves, Found *found)
{
    VulkanDevice *device = bench->device;
    GpuDevice *gpu = bench->gpu;
    const bool f64 = device->f64;
    double *packed = malloc(24 * bench->vertices);
    for (size_t v = 0; v < bench->vertices; ++v)
        exact3_store(f64, packed, v, bench->x + 3 * v);
    ASSERT_OK(context,
              gpu_upload(gpu, vulkan_buffer(device, BUFFER_VERTICES), 0, packed, 24 * bench->vertices));
    for (size_t v = 0; v < bench->vertices; ++v)
        exact3_store(f64, packed, v, bench->p + 3 * v);
    ASSERT_OK(context,
              gpu_upload(gpu, vulkan_buffer(device, BUFFER_VERTEX_MOTION), 0, packed, 24 * bench->vertices));
    ASSERT_OK(context, broad_phase_sweep(device, moves));
    ASSERT_OK(context, vulkan_finish(device));
    ASSERT_OK(context, gpu_download(gpu, vulkan_buffer(device, BUFFER_CONTACT_CONTROL), 0, found->control,
                                    sizeof found->control));
    found->count = found->control[CONTACT_COUNT];
    const size_t numbers = CANDIDATE_NUMBERS * (size_t)found->count;
    found->words = malloc(4 * CANDIDATE_WORDS * (size_t)found->count + 4);
    found->numbers = malloc(8 * numbers + 8);
    if (found->count > 0) {
        ASSERT_OK(context, gpu_download(gpu, vulkan_buffer(device, BUFFER_CANDIDATES), 0, found->words,
                                        4 * CANDIDATE_WORDS * (size_t)found->count));
        void *reals = malloc(8 * numbers);
        ASSERT_OK(context, gpu_download(gpu, vulkan_buffer(device, BUFFER_CANDIDATE_NUMBERS), 0, reals,
                                        real_size(f64) * numbers));
        for (size_t i = 0; i < numbers; ++i)
            found->numbers[i] = real_load(f64, reals, i);
        free(reals);
    }
    free(packed);
}

/// A candidate of either path; of two edges the one with the lower vertices first.
typedef struct Entry {
    uint32_t key[5];
    bool approaches;
    double numbers[CANDIDATE_NUMBERS];
} Entry;

static int compare_entries(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    for (int k = 0; k < 5; ++k)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    return 0;
}

static void set_key(Entry *entry, uint32_t kind, const uint32_t v[4])
{
    const bool swap = kind == CONTACT_EDGE_EDGE && (v[2] < v[0] || (v[2] == v[0] && v[3] < v[1]));
    entry->key[0] = kind;
    for (int k = 0; k < 4; ++k)
        entry->key[1 + k] = v[swap ? (k + 2) % 4 : k];
}

static int32_t owner_of(const ModelContact *contact, int32_t vertex)
{
    for (int32_t o = 0; o < contact->owner_count; ++o)
        if (vertex >= contact->owners[o].first_vertex &&
            vertex < contact->owners[o].first_vertex + contact->owners[o].vertex_count)
            return o;
    for (int32_t p = 0; p < contact->plane_count; ++p)
        if (vertex == contact->planes[p].point)
            return contact->planes[p].owner;
    ck_abort_msg("vertex %d has no owner", vertex);
}

/// No pair of what does not see each other, none at the joints: of vertices alone, which are in no zone that their edges and triangles
/// are not in.
static void check_left_out(const Model *model, uint32_t kind, const uint32_t *words)
{
    const ModelContact *contact = &model->contact;
    const int second = kind == CONTACT_EDGE_EDGE ? 2 : 1;
    ck_assert(model_contact_may_meet(contact, owner_of(contact, (int32_t)words[0]),
                                     owner_of(contact, (int32_t)words[second])));
    for (int a = 0; a < second; ++a)
        for (int b = second; b < 4; ++b)
            ck_assert(!exclusions_are_joined(&contact->exclusions, SURFACE_VERTEX, (int32_t)words[a],
                                             SURFACE_VERTEX, (int32_t)words[b]));
}

static Entry *device_entries(const Model *model, const Found *found)
{
    Entry *entries = calloc(found->count + 1, sizeof *entries);
    for (uint32_t i = 0; i < found->count; ++i) {
        const uint32_t *words = found->words + CANDIDATE_WORDS * (size_t)i;
        set_key(&entries[i], words[CANDIDATE_KIND] & CANDIDATE_KIND_MASK, words);
        entries[i].approaches = (words[CANDIDATE_KIND] & CANDIDATE_APPROACHES) != 0;
        bool is_free = false;
        check_left_out(model, entries[i].key[0], words);
        for (int c = 0; c < 4; ++c)
            is_free |= model->surface.map.is_free[words[c]] != 0;
        ck_assert(is_free);
        memcpy(entries[i].numbers, found->numbers + CANDIDATE_NUMBERS * (size_t)i, sizeof entries[i].numbers);
    }
    return entries;
}

static Entry *cpu_entries(const Candidate *items, int32_t count)
{
    Entry *entries = calloc((size_t)count + 1, sizeof *entries);
    for (int32_t i = 0; i < count; ++i) {
        uint32_t vertices[4];
        memcpy(vertices, items[i].vertices, sizeof vertices);
        set_key(&entries[i], (uint32_t)items[i].kind, vertices);
        entries[i].approaches = items[i].approaches;
        const PairBarrier *barrier = &items[i].barrier;
        const double numbers[] = {[CANDIDATE_STIFFNESS] = barrier->stiffness,
                                  [CANDIDATE_RANGE] = barrier->range,
                                  [CANDIDATE_SEPARATION] = barrier->separation,
                                  [CANDIDATE_THRESHOLD] = barrier->parallel_threshold};
        memcpy(entries[i].numbers, numbers, sizeof numbers);
    }
    return entries;
}

/// Kind after kind, and where the control buffer says.
static void check_kinds(const Found *found)
{
    const uint32_t *first = found->control + CONTACT_FIRST_OF_KIND;
    ck_assert_uint_eq(first[0], 0);
    ck_assert_uint_eq(first[CONTACT_KINDS], found->count);
    for (uint32_t kind = 0; kind < CONTACT_KINDS; ++kind)
        for (uint32_t i = first[kind]; i < first[kind + 1]; ++i)
            ck_assert_uint_eq(found->words[CANDIDATE_WORDS * i + CANDIDATE_KIND] & CANDIDATE_KIND_MASK, kind);
}

/// Lengths of the rest shape are rounded to floats, of coordinates up to a metre or so.
static void check_numbers(const Entry *found, const Entry *expected, bool f64)
{
    const double relative = f64 ? 1e-12 : 2e-6, length = f64 ? 1e-14 : 1e-7;
    for (int k = 0; k < CANDIDATE_NUMBERS; ++k) {
        const bool is_length = k == CANDIDATE_RANGE || k == CANDIDATE_SEPARATION;
        const double tolerance = relative * fabs(expected->numbers[k]) + (is_length ? length : 0);
        ck_assert_msg(fabs(found->numbers[k] - expected->numbers[k]) <= tolerance,
                      "number %d of a pair of kind %u is %.9g, expected %.9g", k, found->key[0],
                      found->numbers[k], expected->numbers[k]);
    }
}

/// Counts into totals: the CPU's, the device's, raw pairs.
static void check_against_cpu(Bench *bench, bool moves, const Found *found, int64_t totals[3],
                              int32_t kinds[CONTACT_KINDS])
{
    int32_t count;
    ASSERT_OK(context, candidate_list_sweep(bench->list, bench->x, moves ? bench->p : NULL));
    const Candidate *items = candidate_list_items(bench->list, &count);
    ck_assert_msg(found->control[CONTACT_OVERFLOW] == 0, "%u raw pairs, %u candidates",
                  found->control[CONTACT_RAW_WANTED], found->control[CONTACT_WANTED]);
    check_kinds(found);
    Entry *expected = cpu_entries(items, count), *entries = device_entries(&bench->model, found);
    qsort(entries, found->count, sizeof *entries, compare_entries);
    for (uint32_t i = 1; i < found->count; ++i)
        ck_assert_int_lt(compare_entries(&entries[i - 1], &entries[i]), 0); // nothing comes twice
    for (int32_t i = 0; i < count; ++i) {
        const Entry *entry = bsearch(&expected[i], entries, found->count, sizeof *entries, compare_entries);
        const uint32_t *key = expected[i].key;
        ck_assert_msg(entry != NULL, "kind %u, vertices %u %u %u %u, gap %g: no candidate on the device",
                      key[0], key[1], key[2], key[3], key[4], items[i].gap);
        ck_assert(entry->approaches || !expected[i].approaches);
        check_numbers(entry, &expected[i], bench->device->f64);
        ++kinds[key[0]];
    }
    totals[0] += count;
    totals[1] += found->count;
    totals[2] += found->control[CONTACT_RAW_COUNT];
    free(entries);
    free(expected);
}

static void check_same(const Found *a, const Found *b, const char *when)
{
    ck_assert_msg(a->count == b->count &&
                      memcmp(a->words, b->words, 4 * CANDIDATE_WORDS * (size_t)a->count) == 0 &&
                      memcmp(a->numbers, b->numbers, 8 * CANDIDATE_NUMBERS * (size_t)a->count) == 0,
                  "another list %s", when);
}

static void check_sweeps(int scene, bool f64)
{
    uint64_t state = 3;
    int64_t totals[3] = {0};
    int32_t kinds[CONTACT_KINDS] = {0};
    Bench bench;
    start(&bench, scene, f64, false);
    for (int motion = 0; motion < MOTIONS; ++motion) {
        const bool moves = make_motion(&bench, motion, &state);
        Found found, again, sorted;
        sweep(&bench, moves, &found);
        check_against_cpu(&bench, moves, &found, totals, kinds);
        broad_phase_note(bench.device, found.control);
        if (motion % 2 == 1) {
            bench.device->broad_phase->sorted = true;
            sweep(&bench, moves, &again);
            check_same(&found, &again, "of the same motion");
            bench.device->broad_phase->sorted = false;
            sweep(&bench, moves, &sorted);
            check_same(&found, &sorted, "after sorting anew");
            forget(&sorted);
            forget(&again);
        }
        forget(&found);
    }
    printf("%s, %s: %lld raw pairs, %lld candidates, %.5f times the CPU's; kinds %d %d %d %d\n",
           scenes[scene][0], f64 ? "f64" : "f32", (long long)totals[2], (long long)totals[1],
           (double)totals[1] / (double)totals[0], kinds[0], kinds[1], kinds[2], kinds[3]);
    ck_assert_int_gt(totals[0], 100);
    ck_assert_double_le((double)totals[1], 1.01 * (double)totals[0]);
    end(&bench);
}

START_TEST(candidates_are_those_of_the_cpu)
{
    if (_i == MESH) {
        FILE *file = fopen(SHARED_MESH, "rb");
        if (!file) {
            printf("skipped: %s is not there\n", SHARED_MESH);
            return;
        }
        fclose(file);
    }
    check_sweeps(_i, false);
    if (float64 && _i == 0)
        check_sweeps(_i, true);
}
END_TEST

// A walk through more than 2^16 leaves keeps more than one word of nodes that are still to do.
START_TEST(long_ways_through_trees_lose_nothing)
{
    Bench bench;
    Found found;
    int64_t totals[3] = {0};
    int32_t kinds[CONTACT_KINDS] = {0};
    start(&bench, SHEETS, false, false);
    ck_assert_uint_gt(bench.device->broad_phase->push.leaves[PRIMITIVE_EDGE], 1u << 16);
    memcpy(bench.x, bench.start, 3 * bench.vertices * sizeof *bench.x);
    sweep(&bench, false, &found);
    check_against_cpu(&bench, false, &found, totals, kinds);
    ck_assert_int_gt(kinds[CONTACT_POINT_TRIANGLE], 1000);
    ck_assert_int_gt(kinds[CONTACT_EDGE_EDGE], 1000);
    ck_assert_double_le((double)totals[1], 1.01 * (double)totals[0]);
    forget(&found);
    end(&bench);
}
END_TEST

/// No arguments of a dispatch over what is not there.
static void check_empty(const Found *found, uint32_t overflow)
{
    ck_assert_uint_eq(found->control[CONTACT_OVERFLOW], overflow);
    ck_assert_uint_eq(found->count, 0);
    ck_assert_uint_eq(found->control[CONTACT_ARGUMENTS_LIST], 0);
    for (int kind = 0; kind <= CONTACT_KINDS; ++kind)
        ck_assert_uint_eq(found->control[CONTACT_FIRST_OF_KIND + kind], 0);
}

/// The motion is the one that `full` was found for.
static void check_room(Bench *bench, const Found *full)
{
    Found found;
    ContactPush *push = &bench->device->broad_phase->push;
    const uint32_t raw = full->control[CONTACT_RAW_COUNT], raw_room = push->raw_capacity;
    ck_assert_uint_gt(raw, full->count);
    ck_assert_uint_eq(raw, full->control[CONTACT_RAW_WANTED]);

    push->raw_capacity = raw - 1;
    sweep(bench, true, &found);
    check_empty(&found, CONTACT_RAW_OVERFLOW);
    ck_assert_uint_eq(found.control[CONTACT_RAW_WANTED], raw);
    ck_assert_uint_eq(found.control[CONTACT_RAW_COUNT], 0);
    ck_assert_uint_eq(found.control[CONTACT_ARGUMENTS_COLLECT], 0);
    ck_assert_uint_eq(found.control[CONTACT_ARGUMENTS_RAW], 0);
    forget(&found);

    push->raw_capacity = raw_room;
    push->candidate_capacity = full->count - 1;
    sweep(bench, true, &found);
    check_empty(&found, CONTACT_CANDIDATE_OVERFLOW);
    ck_assert_uint_eq(found.control[CONTACT_WANTED], full->count);
    forget(&found);

    push->candidate_capacity = full->count; // room for exactly as many is enough
    sweep(bench, true, &found);
    ck_assert_uint_eq(found.control[CONTACT_OVERFLOW], 0);
    check_same(full, &found, "after one without room");
    forget(&found);

    // Workgroups of the search that keep less than they found walk again: all of them, and some.
    const uint32_t walk_room = push->walk_room,
                   groups = (push->vertex_count + push->edge_count) / GROUP_CONTACT;
    ck_assert_uint_gt(walk_room, raw / groups);
    for (uint32_t room = 0; room <= raw / groups; room += raw / groups) {
        push->walk_room = room;
        sweep(bench, true, &found);
        ck_assert_uint_eq(found.control[CONTACT_RAW_COUNT], raw);
        check_same(full, &found, "of walks made again");
        forget(&found);
    }
    push->walk_room = walk_room;

    push->raw_capacity = raw / 2;
    push->candidate_capacity = full->count / 2;
    for (bool again = true;
         again;) { // raw pairs first: before they fit, the number of candidates is not known
        GpuCommands *commands;
        sweep(bench, true, &found);
        forget(&found);
        ASSERT_OK(context, vulkan_open(bench->device, &commands));
        broad_phase_read(bench->device, commands);
        ASSERT_OK(context, vulkan_finish(bench->device));
        again = false;
        ASSERT_OK(context, broad_phase_grow(bench->device, &again));
    }
    ck_assert_uint_eq(push->raw_capacity, raw + raw / 2);
    ck_assert_uint_eq(push->candidate_capacity, full->count + full->count / 2);
    sweep(bench, true, &found);
    check_same(full, &found, "after growth");
    forget(&found);
}

START_TEST(neither_rows_nor_room_change_a_list)
{
    Bench bench;
    Found whole, rows;
    uint64_t state = 3;
    start(&bench, 0, false, false);
    sweep(&bench, make_motion(&bench, 1, &state), &whole);
    end(&bench);
    state = 3;
    start(&bench, 0, false, true);
    sweep(&bench, make_motion(&bench, 1, &state), &rows);
    ck_assert_uint_gt(whole.count, 0);
    check_same(&whole, &rows, "in rows of 5 workgroups");
    forget(&rows);
    check_room(&bench, &whole);
    forget(&whole);
    end(&bench);
}
END_TEST

// As many raw pairs as a sum of 32 bits cannot hold are not taken for few.
START_TEST(pairs_beyond_32_bits_are_noticed)
{
    Bench bench;
    Found found;
    uint64_t state = 3;
    GpuCommands *commands;
    start(&bench, FOLDED, false, false);
    const GpuBuffer *control = vulkan_buffer(bench.device, BUFFER_CONTACT_CONTROL);
    sweep(&bench, make_motion(&bench, 1, &state), &found);
    const uint32_t coarse = found.control[CONTACT_RAW_COARSE] << CONTACT_COARSE_SHIFT,
                   wanted = found.control[CONTACT_RAW_WANTED];
    ck_assert_msg(coarse <= wanted && coarse > wanted / 2, "%u of %u raw pairs", coarse, wanted);
    forget(&found);
    const uint32_t many = CONTACT_COARSE_MOST;
    bench.device->broad_phase->push.argument = CONTACT_LIMIT_RAW;
    ASSERT_OK(context, gpu_upload(bench.gpu, control, 4 * CONTACT_RAW_COARSE, &many, 4));
    ASSERT_OK(context, vulkan_run_groups(bench.device, &bench.device->kernels[KERNEL_CONTACT_LIMIT],
                                         &bench.device->broad_phase->push, 1));
    ASSERT_OK(context, vulkan_open(bench.device, &commands));
    broad_phase_read(bench.device, commands);
    ASSERT_OK(context, vulkan_finish(bench.device));
    ASSERT_OK(context, gpu_download(bench.gpu, control, 0, found.control, sizeof found.control));
    ck_assert_uint_eq(found.control[CONTACT_RAW_COUNT], 0);
    ck_assert_uint_eq(found.control[CONTACT_OVERFLOW], CONTACT_RAW_OVERFLOW);
    bool again;
    ck_assert_int_eq(broad_phase_grow(bench.device, &again), VELA_ERROR_OUT_OF_MEMORY);
    ck_assert_ptr_nonnull(
        strstr(vela_context_message(context), "pairs of boxes, this version takes at most"));
    end(&bench);
}
END_TEST

/// The first copy of every owner, owner o at place o * stride, modulo their number.
static void put_in_row(Bench *bench, int32_t stride)
{
    const ModelContact *contact = &bench->model.contact;
    const int32_t owners = contact->owner_count, each = contact->owners[0].vertex_count;
    for (int32_t o = 0; o < owners; ++o)
        for (int32_t i = 0; i < 3 * each; ++i)
            bench->x[3 * (size_t)contact->owners[o].first_vertex + (size_t)i] =
                bench->start[i] + (i % 3 == 0 ? 0.5 * (o * stride % owners) : 0);
}

// Bodies that change places make walks long until the primitives are sorted anew.
START_TEST(an_order_that_has_become_bad_is_made_anew)
{
    Bench bench;
    Found found;
    start(&bench, PLATES, false, false);
    BroadPhase *broad = bench.device->broad_phase;
    put_in_row(&bench, 1);
    sweep(&bench, false, &found);
    broad_phase_note(bench.device, found.control);
    const double first = broad->steps_sorted;
    ck_assert_double_gt(first, 1);
    ck_assert(broad->sorted);
    forget(&found);
    put_in_row(&bench, 13);
    for (int again = 0; again < 2; ++again) {
        sweep(&bench, false, &found);
        broad_phase_note(bench.device, found.control);
        ck_assert_msg(broad->sorted == again, "after %g boxes a walk, at first %g",
                      (double)found.control[CONTACT_STEPS] / found.control[CONTACT_QUERY_COUNT], first);
        forget(&found);
    }
    end(&bench);
}
END_TEST

// Of all that ran before.
START_TEST(validation_is_silent)
{
    if (!instance->validation)
        printf("skipped: VK_LAYER_KHRONOS_validation is not installed\n");
    ck_assert_int_eq(atomic_load(&instance->validation_messages), 0);
}
END_TEST

int main(void)
{
    VulkanTest vulkan;
    const int code = vulkan_test_begin(&vulkan);
    if (code != 0)
        return code;
    context = vulkan.context;
    float64 = vulkan.float64;
    GpuInstanceDef def = gpu_default_instance_def();
    def.validation = true;
    if (gpu_instance_create(context, &def, &instance) != VELA_OK)
        return TEST_BROKEN;
    GpuDeviceDef device_def = gpu_default_device_def();
    for (int rows = 0; rows < 2; ++rows) {
        int32_t index;
        device_def.groups_in_row = rows * 5;
        if (gpu_instance_choose(instance, "vulkan", &index) != VELA_OK ||
            gpu_device_create(instance, index, &device_def, &devices[rows]) != VELA_OK)
            return TEST_BROKEN;
    }
    Suite *suite = suite_create("broad phase on Vulkan");
    TCase *tests = tcase_create("broad phase");
    tcase_add_loop_test(tests, candidates_are_those_of_the_cpu, 0, SHEETS);
    tcase_add_test(tests, long_ways_through_trees_lose_nothing);
    tcase_add_test(tests, neither_rows_nor_room_change_a_list);
    tcase_add_test(tests, pairs_beyond_32_bits_are_noticed);
    tcase_add_test(tests, an_order_that_has_become_bad_is_made_anew);
    tcase_add_test(tests, validation_is_silent);
    suite_add_tcase(suite, tests);
    const int failed = test_run(suite);
    for (int rows = 0; rows < 2; ++rows)
        gpu_device_destroy(devices[rows]);
    gpu_instance_destroy(instance);
    vela_context_destroy(context);
    return failed;
}
