#include "model/group_motions.h"

#include "base/matrix3.h"
#include "model/principal_axes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/// A group is a rod if it and what is around it are so much less wide than long, else a plate if so much less thick than wide. Pieces of rods of up to two cells by
/// three have 0.04 to 0.38, of four by four 0.45 and more; pieces of plates of two cells 0.27 to 0.5, mostly, of four 0.53 and more, of cubes 0.6 and more, where affine maps do as well
/// (bench/README.md).
static const double ROD_WIDTH_MOST = 0.4, PLATE_THICKNESS_MOST = 0.5;

/// Beside the products of all arms.
static const double ARM_PRODUCT_LEAST = 1e-12;

/// An arm so much smaller than the largest is 0: what rounding leaves of a line's or a sheet's would be motions that are hardly others than those with larger arms.
static const double ARM_LEAST = 1e-6;

/// Nodes are in one row, or in one plane, if that is so much less wide than long.
static const double ROW_WIDTH = 1e-2;

/// Around a group are nodes that are so many blocks of the matrix away: a slice across a thick body is as thick as long with them.
enum { RINGS = 2 };

/// Rows around a group.
typedef struct Surroundings {
    const RowGraph *graph;
    int32_t *marks; ///< of every row: of the last group that it is near
    int32_t *rows;  ///< the group's and those around it
    int32_t count;
} Surroundings;

/// Marks the rows that a row has blocks with and that are not marked so yet, but, unless it is 0, as `before`, and puts them to a list. Returns its new count.
static int32_t mark_columns(const Surroundings *around, int32_t row, int32_t before, int32_t mark,
                            int32_t *rows, int32_t count)
{
    const RowGraph *graph = around->graph;
    const int32_t node = row_graph_node(graph, row);
    for (int32_t p = graph->starts[node]; p < graph->starts[node + 1]; ++p) {
        const int32_t column = row_graph_row(graph, graph->columns[p]);
        if (column >= graph->row_count || around->marks[column] == mark ||
            (before && around->marks[column] != before))
            continue;
        around->marks[column] = mark;
        rows[count++] = column;
    }
    return count;
}

static int by_number(const void *a, const void *b)
{
    const int32_t left = *(const int32_t *)a, right = *(const int32_t *)b;
    return (left > right) - (left < right);
}

/// In the order of rows, so that sums over them are the same whatever the order of a row's blocks.
static void surround(Surroundings *around, int32_t mark, int32_t first, int32_t end)
{
    around->count = 0;
    for (int32_t row = first; row < end; ++row) {
        around->marks[row] = mark;
        around->rows[around->count++] = row;
    }
    for (int32_t ring = 0, next = 0; ring < RINGS; ++ring)
        for (const int32_t reached = around->count; next < reached; ++next)
            around->count = mark_columns(around, around->rows[next], 0, mark, around->rows, around->count);
    qsort(around->rows, (size_t)around->count, sizeof *around->rows, by_number);
}

/// Whether the surroundings are of one piece. `queue`: room for as many rows.
static bool is_one_piece(const Surroundings *around, int32_t mark, int32_t *queue)
{
    int32_t count = 1;
    queue[0] = around->rows[0];
    around->marks[queue[0]] = -mark;
    for (int32_t next = 0; next < count; ++next)
        count = mark_columns(around, queue[next], mark, -mark, queue, count);
    return count == around->count;
}

static int32_t kind_of(const double extents[3])
{
    if (extents[1] < ROD_WIDTH_MOST * ROD_WIDTH_MOST * extents[0])
        return MOTIONS_ROD;
    return extents[2] < PLATE_THICKNESS_MOST * PLATE_THICKNESS_MOST * extents[1] ? MOTIONS_PLATE
                                                                                 : MOTIONS_AFFINE;
}

/// Turns the first two axes of a plate's frame to those in which its own nodes lie, which may be others than those of what is around them. Of one row of nodes that lie on one
/// another some of a plate's motions are others' multiples, of which rounding makes large ones: it is a rod.
static int32_t turn_plate(const double *places, int32_t count, double frame[9])
{
    double center[3], extents[2] = {0}, product = 0, first[3], second[3];
    points_mean(places, count, NULL, center);
    for (int32_t i = 0; i < count; ++i) {
        double from_center[3], arms[2];
        subtract3(places + 3 * (size_t)i, center, from_center);
        for (int k = 0; k < 2; ++k) {
            arms[k] = dot3(frame + 3 * k, from_center);
            extents[k] += arms[k] * arms[k];
        }
        product += arms[0] * arms[1];
    }
    const double angle = 0.5 * atan2(2 * product, extents[0] - extents[1]), c = cos(angle), s = sin(angle);
    const double width_sq = s * s * extents[0] - 2 * c * s * product + c * c * extents[1];
    const bool is_row = width_sq <= ROW_WIDTH * ROW_WIDTH * (extents[0] + extents[1]);
    for (int k = 0; k < 3; ++k) {
        first[k] = c * frame[k] + s * frame[3 + k];
        second[k] = is_row ? frame[6 + k] : c * frame[3 + k] - s * frame[k];
    }
    memcpy(frame, first, sizeof first);
    memcpy(frame + 3, second, sizeof second);
    cross3(frame, frame + 3, frame + 6);
    return is_row ? MOTIONS_ROD : MOTIONS_PLATE;
}

/// The frame of a rod whose nodes are in one plane becomes their own, for what is around them may lie askew of it, and how that turns they do not tell.
static void turn_rod(const double *places, int32_t count, double frame[9])
{
    PrincipalAxes own;
    principal_axes(places, count, NULL, &own);
    const double least = ROW_WIDTH * ROW_WIDTH * own.extents[0];
    if (own.extents[2] > least)
        return;
    const bool is_along =
        own.extents[1] <= least || fabs(dot3(own.axes[0], frame)) >= fabs(dot3(own.axes[1], frame));
    memcpy(frame, own.axes[is_along ? 0 : 1], sizeof own.axes[0]);
    memcpy(frame + 3, own.axes[is_along ? 1 : 0], sizeof own.axes[0]);
    cross3(frame, frame + 3, frame + 6);
}

/// Arms that are all 0, across lines and sheets of nodes, have no slope.
static void find_slopes(const double *arms, int32_t count, double slopes[2][3])
{
    double products[9] = {0}, inverse[9];
    for (int32_t i = 0; i < count; ++i)
        for (int k = 0; k < 9; ++k)
            products[k] += arms[3 * (size_t)i + (size_t)(k / 3)] * arms[3 * (size_t)i + (size_t)(k % 3)];
    const double least = ARM_PRODUCT_LEAST * (products[0] + products[4] + products[8]);
    for (int k = 0; k < 3; ++k)
        products[4 * k] += least;
    matrix3_inverse(products, inverse);
    memcpy(slopes, inverse, 2 * sizeof *slopes);
}

/// Arms along the frame, over the largest of them.
static void find_thin_arms(const double *places, int32_t count, double *arms, GroupMotions *motions)
{
    double center[3], radius = 0;
    points_mean(places, count, NULL, center);
    for (int32_t i = 0; i < count; ++i) {
        double from_center[3];
        subtract3(places + 3 * (size_t)i, center, from_center);
        for (int k = 0; k < 3; ++k) {
            arms[3 * (size_t)i + (size_t)k] = dot3(motions->frame + 3 * k, from_center);
            radius = fmax(radius, fabs(arms[3 * (size_t)i + (size_t)k]));
        }
    }
    for (size_t i = 0; i < 3 * (size_t)count; ++i)
        arms[i] = fabs(arms[i]) > ARM_LEAST * radius ? (float)(arms[i] / radius) : 0;
    find_slopes(arms, count, motions->slopes);
}

VelaResult group_motions_find(VelaContext *context, const RowGraph *graph, const double *places, bool thin,
                              int32_t group_count, const int32_t *starts, double *arms, GroupMotions *motions)
{
    Arena scratch = arena_make(context);
    Surroundings around = {.graph = graph};
    int32_t *queue = NULL;
    VelaResult result = ARENA_ARRAY(&scratch, around.marks, graph->row_count);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&scratch, around.rows, graph->row_count);
    if (result == VELA_OK)
        result = ARENA_ARRAY(&scratch, queue, graph->row_count);
    for (int32_t g = 0; result == VELA_OK && g < group_count; ++g) {
        const int32_t first = starts[g], end = starts[g + 1];
        const size_t at = 3 * (size_t)first;
        PrincipalAxes axes;
        motions[g] = (GroupMotions){.kind = MOTIONS_AFFINE, .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
        if (thin && first >= graph->coupled_count && end - first > 1) {
            surround(&around, g + 1, first, end);
            principal_axes(places, around.count, around.rows, &axes);
            memcpy(motions[g].frame, axes.axes, sizeof axes.axes);
            motions[g].kind = is_one_piece(&around, g + 1, queue) ? kind_of(axes.extents) : MOTIONS_AFFINE;
            if (motions[g].kind == MOTIONS_PLATE)
                motions[g].kind = turn_plate(places + at, end - first, motions[g].frame);
            else if (motions[g].kind == MOTIONS_ROD)
                turn_rod(places + at, end - first, motions[g].frame);
        }
        if (motions[g].kind == MOTIONS_AFFINE)
            node_groups_arms(places + at, end - first, arms + at);
        else
            find_thin_arms(places + at, end - first, arms + at, &motions[g]);
    }
    arena_clear(&scratch);
    return result;
}

// The unit vector across a, which is one, as far as b is across it, but for less than `least`; else along the axis of space that is most across.
static void unit_across(const double a[3], const double b[3], double least, double out[3])
{
    add_scaled3(b, -dot3(a, b), a, out);
    if (!(norm3(out) > least)) {
        double axis[3] = {0};
        int most = 0;
        for (int k = 1; k < 3; ++k)
            most = fabs(a[k]) < fabs(a[most]) ? k : most;
        axis[most] = 1;
        add_scaled3(axis, -a[most], a, out);
    }
    normalize3(out);
}

void group_motions_turn(const double sums[3][3], GroupMotions *motions)
{
    double slopes[2][3] = {{0}}, *frame = motions->frame;
    for (int k = 0; k < 2; ++k)
        for (int arm = 0; arm < 3; ++arm)
            add_scaled3(slopes[k], motions->slopes[k][arm], sums[arm], slopes[k]);
    const double length = norm3(slopes[0]);
    for (int k = 0; k < 3; ++k)
        frame[k] = length > 0 ? slopes[0][k] / length : k == 0;
    unit_across(frame, slopes[1], FRAME_WIDTH_LEAST * length, frame + 3);
    cross3(frame, frame + 3, frame + 6);
}
