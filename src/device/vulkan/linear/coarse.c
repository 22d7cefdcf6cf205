// The second level of the two-level preconditioner: groups of nodes move together (model/group_motions.h), node i by P_i, and the matrix
// restricted to such motions, A (at most 1,536 unknowns), is factored once for every matrix:
//
//     coarse_frames     (groups of thin bodies: how they have turned)
//     coarse_parts, of ADMM's matrix admm_coarse_parts (batches of entries of the same two groups: sums of P_i^T A_ij P_j)
//     coarse_sum        (blocks of two groups on the diagonal and above)
//     coarse_groups, coarse_contact (the same of contact's blocks)
//     coarse_plan       (which groups have to do with each other by the time they are eliminated)
//     coarse_eliminate (those at once that have not: A = L L^T), coarse_pivot (W = L^-1)
//     coarse_clusters   (of linear/preconditioner.c; clusters of nodes: the same of theirs alone, and its W)
//     coarse_stacks     (likewise; stacks of nodes: the sums of their blocks, and the factors of these)
//
// and used in every iteration of the conjugate gradients, newton_apply (of ADMM cg_apply) and in the place of cg_update the other two:
//
//     newton_apply      (chunks of groups: A p, and its sums over motions, cluster by cluster)
//     coarse_forward    (groups: b = the sums of r - alpha A p, and W b)
//     coarse_update     (chunks: residual, first level, clusters, and W^T W b for the group's motions; the sums of r for the next iteration)
//
// coarse_restrict forms the sums of the first residual. Sums that followed the residual from there on, less alpha times those of
// A p each time, would not do: what rounding has taken from them at the start of a solve is more than they are at its end, and
// where the motions are of very different stiffness the soft ones are all wrong.
//
// W^T W is positive semidefinite whatever the rounding; an inverse in single precision would not be where the motions
// are of very different stiffness.
#include "device/vulkan/linear/coarse.h"

#include "device/vulkan/contact/contact.h"
#include "device/vulkan/exact.h"
#include "device/vulkan/linear/coarse_stripes.h"
#include "device/vulkan/linear/contact_groups.h"
#include "device/vulkan/linear/matrix.h"
#include "device/vulkan/recording.h"

#include "gpu/transfer.h"
#include "model/group_motions.h"
#include "model/matrix.h"

#include <math.h>
#include <string.h>

/// ADMM has the coarse space, unless the scene says otherwise, from so many free nodes and such a reach on.
enum { NODES_LEAST = 256 };
static const double REACH_LEAST = 15;

/// What the lists are made from.
typedef struct Layout {
    const Model *model;
    uint32_t free_count, group_count;
    uint32_t *group_of;     ///< of every node; group_count: not free
    uint32_t *block_counts; ///< entries of the matrix between two groups, group_count x group_count
} Layout;

/// How far ADMM's elements carry a pull within a time step, a few times the edges that it gets along: the root of what elements have on the
/// diagonal of its matrix over what masses have there, both summed over the nodes.
static double reach(const Model *model)
{
    const double step = model->scene->step;
    double stiffness = 0, inertia = 0;
    for (int32_t i = 0; i < model->node_count; ++i)
        inertia += model->node_is_free[i] ? model->masses[i] / (step * step) : 0;
    for (int kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t e = 0; e < group->count; ++e) {
            const double weight =
                group->volumes[e] * model_unit_penalty(&model->materials[group->materials[e]], kind,
                                                       model->scene->solver.penalty);
            double g[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
            element_shape(group, e, g);
            for (int32_t c = 0; c < group->kind->corners; ++c)
                for (int32_t j = 0; j < group->kind->columns; ++j)
                    stiffness += weight * g[c][j] * g[c][j];
        }
    }
    return inertia > 0 ? sqrt(stiffness / inertia) : 0;
}

/// Whether a coarse space saves ADMM more dispatches than it takes, three an iteration and three a solve instead of two and none: soft and
/// small bodies need few iterations anyway (bench/README.md has the figures). From the model alone, so that a resumed run goes on as it would
/// have.
static bool coarse_pays(const Model *model)
{
    return model->order.free_count >= NODES_LEAST && reach(model) >= REACH_LEAST;
}

bool coarse_is_used(const Model *model)
{
    const SolverDef *solver = &model->scene->solver;
    if (solver->type == SOLVER_ADMM && !solver->preconditioner_is_named)
        return coarse_pays(model);
    return solver->type != SOLVER_COMPLIANT && solver->preconditioner == PRECONDITIONER_TWO_LEVEL;
}

bool coarse_axes_are_apart(const Model *model)
{
    for (int32_t p = 0; p < model->penalty_count; ++p) {
        const PenaltyObstacle *obstacle = &model->penalty_obstacles[p];
        const double *n = obstacle->normal;
        const int zeros = (n[0] == 0) + (n[1] == 0) + (n[2] == 0);
        if (obstacle->radius == 0 && (zeros < 2 || motion_turns(obstacle->motion)))
            return false;
    }
    return model->partial_pin_count == 0;
}

/// The most that a group has.
static uint32_t most_nodes(const Model *model)
{
    const int32_t *starts = model->order.group_starts;
    int32_t most = 0;
    for (int32_t g = 0; g < model->order.group_count; ++g) {
        const int32_t count = starts[g + 1] - starts[g];
        most = count > most ? count : most;
    }
    return (uint32_t)most;
}

/// Of the groups, what does not depend on the matrix.
static CoarseCounts count_rows(const Model *model)
{
    if (!coarse_is_used(model) || model->order.free_count == 0)
        return (CoarseCounts){0};
    CoarseCounts counts = {.group_count = (uint32_t)model->order.group_count,
                           .contact_workgroups =
                               contact_has_pairs(model) ? contact_groups_workgroups(model) : 0,
                           .solves_clusters = model->scene->solver.type == SOLVER_NEWTON &&
                                              most_nodes(model) >= CLUSTERED_GROUP_LEAST,
                           .has_stacks = model->order.stack_of != NULL};
    // All chunks' and groups' sums of r.z together fit a section of partial sums.
    coarse_stripes_count(model, (SUM_GROUPS_MOST - counts.contact_workgroups) / counts.group_count - 1,
                         &counts);
    return counts;
}

uint64_t coarse_table_words(const Model *model)
{
    const CoarseCounts counts = count_rows(model);
    return counts.group_count > 0 ? COARSE_TREE_WORDS + coarse_stripes_words(model, &counts) : 0;
}

/// Of the coarse matrix, at most: of two blocks between groups one is there for both, and with Newton's matrix each again, as it leaves its group.
static uint64_t entries_most(const Model *model)
{
    const uint64_t entries = (uint64_t)model->row_start[model->node_count];
    return model->scene->solver.type == SOLVER_NEWTON ? entries + entries / 2 : entries;
}

void coarse_plan(const Model *model, bool f64, GpuBufferDef defs[BUFFER_COUNT])
{
    const uint64_t real = real_size(f64),
                   nodes = coarse_is_used(model) ? (uint64_t)model->order.free_count : 0;
    const uint64_t groups = nodes > 0 ? (uint64_t)model->order.group_count : 0, size = COARSE_MODES * groups;
    const uint64_t entries = nodes > 0 ? entries_most(model) : 0;
    const CoarseCounts counts = count_rows(model);
    const uint64_t clusters = counts.solves_clusters ? counts.cluster_count : 0;
    // Each pair of groups may leave one batch that is not full.
    const uint64_t batches = nodes > 0 ? entries / COARSE_BATCH + groups * (groups + 1) / 2 : 0;
    const GpuBufferDef planned[] = {
        {"arms", nodes > 0 ? 3 * real * ((uint64_t)model->node_count + COARSE_MOTIONS_VECTORS * groups) : 0,
         GPU_MEMORY_DEVICE, 0},
        {"entries of the coarse matrix", 12 * entries, GPU_MEMORY_DEVICE, 0},
        {"batches of entries", nodes > 0 ? 4 * (2 * batches + 1) : 0, GPU_MEMORY_DEVICE, 0},
        {"batches of blocks", nodes > 0 ? 4 * (groups * groups + 1) : 0, GPU_MEMORY_DEVICE, 0},
        {"batches' sums", COARSE_BLOCK * real * batches, GPU_MEMORY_DEVICE, 0},
        {"coarse matrix", real * size * size, GPU_MEMORY_DEVICE, 0},
        {"coarse matrix' diagonal", real * size, GPU_MEMORY_DEVICE, 0},
        {"plan of the elimination", groups > 0 ? 4 * COARSE_PLAN_WORDS : 0, GPU_MEMORY_DEVICE,
         VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT},
        {"nodes' clusters", clusters > 0 ? 4 * (uint64_t)model->node_count : 0, GPU_MEMORY_DEVICE, 0},
        {"roots of clusters and stacks",
         real * (CLUSTER_ROOT_SIZE * clusters + STACK_FACTORS_SIZE * (uint64_t)counts.stack_count),
         GPU_MEMORY_DEVICE, 0},
        {"reduced residual", real * size, GPU_MEMORY_DEVICE, 0},
    };
    const bool changes = nodes > 0 && model->scene->solver.type == SOLVER_NEWTON && contact_has_pairs(model);
    defs[BUFFER_GROUP_OF] =
        (GpuBufferDef){"nodes' groups", changes ? 4 * (uint64_t)model->node_count : 0, GPU_MEMORY_DEVICE, 0};
    _Static_assert(sizeof planned / sizeof *planned == BUFFER_COARSE_REDUCED - BUFFER_ARMS + 1,
                   "the coarse space's buffers in their order");
    for (size_t i = 0; i < sizeof planned / sizeof *planned; ++i)
        defs[BUFFER_ARMS + i] = planned[i];
}

/// Counts an entry in the block of two groups, or puts it where `counts` says.
static void put_entry(const Layout *layout, uint32_t group, uint32_t other, const uint32_t entry[3],
                      uint32_t *counts, uint32_t *entries)
{
    const uint32_t at = counts[group * layout->group_count + other]++;
    if (entries)
        memcpy(entries + 3 * (size_t)at, entry, 3 * sizeof *entry);
}

/// Goes over the entries of the matrix between free nodes whose row's group is not behind the column's, in the order of the
/// groups: `counts` counts them block by block, `entries` gets (entry, row, column) where it says, unless it is NULL. Of Newton's matrix
/// as abi/coarse.h has them, with those that leave a group.
static void count_or_fill(const VulkanDevice *device, const Layout *layout, uint32_t *counts,
                          uint32_t *entries)
{
    const Model *model = layout->model;
    const bool has_sums = vulkan_solver(device) == SOLVER_NEWTON;
    for (uint32_t i = 0; i < layout->free_count; ++i) {
        const uint32_t row = (uint32_t)model->order.nodes[i], group = layout->group_of[row];
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p) {
            const uint32_t column = (uint32_t)model->columns[p], other = layout->group_of[column],
                           own = device->matrix.entries[p];
            if (other >= group && other < layout->group_count)
                put_entry(layout, group, other,
                          (uint32_t[]){has_sums && column == row ? matrix_row_sum_entry(device, i) : own, row,
                                       column},
                          counts, entries);
            if (has_sums && other != group)
                put_entry(layout, group, group, (uint32_t[]){own, row, COARSE_NO_COLUMN}, counts, entries);
        }
    }
}

static VelaResult upload(VulkanDevice *device, BufferName name, const void *data, uint64_t size)
{
    return size ? gpu_upload(device->gpu, vulkan_buffer(device, name), 0, data, size) : VELA_OK;
}

static VelaResult upload_entries(VulkanDevice *device, Layout *layout, Arena *scratch)
{
    const uint32_t blocks = layout->group_count * layout->group_count;
    uint32_t *block_batches, *batch_starts, *next, *entries, count = 0, batches = 0;
    TRY(ARENA_ARRAY(scratch, layout->block_counts, blocks));
    TRY(ARENA_ARRAY(scratch, next, blocks));
    TRY(ARENA_ARRAY(scratch, block_batches, blocks + 1));
    count_or_fill(device, layout, layout->block_counts, NULL);
    for (uint32_t b = 0; b < blocks; ++b)
        batches += (layout->block_counts[b] + COARSE_BATCH - 1) / COARSE_BATCH;
    TRY(ARENA_ARRAY(scratch, batch_starts, 2 * (size_t)batches + 1));
    device->coarse.batch_count = batches;
    uint32_t *batch_blocks = batch_starts + batches + 1;
    batches = 0;
    for (uint32_t b = 0; b < blocks; ++b) {
        next[b] = count;
        block_batches[b] = batches;
        for (uint32_t first = 0; first < layout->block_counts[b]; first += COARSE_BATCH) {
            batch_blocks[batches] = b;
            batch_starts[batches++] = count + first;
        }
        count += layout->block_counts[b];
    }
    block_batches[blocks] = batches;
    batch_starts[batches] = count;
    TRY(ARENA_ARRAY(scratch, entries, 3 * (size_t)count));
    count_or_fill(device, layout, next, entries);
    TRY(upload(device, BUFFER_COARSE_ENTRIES, entries, 12 * (uint64_t)count));
    TRY(upload(device, BUFFER_COARSE_BATCHES, batch_starts, 4 * (2 * (uint64_t)batches + 1)));
    return upload(device, BUFFER_COARSE_BLOCKS, block_batches, 4 * ((uint64_t)blocks + 1));
}

/// What the kernels read of a group's motions.
static void store_motions(bool f64, void *packed, size_t at, const GroupMotions *motions)
{
    real_store(f64, packed, 3 * at, motions->kind);
    for (size_t k = 0; k < 9; ++k)
        real_store(f64, packed, 3 * (at + COARSE_MOTIONS_FRAME) + k, motions->frame[k]);
    for (size_t k = 0; k < 6; ++k)
        real_store(f64, packed, 3 * (at + COARSE_MOTIONS_SLOPES) + k, motions->slopes[k / 3][k % 3]);
}

/// Nodes' arms and groups' motions. ADMM's matrix is one number an entry and knows no bending, so its groups move by affine maps.
static VelaResult upload_groups(VulkanDevice *device, Layout *layout, Arena *scratch)
{
    const Model *model = layout->model;
    const NodeOrder *order = &model->order;
    const RowGraph graph = node_groups_graph(model, order);
    const size_t size = real_size(device->f64),
                 words = (size_t)model->node_count + COARSE_MOTIONS_VECTORS * (size_t)layout->group_count;
    double *places, *arms;
    GroupMotions *motions;
    void *packed;
    TRY(ARENA_ARRAY(scratch, places, 3 * (size_t)layout->free_count));
    TRY(ARENA_ARRAY(scratch, arms, 3 * (size_t)layout->free_count));
    TRY(ARENA_ARRAY(scratch, motions, layout->group_count));
    TRY(arena_allocate(scratch, 3 * words, size, &packed));
    for (size_t i = 0; i < 3 * (size_t)layout->free_count; ++i)
        places[i] = model->initial_positions[3 * (size_t)order->nodes[i / 3] + i % 3];
    TRY(group_motions_find(device->base.context, &graph, places, vulkan_solver(device) == SOLVER_NEWTON,
                           order->group_count, order->group_starts, arms, motions));
    for (uint32_t g = 0; g < layout->group_count; ++g) {
        const size_t turn = (size_t)order->group_turns[g];
        device->coarse.bends |= motions[g].kind != MOTIONS_AFFINE;
        store_motions(device->f64, packed, (size_t)model->node_count + COARSE_MOTIONS_VECTORS * turn,
                      &motions[g]);
        for (int32_t i = order->group_starts[g]; i < order->group_starts[g + 1]; ++i) {
            layout->group_of[order->nodes[i]] = (uint32_t)turn;
            for (size_t k = 0; k < 3; ++k)
                real_store(device->f64, packed, 3 * (size_t)order->nodes[i] + k, arms[3 * (size_t)i + k]);
        }
    }
    if (vulkan_solver(device) == SOLVER_NEWTON && contact_has_pairs(model))
        TRY(upload(device, BUFFER_GROUP_OF, layout->group_of, 4 * (uint64_t)model->node_count));
    return upload(device, BUFFER_ARMS, packed, 3 * size * words);
}

/// No supernodes are coupled so far.
static VelaResult upload_plan(VulkanDevice *device, Arena *scratch)
{
    uint32_t *plan;
    TRY(ARENA_ARRAY(scratch, plan, COARSE_PLAN_WORDS));
    return upload(device, BUFFER_COARSE_PLAN, plan, 4 * COARSE_PLAN_WORDS);
}

bool coarse_hands_blocks_on(const Model *model)
{
    return model->scene->solver.type == SOLVER_NEWTON && coarse_is_used(model) && model->order.free_count > 0;
}

VelaResult coarse_table_make(const Model *model, Arena *arena, CoarseTable *table)
{
    table->counts = count_rows(model);
    TRY(ARENA_ARRAY(arena, table->words, coarse_stripes_words(model, &table->counts)));
    TRY(ARENA_ARRAY(arena, table->cluster_of, model->node_count));
    memset(table->cluster_of, 0xff, (size_t)model->node_count * sizeof *table->cluster_of);
    coarse_stripes_fill(model, &table->counts, table->words, table->cluster_of);
    return VELA_OK;
}

/// The table of stripes and clusters, behind the matrix' rows; and the nodes' clusters.
static VelaResult upload_stripes(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    CoarseTable table;
    TRY(coarse_table_make(model, scratch, &table));
    device->coarse = table.counts;
    TRY(gpu_upload(device->gpu, vulkan_buffer(device, BUFFER_MATRIX_ROWS),
                   4 * (matrix_row_words(model) + COARSE_TREE_WORDS), table.words,
                   4 * coarse_stripes_words(model, &table.counts)));
    return table.counts.solves_clusters
               ? upload(device, BUFFER_CLUSTER_OF, table.cluster_of, 4 * (uint64_t)model->node_count)
               : VELA_OK;
}

static VelaResult upload_lists(VulkanDevice *device, Arena *scratch)
{
    const Model *model = device->base.model;
    const int32_t free_count = model->order.free_count;
    Layout layout = {.model = model,
                     .free_count = (uint32_t)free_count,
                     .group_count = (uint32_t)model->order.group_count};
    if (free_count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(scratch, layout.group_of, model->node_count));
    for (int32_t i = 0; i < model->node_count; ++i)
        layout.group_of[i] = layout.group_count;
    TRY(upload_stripes(device, scratch));
    TRY(upload_plan(device, scratch));
    TRY(upload_groups(device, &layout, scratch));
    return upload_entries(device, &layout, scratch);
}

VelaResult coarse_upload(VulkanDevice *device)
{
    Arena scratch = arena_make(device->base.context);
    const VelaResult result = upload_lists(device, &scratch);
    arena_clear(&scratch);
    return result;
}

/// Plates' and rods' frames, as their nodes stand.
static VelaResult turn_frames(VulkanDevice *device)
{
    const CoarseCounts *counts = &device->coarse;
    const uint32_t push[] = {device->node_count,       counts->group_count,
                             counts->chunks_per_group, counts->stripes_per_chunk,
                             counts->cluster_count,    vulkan_slot(device, SLOT_STAGE)};
    return vulkan_run_groups(device, &device->kernels[KERNEL_COARSE_FRAMES], push,
                             counts->bends ? counts->group_count : 0);
}

VelaResult coarse_assemble(VulkanDevice *device)
{
    const CoarseCounts *counts = &device->coarse;
    const GpuBinding *kernels = device->kernels;
    const bool of_admm = vulkan_solver(device) == SOLVER_ADMM;
    const uint32_t blocks[] = {device->matrix.entry_count, counts->batch_count, device->node_count,
                               counts->group_count},
                   scalars[] = {counts->batch_count, device->rigid_penalties != NULL};
    TRY(turn_frames(device));
    TRY(vulkan_run_groups(device, &kernels[of_admm ? KERNEL_ADMM_COARSE_PARTS : KERNEL_COARSE_PARTS],
                          of_admm ? scalars : blocks, counts->batch_count));
    TRY(vulkan_run_groups(device, &kernels[KERNEL_COARSE_SUM], &counts->group_count,
                          counts->group_count * counts->group_count));
    return of_admm ? VELA_OK : contact_join_coarse(device);
}

/// Whether ADMM's coarse matrix is another one than the device has; then it is noted as made.
static bool key_changes(VulkanDevice *device)
{
    CoarseKey key = {.version = device->matrix.version};
    vulkan_plane_blocks(device, key.across, key.along);
    const CoarseKey *made = &device->coarse_key;
    const bool same = made->version == key.version &&
                      memcmp(made->across, key.across, sizeof key.across) == 0 &&
                      memcmp(made->along, key.along, sizeof key.along) == 0;
    device->coarse_key = key;
    return !same;
}

VelaResult coarse_prepare(VulkanDevice *device)
{
    const CoarseCounts *counts = &device->coarse;
    const GpuBinding *kernels = device->kernels;
    if (vulkan_solver(device) == SOLVER_ADMM && !key_changes(device))
        return VELA_OK;
    TRY(coarse_assemble(device));
    GpuCommands *commands;
    const uint32_t groups = counts->group_count, plan[] = {device->node_count, groups};
    TRY(vulkan_run_groups(device, &kernels[KERNEL_COARSE_PLAN], plan, 1));
    TRY(vulkan_open(device, &commands));
    // Contact may couple all groups: then there are as many levels as supernodes.
    const Model *model = device->base.model;
    const uint32_t levels = contact_has_pairs(model) ? (groups + COARSE_ELIMINATED - 1) / COARSE_ELIMINATED
                                                     : (uint32_t)model->order.turn_levels;
    for (uint32_t level = 0; level < levels; ++level) {
        const uint32_t push[] = {groups, level};
        gpu_dispatch_indirect(commands, &kernels[KERNEL_COARSE_ELIMINATE], push,
                              vulkan_buffer(device, BUFFER_COARSE_PLAN),
                              4 * (COARSE_PLAN_ARGUMENTS + 3 * (uint64_t)level));
        gpu_barrier_of_data(commands);
    }
    return vulkan_run_groups(device, &kernels[KERNEL_COARSE_PIVOT], &counts->group_count,
                             counts->group_count);
}
