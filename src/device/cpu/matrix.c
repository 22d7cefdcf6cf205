#include "device/cpu/matrix.h"

#include "base/matrix3.h"

static int32_t find_column(const Model *model, int32_t row, int32_t column)
{
    int32_t low = model->row_start[row], high = model->row_start[row + 1] - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (model->columns[middle] < column)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// G_a of a tet for all four corners.
static void shape_gradients(const Model *model, int32_t tet, double g[4][3])
{
    const double *rows = model->shape_gradients + 9 * (size_t)tet;
    for (int k = 0; k < 3; ++k) {
        for (int a = 1; a < 4; ++a)
            g[a][k] = rows[3 * (a - 1) + k];
        g[0][k] = -(g[1][k] + g[2][k] + g[3][k]);
    }
}

void matrix_assemble(const Model *model, const double *penalties, double a, double scale, int threads,
                     double *values)
{
    // Row by row over the node's tets: every entry is summed in a fixed order, by one thread.
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t row = 0; row < model->node_count; ++row) {
        for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
            values[p] = model->columns[p] == row ? model->masses[row] / (a * a) : 0;
        for (int32_t i = model->incidence_start[row]; i < model->incidence_start[row + 1]; ++i) {
            const int32_t tet = model->incidence[i] / 4, corner = model->incidence[i] % 4;
            double g[4][3];
            shape_gradients(model, tet, g);
            for (int c = 0; c < 4; ++c) {
                const int32_t column = model->tets[4 * (size_t)tet + c];
                values[find_column(model, row, column)] += scale * penalties[tet] * dot3(g[corner], g[c]);
            }
        }
    }
}
