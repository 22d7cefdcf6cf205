#include "device/cpu/constraints/rows.h"

#include "base/matrix3.h"
#include "model/constraints.h"

#include <string.h>

static VelaResult list_by_node(const Model *model, Arena *arena, ConstraintRows *rows)
{
    const int32_t nodes = model->order.free_count;
    int32_t *next;
    TRY(ARENA_ARRAY(arena, rows->node_start, nodes + 1));
    TRY(ARENA_ARRAY(arena, next, nodes));
    for (int32_t e = 0; e < rows->start[rows->count]; ++e)
        if (rows->places[e] < nodes)
            ++rows->node_start[rows->places[e] + 1];
    for (int32_t i = 0; i < nodes; ++i) {
        rows->node_start[i + 1] += rows->node_start[i];
        next[i] = rows->node_start[i];
    }
    TRY(ARENA_ARRAY(arena, rows->node_constraints, rows->node_start[nodes]));
    TRY(ARENA_ARRAY(arena, rows->node_entries, rows->node_start[nodes]));
    for (int32_t c = 0; c < rows->count; ++c)
        for (int32_t e = rows->start[c]; e < rows->start[c + 1]; ++e) {
            if (rows->places[e] >= nodes)
                continue;
            const int32_t at = next[rows->places[e]]++;
            rows->node_constraints[at] = c;
            rows->node_entries[at] = e;
        }
    return VELA_OK;
}

VelaResult constraint_rows_create(const Model *model, Arena *arena, ConstraintRows *rows)
{
    *rows = (ConstraintRows){
        .model = model, .count = model->constraint_count, .row_count = model->constraint_row_count};
    TRY(ARENA_ARRAY(arena, rows->start, rows->count + 1));
    for (int32_t c = 0; c < rows->count; ++c)
        rows->start[c + 1] = rows->start[c] + model->constraints[c].node_count;
    const size_t entries = (size_t)rows->start[rows->count], size = (size_t)rows->row_count;
    TRY(ARENA_ARRAY(arena, rows->places, entries));
    TRY(ARENA_ARRAY(arena, rows->slopes, entries));
    TRY(ARENA_ARRAY(arena, rows->values, size));
    TRY(ARENA_ARRAY(arena, rows->multipliers, size));
    TRY(ARENA_ARRAY(arena, rows->right, size));
    TRY(ARENA_ARRAY(arena, rows->active, rows->count));
    for (int32_t c = 0; c < rows->count; ++c)
        for (int32_t a = 0; a < model->constraints[c].node_count; ++a)
            rows->places[rows->start[c] + a] = model->order.places[model->constraints[c].nodes[a]];
    return list_by_node(model, arena, rows);
}

// What a node is to go that is not an unknown.
static void prescribed_way(const Model *model, int32_t node, const PartialPin *pin, const double *x,
                           const double *target, double way[3])
{
    double difference[3];
    subtract3(target + 3 * (size_t)node, x + 3 * (size_t)node, difference);
    memset(way, 0, 3 * sizeof *way);
    if (pin)
        partial_pin_held(pin, difference, way);
    else if (!model->node_is_free[node])
        memcpy(way, difference, sizeof difference);
}

void constraint_rows_evaluate(ConstraintRows *rows, const double *x, const double *target)
{
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        const ConstraintKind *kind = &constraint_kinds[constraint->kind];
        double columns[CONSTRAINT_COLUMNS_MOST][3];
        ConstraintLocal local;
        model_constraint_evaluate(constraint, x, columns, &local);
        for (int r = 0; r < kind->rows; ++r)
            rows->values[constraint->first_row + r] = rows->right[constraint->first_row + r] = local.value[r];
        for (int32_t a = 0; a < constraint->node_count; ++a) {
            const PartialPin *pin = model_partial_pin(rows->model, constraint->nodes[a]);
            double *slopes = rows->slopes[rows->start[c] + a], way[3];
            prescribed_way(rows->model, constraint->nodes[a], pin, x, target, way);
            for (int r = 0; r < kind->rows; ++r) {
                double *slope = slopes + 3 * r;
                memset(slope, 0, 3 * sizeof *slope);
                for (int k = 0; k < kind->columns; ++k)
                    add_scaled3(slope, constraint->weights[a][k], local.slope[r][k], slope);
                rows->right[constraint->first_row + r] += dot3(slope, way);
                if (pin)
                    partial_pin_release(pin, slope);
            }
        }
    }
}

void constraint_rows_multiply(const ConstraintRows *rows, int32_t first, int32_t end, const double *v,
                              double *out)
{
    for (int32_t c = first; c < end; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        for (int r = 0; r < constraint_kinds[constraint->kind].rows; ++r) {
            double sum = 0;
            for (int32_t e = rows->start[c]; e < rows->start[c + 1]; ++e)
                sum += dot3(rows->slopes[e] + 3 * r, v + 3 * (size_t)rows->places[e]);
            out[constraint->first_row + r] = sum;
        }
    }
}

void constraint_rows_pull(const ConstraintRows *rows, int32_t first, int32_t end, const double *lambda,
                          double *v)
{
    for (int32_t i = first; i < end; ++i)
        for (int32_t p = rows->node_start[i]; p < rows->node_start[i + 1]; ++p) {
            const ModelConstraint *constraint = &rows->model->constraints[rows->node_constraints[p]];
            const double *slopes = rows->slopes[rows->node_entries[p]];
            double *at = v + 3 * (size_t)i;
            for (int r = 0; r < constraint_kinds[constraint->kind].rows; ++r)
                add_scaled3(at, lambda[constraint->first_row + r], slopes + 3 * r, at);
        }
}

// The block of two nodes: sum over their columns of w_ac w_bd times that of c and d.
static void node_block(const ModelConstraint *constraint, const double *matrix, int32_t a, int32_t b,
                       double block[9])
{
    const int columns = constraint_kinds[constraint->kind].columns, size = 3 * columns;
    memset(block, 0, 9 * sizeof *block);
    for (int c = 0; c < columns; ++c)
        for (int d = 0; d < columns; ++d) {
            const double weight = constraint->weights[a][c] * constraint->weights[b][d];
            for (int i = 0; i < 3 && weight != 0; ++i)
                for (int k = 0; k < 3; ++k)
                    block[3 * k + i] += weight * matrix[size * (3 * c + i) + 3 * d + k]; // column by column
        }
}

void constraint_rows_stiffen(const ConstraintRows *rows, const double *x, bool clamp, BlockMatrix *matrix)
{
    for (int32_t c = 0; c < rows->count; ++c) {
        const ModelConstraint *constraint = &rows->model->constraints[c];
        double columns[CONSTRAINT_COLUMNS_MOST][3], stiffness[CONSTRAINT_STIFFNESS_MOST], block[9];
        ConstraintLocal local;
        bool pulls = false;
        for (int r = 0; r < constraint_kinds[constraint->kind].rows; ++r)
            pulls |= rows->multipliers[constraint->first_row + r] != 0;
        if (!pulls || constraint->kind == CONSTRAINT_KIND_POINT ||
            constraint_kinds[constraint->kind].is_angle)
            continue;
        model_constraint_evaluate(constraint, x, columns, &local);
        constraint_stiffness(constraint->kind, (const double(*)[3])columns,
                             rows->multipliers + constraint->first_row, clamp, stiffness);
        for (int32_t a = 0; a < constraint->node_count; ++a)
            for (int32_t b = 0; b < constraint->node_count; ++b) {
                const int32_t row = rows->places[rows->start[c] + a],
                              column = rows->places[rows->start[c] + b];
                if (row >= matrix->row_count || column < row)
                    continue;
                node_block(constraint, stiffness, a, b, block);
                double *values = matrix->values + 9 * (size_t)block_matrix_find(matrix, row, column);
                for (int k = 0; k < 9; ++k)
                    values[k] += block[k];
            }
    }
}
