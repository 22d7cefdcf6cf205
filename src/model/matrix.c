#include "model/matrix.h"

#include "physics/element/kinds.h"

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

void model_matrix_row(const Model *model, const double *penalties, double a, double scale, int32_t row,
                      double *values)
{
    for (int32_t p = model->row_start[row]; p < model->row_start[row + 1]; ++p)
        values[p] = model->columns[p] == row ? model->masses[row] / (a * a) : 0;
    for (int32_t i = model->incidence_start[row]; i < model->incidence_start[row + 1]; ++i) {
        const ElementCorner at = element_corner(model->groups, model->incidence[i]);
        const ElementGroup *group = &model->groups[at.kind];
        const int32_t corners = group->kind->corners;
        const double weight = scale * penalties[group->first_element + at.element];
        double g[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
        element_shape(group, at.element, g);
        for (int32_t c = 0; c < corners; ++c) {
            double product = 0;
            for (int32_t j = 0; j < group->kind->columns; ++j)
                product += g[at.corner][j] * g[c][j];
            values[find_column(model, row, group->nodes[(size_t)corners * (size_t)at.element + (size_t)c])] +=
                weight * product;
        }
    }
}

void model_matrix_elements(const Model *model, const double *penalties, double scale, const double *v,
                           double *forces)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        const int32_t corners = group->kind->corners;
        for (int32_t e = 0; e < group->count; ++e) {
            const double weight = scale * penalties[group->first_element + e];
            const int32_t *nodes = group->nodes + (size_t)corners * (size_t)e;
            double g[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
            if (weight == 0)
                continue;
            element_shape(group, e, g);
            for (int32_t j = 0; j < group->kind->columns; ++j) {
                double column[3] = {0}; // of D v
                for (int32_t c = 0; c < corners; ++c)
                    for (int k = 0; k < 3; ++k)
                        column[k] += g[c][j] * v[3 * (size_t)nodes[c] + (size_t)k];
                for (int32_t c = 0; c < corners; ++c)
                    for (int k = 0; k < 3; ++k)
                        forces[3 * (size_t)nodes[c] + (size_t)k] += weight * g[c][j] * column[k];
            }
        }
    }
}

#define ROW(number, prefix, local, corners, columns, data, name) [number] = prefix##_stiffness,
static double (*const stiffness_of_kind[ELEMENT_KIND_COUNT])(const ElementMaterial *) = {ELEMENT_KINDS(ROW)};

// The factor is 0.5 from nu = 0.45 on, unless the user gave one (theory.md section 5).
double model_unit_penalty(const ModelMaterial *material, int32_t kind, double factor)
{
    const double chosen = factor > 0 ? factor : material->poissons_ratio >= 0.45 ? 0.5 : 1;
    return chosen * stiffness_of_kind[kind](&material->formula);
}

double model_penalty_forces(const Model *model, const double *penalties)
{
    double force_sq = 0;
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t e = 0; e < group->count; ++e) {
            const double rho = penalties[group->first_element + e];
            double g[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
            element_shape(group, e, g);
            for (int32_t a = 0; a < group->kind->corners; ++a)
                for (int32_t j = 0; j < group->kind->columns; ++j)
                    force_sq += 3 * rho * rho * g[a][j] * g[a][j];
        }
    }
    return force_sq;
}

double model_element_penalties(const Model *model, double factor, double *penalties)
{
    for (int32_t kind = 0; kind < ELEMENT_KIND_COUNT; ++kind) {
        const ElementGroup *group = &model->groups[kind];
        for (int32_t e = 0; e < group->count; ++e)
            penalties[group->first_element + e] =
                group->volumes[e] * model_unit_penalty(&model->materials[group->materials[e]], kind, factor);
    }
    return model_penalty_forces(model, penalties);
}
