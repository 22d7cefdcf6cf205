#include "device/cpu/terms/vertex_push.h"

#include "base/matrix3.h"

void vertex_push(CpuDevice *device, int32_t vertex, const double gradient[3], double scale,
                 const double block[9])
{
    const SurfaceMap *map = &device->base.model->surface.map;
    const NodeOrder *order = &device->base.model->order;
    NewtonData *newton = &device->newton;
    for (int32_t a = map->starts[vertex]; a < map->starts[vertex + 1]; ++a) {
        const int32_t row = order->places[map->nodes[a]];
        if (row >= order->free_count)
            continue;
        add_scaled3(newton->gradient + 3 * (size_t)row, map->weights[a], gradient,
                    newton->gradient + 3 * (size_t)row);
        for (int32_t b = map->starts[vertex]; b < map->starts[vertex + 1]; ++b) {
            const int32_t column = order->places[map->nodes[b]];
            if (column < row || column >= order->free_count)
                continue;
            const int32_t at = column == row ? newton->matrix.diagonal[row]
                                             : block_matrix_find(&newton->matrix, row, column);
            const double weight = map->weights[a] * map->weights[b] * scale;
            double *values = newton->matrix.values + 9 * (size_t)at;
            for (int k = 0; k < 9; ++k)
                values[k] += weight * block[k];
        }
    }
}
