#include "sim/fields.h"

#include "base/svd3.h"
#include "physics/energy/energy.h"

// Deformation gradients of eight tets from `first` on; lanes beyond the last tet repeat it.
static void gather(const Model *model, const double *positions, int32_t first, Lanes f[9])
{
    for (int l = 0; l < LANE_COUNT; ++l) {
        const int32_t tet =
            first + l < model->groups[ELEMENT_TET].count ? first + l : model->groups[ELEMENT_TET].count - 1;
        const int32_t *nodes = model->groups[ELEMENT_TET].nodes + 4 * (size_t)tet;
        const double *g = model->groups[ELEMENT_TET].shapes + 9 * (size_t)tet;
        for (int i = 0; i < 3; ++i) {
            double edge[3];
            for (int a = 0; a < 3; ++a)
                edge[a] = positions[3 * (size_t)nodes[a + 1] + i] - positions[3 * (size_t)nodes[0] + i];
            for (int j = 0; j < 3; ++j)
                f[3 * i + j][l] = edge[0] * g[j] + edge[1] * g[3 + j] + edge[2] * g[6 + j];
        }
    }
}

void fields_compute(const Model *model, const double *positions, float *stretch, float *densities)
{
#pragma omp parallel for schedule(static)
    for (int32_t first = 0; first < model->groups[ELEMENT_TET].count; first += LANE_COUNT) {
        Lanes f[9], u[9], v[9], sigma[3];
        gather(model, positions, first, f);
        svd3(f, u, sigma, v);
        // Neighbouring tets may differ in material: each model's formula sees all lanes, one lane is taken.
        for (int l = 0; l < LANE_COUNT && first + l < model->groups[ELEMENT_TET].count; ++l) {
            const MaterialDef *material =
                &model->scene->materials[model->groups[ELEMENT_TET].materials[first + l]];
            const Lanes kappa = lanes_set(material->kappa), lambda = lanes_set(material->lambda);
            const Lanes density = energy_density_above_rest(material->model, sigma, kappa, lambda);
            stretch[first + l] = (float)sigma[0][l];
            densities[first + l] = (float)density[l];
        }
    }
}
