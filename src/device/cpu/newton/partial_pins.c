#include "device/cpu/newton/partial_pins.h"

#include "base/matrix3.h"

#include <math.h>

static double *at_place(const CpuDevice *device, double *values, const PartialPin *pin)
{
    return values + 3 * (size_t)device->base.model->order.places[pin->node];
}

static void get_way(const CpuDevice *device, const PartialPin *pin, double way[3])
{
    const size_t i = 3 * (size_t)pin->node;
    subtract3(device->slots[SLOT_TARGET] + i, device->slots[SLOT_STAGE] + i, way);
    partial_pin_held(pin, way, way);
}

double cpu_partial_pins_way(CpuDevice *device)
{
    const Model *model = device->base.model;
    double largest = 0;
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        double *way = at_place(device, device->newton.solution, &model->partial_pins[p]);
        get_way(device, &model->partial_pins[p], way);
        for (int k = 0; k < 3; ++k)
            largest = fmax(largest, fabs(way[k]));
    }
    return largest;
}

// P_i B P_j of a block, which lies column by column; NULL is the identity.
static void project_block(const PartialPin *row, const PartialPin *column, double block[9])
{
    for (int k = 0; k < 3 && row; ++k)
        partial_pin_release(row, block + 3 * k);
    for (int k = 0; k < 3 && column; ++k) {
        double line[3] = {block[k], block[3 + k], block[6 + k]};
        partial_pin_release(column, line);
        for (int j = 0; j < 3; ++j)
            block[3 * j + k] = line[j];
    }
}

static void project_row(BlockMatrix *matrix, const Model *model, int32_t i)
{
    const NodeOrder *order = &model->order;
    const ChangingBlocks *changing = &matrix->changing;
    const PartialPin *row = model_partial_pin(model, order->nodes[i]);
    for (int32_t p = matrix->row_start[i]; p < matrix->row_start[i + 1]; ++p) {
        const PartialPin *column = model_partial_pin(model, order->nodes[matrix->columns[p]]);
        double *block = matrix->values + 9 * (size_t)p;
        const double size = (fabs(block[0]) + fabs(block[4]) + fabs(block[8])) / 3;
        if (row || column)
            project_block(row, column, block);
        for (int k = 0; k < 9 && row && p == matrix->diagonal[i]; ++k)
            block[k] += size * row->held[k];
    }
    for (int32_t p = changing->row_start ? changing->row_start[i] : 0;
         changing->row_start && p < changing->row_end[i]; ++p) {
        const PartialPin *column = model_partial_pin(model, order->nodes[changing->columns[p]]);
        if (row || column)
            project_block(row, column, changing->values[p]);
    }
}

void cpu_partial_pins_project(CpuDevice *device)
{
    const Model *model = device->base.model;
    NewtonData *newton = &device->newton;
    if (model->partial_pin_count == 0)
        return;
#pragma omp parallel for schedule(static) num_threads(device->node_threads)
    for (int32_t i = 0; i < newton->matrix.row_count; ++i)
        project_row(&newton->matrix, model, i);
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        const PartialPin *pin = &model->partial_pins[p];
        partial_pin_release(pin, at_place(device, newton->linear.residual, pin));
        memset(at_place(device, newton->solution, pin), 0, 3 * sizeof *newton->solution);
    }
}

void cpu_partial_pins_direction(CpuDevice *device)
{
    const Model *model = device->base.model;
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        double way[3];
        get_way(device, &model->partial_pins[p], way);
        partial_pin_set(&model->partial_pins[p], way,
                        at_place(device, device->newton.solution, &model->partial_pins[p]));
    }
}

void cpu_partial_pins_arrive(CpuDevice *device)
{
    const Model *model = device->base.model;
    for (int32_t p = 0; p < model->partial_pin_count; ++p) {
        const size_t i = 3 * (size_t)model->partial_pins[p].node;
        partial_pin_set(&model->partial_pins[p], device->slots[SLOT_TARGET] + i,
                        device->slots[SLOT_STAGE] + i);
    }
}
