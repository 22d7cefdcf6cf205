#include "model/matrix.h"

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

void model_matrix_row(const Model *model, const double *penalties, double a, double scale, int32_t row,
                      double *values)
{
    for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
        values[p] = model->columns[p] == row ? model->masses[row] / (a * a) : 0;
    for (int32_t i = model->incidence_start[row]; i < model->incidence_start[row + 1]; ++i) {
        const int32_t tet = model->incidence[i] / 4, corner = model->incidence[i] % 4;
        double g[4][3];
        shape_gradients(model, tet, g);
        for (int c = 0; c < 4; ++c)
            values[find_column(model, row, model->tets[4 * (size_t)tet + (size_t)c])] +=
                scale * penalties[tet] * dot3(g[corner], g[c]);
    }
}
