// Structure of barrier contact on the Vulkan path, as CSV: what a Newton iteration takes in dispatches, host waits and bytes over the
// bus, phase by phase, how often something was done again with more room since the start, how many candidates and pairs there were, and
// what an iteration of the linear solver takes (linear_traffic.h). Three scenes of the project at three sizes, from their first contact
// on. None of it depends on how fast the device is. Run from the project's folder.
// usage: bench_structure [f32|f64 [device [scene[:cells]...]]] > structure.csv
#include "linear_traffic.h"

#include "device/vulkan/contact/broad_phase.h"
#include "device/vulkan/vulkan_device.h"
#include "model/build.h"
#include "scene/parse.h"
#include "sim/simulation.h"
#include "sim/start.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES = 3, OVERRIDES_MOST = 8, APPROACH_MOST = 80, STEPS = 10 };

typedef struct Overrides {
    int count;
    char text[OVERRIDES_MOST][160];
} Overrides;

typedef struct Example {
    const char *name, *path;
    int cells[SIZES];
    void (*override)(int cells, Overrides *overrides);
} Example;

#define OVERRIDE(overrides, ...)                                                                             \
    snprintf((overrides)->text[(overrides)->count++], sizeof(overrides)->text[0], __VA_ARGS__)

static void make_stack(int cells, Overrides *overrides)
{
    for (int b = 0; b < 5; ++b)
        OVERRIDE(overrides, "bodies.%d.geometry.box.cells=[%d,%d,%d]", b, cells, cells, cells);
}

// Twisted ten times as fast as the scene's, to come to contact sooner.
static void make_mat(int cells, Overrides *overrides)
{
    OVERRIDE(overrides, "bodies.0.geometry.box.cells=[%d,1,%d]", 2 * cells, cells);
    OVERRIDE(overrides, "bodies.0.pins.0.motion.spin.speed=-15");
    OVERRIDE(overrides, "bodies.0.pins.1.motion.spin.speed=15");
}

// A box above the first stair instead of the figure, whose mesh has one size.
static void make_stairs(int cells, Overrides *overrides)
{
    OVERRIDE(overrides, "bodies.0.geometry={\"box\":{\"size\":[0.4,0.2,0.2],\"cells\":[%d,%d,%d]}}",
             2 * cells, cells, cells);
    OVERRIDE(overrides, "bodies.0.translate=[0.1,0.86,0]");
}

static const Example examples[] = {
    {"stack", "scenes/energy_control/stack_of_cubes.json", {3, 6, 9}, make_stack},
    {"mat", "scenes/energy_control/mat_twist.json", {10, 20, 40}, make_mat},
    {"stairs", "scenes/energy_control/stair_drop.json", {4, 7, 12}, make_stairs},
};

// ---------------------------------------------------------------- what the operations take
typedef enum Phase { PHASE_DIRECTION, PHASE_TRIALS, PHASE_DIAGNOSIS, PHASE_OTHER, PHASE_COUNT } Phase;

static const char *const phase_names[PHASE_COUNT] = {"direction", "trials", "diagnosis", "other"};

typedef struct Counts {
    int64_t dispatches, waits, bytes;
} Counts;

/// What was seen of the device whose operations stand in these.
static struct {
    const DeviceOperations *device;
    Counts phases[PHASE_COUNT];
    int64_t directions, steady, steady_waits;              ///< steady: nothing had to grow
    double candidates, active, undecided, entries, blocks; ///< sums over directions
    uint32_t most_candidates, most_active;
} seen;

static Counts counts_now(const Device *device)
{
    const GpuStatistics *now = &((const VulkanDevice *)device)->gpu->statistics;
    return (Counts){now->dispatches, now->host_waits, now->uploaded + now->downloaded};
}

static void add(Phase phase, const Device *device, const Counts *before)
{
    const Counts now = counts_now(device);
    seen.phases[phase].dispatches += now.dispatches - before->dispatches;
    seen.phases[phase].waits += now.waits - before->waits;
    seen.phases[phase].bytes += now.bytes - before->bytes;
}

static VelaResult direction_seen(Device *device, const NewtonSettings *settings, NewtonDirection *direction)
{
    const Counts before = counts_now(device);
    const VulkanDevice *vulkan = (const VulkanDevice *)device;
    const int64_t regrowths = vulkan->contact->regrowths;
    TRY(seen.device->newton_direction(device, settings, direction));
    add(PHASE_DIRECTION, device, &before);
    if (vulkan->contact->regrowths == regrowths) {
        ++seen.steady;
        seen.steady_waits += counts_now(device).waits - before.waits;
    }
    const char *readback = vulkan_buffer((VulkanDevice *)device, BUFFER_READBACK)->mapped;
    const uint32_t *pairs = (const uint32_t *)(readback + READBACK_PAIR_CONTROL);
    ++seen.directions;
    seen.candidates += pairs[PAIR_CANDIDATES];
    seen.active += pairs[PAIR_ACTIVE];
    seen.entries += pairs[PAIR_ENTRIES];
    seen.blocks += pairs[PAIR_BLOCKS];
    if (pairs[PAIR_CANDIDATES] > seen.most_candidates)
        seen.most_candidates = pairs[PAIR_CANDIDATES];
    if (pairs[PAIR_ACTIVE] > seen.most_active)
        seen.most_active = pairs[PAIR_ACTIVE];
    return VELA_OK;
}

static VelaResult trials_seen(Device *device, int32_t halvings, NewtonTrials *trials)
{
    const Counts before = counts_now(device);
    TRY(seen.device->newton_trials(device, halvings, trials));
    add(PHASE_TRIALS, device, &before);
    const char *readback = vulkan_buffer((VulkanDevice *)device, BUFFER_READBACK)->mapped;
    seen.undecided += ((const uint32_t *)(readback + READBACK_PAIR_CONTROL))[PAIR_UNDECIDED];
    return VELA_OK;
}

static VelaResult diagnosis_seen(Device *device, Slot position, Slot velocity, double time,
                                 Diagnosis *diagnosis)
{
    const Counts before = counts_now(device);
    TRY(seen.device->diagnose(device, position, velocity, time, diagnosis));
    add(PHASE_DIAGNOSIS, device, &before);
    return VELA_OK;
}

// ---------------------------------------------------------------- a scene
static VelaResult start(VelaContext *context, const Example *example, int size, const DeviceChoice *choice,
                        Simulation *simulation)
{
    Overrides overrides = {0};
    const char *texts[OVERRIDES_MOST];
    example->override(example->cells[size], &overrides);
    for (int i = 0; i < overrides.count; ++i)
        texts[i] = overrides.text[i];
    *simulation = (Simulation){.context = context, .arena = arena_make(context)};
    TRY(scene_read(context, example->path, overrides.count, texts, &simulation->arena, &simulation->scene));
    TRY(model_build(context, &simulation->scene, &simulation->arena, &simulation->model));
    return simulation_start(simulation, choice);
}

/// Steps from the first with contact on.
static VelaResult look(Simulation *simulation, double *newton, double *linear)
{
    StepReport report;
    for (int step = 0; step < APPROACH_MOST && !(simulation->diagnosis.min_distance < 1e30); ++step)
        TRY(simulation_step(simulation, &report));
    Device *device = simulation->device;
    // A slow device cuts long solves into several submissions (choose_batch in newton.c); a fast one is to be counted.
    ((VulkanDevice *)device)->submission_seconds = INFINITY;
    const Counts before = counts_now(device);
    DeviceOperations operations = *device->operations;
    memset(&seen, 0, sizeof seen);
    seen.device = device->operations;
    operations.newton_direction = direction_seen;
    operations.newton_trials = trials_seen;
    operations.diagnose = diagnosis_seen;
    device->operations = &operations;
    VelaResult result = VELA_OK;
    for (int step = 0; step < STEPS && result == VELA_OK; ++step) {
        result = simulation_step(simulation, &report);
        *newton += report.solver.iterations;
        *linear += report.solver.linear_iterations;
    }
    device->operations = seen.device;
    add(PHASE_OTHER, device, &before);
    for (int p = 0; p < PHASE_OTHER; ++p) {
        seen.phases[PHASE_OTHER].dispatches -= seen.phases[p].dispatches;
        seen.phases[PHASE_OTHER].waits -= seen.phases[p].waits;
        seen.phases[PHASE_OTHER].bytes -= seen.phases[p].bytes;
    }
    return result;
}

static VelaResult measure(VelaContext *context, const Example *example, int size, const DeviceChoice *choice)
{
    Simulation simulation;
    double newton = 0, linear = 0;
    VelaResult result = start(context, example, size, choice, &simulation);
    if (result == VELA_OK)
        result = look(&simulation, &newton, &linear);
    if (result == VELA_OK) {
        const double n = newton, d = (double)seen.directions;
        const VulkanDevice *device = (const VulkanDevice *)simulation.device;
        const LinearTraffic linear_solver = linear_traffic(device, seen.blocks / d);
        printf("%s,%d,%d,%.1f,%.1f,%.2f", example->name, simulation.model.node_count,
               simulation.model.element_count, newton / STEPS, linear / newton, d / n);
        for (int p = 0; p < PHASE_COUNT; ++p)
            printf(",%.1f,%.2f,%.0f", (double)seen.phases[p].dispatches / n, (double)seen.phases[p].waits / n,
                   (double)seen.phases[p].bytes / n);
        printf(",%.2f,%lld,%.0f,%u,%.0f,%u,%.1f,%.0f,%.0f", (double)seen.steady_waits / (double)seen.steady,
               (long long)device->contact->regrowths, seen.candidates / d, seen.most_candidates,
               seen.active / d, seen.most_active, seen.undecided / d, seen.entries / d, seen.blocks / d);
        printf(",%d,%.0f,%.3f,%.3f\n", linear_solver.dispatches, linear_solver.matrix,
               linear_solver.read / linear_solver.matrix, linear_solver.coarse / linear_solver.matrix);
        fflush(stdout);
    }
    simulation_destroy(&simulation);
    return result;
}

// By the example's name, or name:cells.
static bool is_wanted(const Example *example, int size, int count, char **names)
{
    char one[80];
    snprintf(one, sizeof one, "%s:%d", example->name, example->cells[size]);
    for (int i = 0; i < count; ++i)
        if (strcmp(names[i], example->name) == 0 || strcmp(names[i], one) == 0)
            return true;
    return count <= 0;
}

int main(int count, char **arguments)
{
    const DeviceChoice choice = {count > 2 ? arguments[2] : "vulkan", count > 1 ? arguments[1] : "f32"};
    VelaContextDef def = vela_default_context_def();
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        return 1;
    printf("scene,nodes,elements,newton_per_step,linear_per_newton,directions_per_newton");
    for (int p = 0; p < PHASE_COUNT; ++p)
        printf(",%s_dispatches,%s_waits,%s_bytes", phase_names[p], phase_names[p], phase_names[p]);
    printf(
        ",steady_direction_waits,regrowths,candidates,most_candidates,active,most_active,undecided,entries,blocks,linear_dispatches,matrix_bytes,"
        "read_per_matrix,coarse_read_per_matrix\n");
    VelaResult result = VELA_OK;
    for (size_t e = 0; e < sizeof examples / sizeof *examples; ++e)
        for (int size = 0; size < SIZES && result == VELA_OK; ++size)
            if (is_wanted(&examples[e], size, count - 3, arguments + 3))
                result = measure(context, &examples[e], size, &choice);
    if (result != VELA_OK)
        fprintf(stderr, "bench_structure: %s\n", vela_context_message(context));
    vela_context_destroy(context);
    return result == VELA_OK ? 0 : 1;
}
