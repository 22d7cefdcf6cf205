#include "api/stress.h"

#include "base/matrix3.h"
#include "physics/element/kinds.h"

#include <math.h>

/// Eight times the same: the formulas are made for eight elements, and here one is asked for at a time.
static void fill(const double *values, int count, Lanes *lanes)
{
    for (int k = 0; k < count; ++k)
        lanes[k] = lanes_set(values[k]);
}

// D x, 3 x columns.
static void gradient(const ElementGroup *group, int32_t element, const double *x, double *f)
{
    const int32_t corners = group->kind->corners, columns = group->kind->columns;
    const int32_t *nodes = group->nodes + (size_t)corners * (size_t)element;
    const double *g = group->shapes + (size_t)element_shape_size(group->kind) * (size_t)element;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < columns; ++j) {
            double sum = 0;
            for (int a = 1; a < corners; ++a)
                sum += (x[3 * (size_t)nodes[a] + (size_t)i] - x[3 * (size_t)nodes[0] + (size_t)i]) *
                       g[columns * (a - 1) + j];
            f[columns * i + j] = sum;
        }
}

static void put_stress(const double p[9], const double f[9], float *stress)
{
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    const double det = matrix3_determinant(f);
    for (int k = 0; k < STRESS_COMPONENTS; ++k) // P F^T is symmetric
        stress[k] = det == 0 ? 0 : (float)(dot3(p + 3 * rows[k], f + 3 * columns[k]) / det);
}

static void find_solid(const ElementMaterial *material, int kind, const double f[9], float *stress,
                       float *strain)
{
    Lanes lanes[1][9], found[9];
    double p[9];
    TetLocal tet;
    fill(f, 9, lanes[0]);
    if (kind == ELEMENT_TET) {
        tet_decompose(1, (const Lanes(*)[9])lanes, &tet);
        tet_stress(material, &tet, found);
    } else {
        AffineLocal affine;
        affine_decompose(1, (const Lanes(*)[9])lanes, &affine);
        affine_stress(material, &affine, found);
        tet = affine.principal;
    }
    for (int k = 0; k < 9; ++k)
        p[k] = found[k][0];
    put_stress(p, f, stress);
    for (int k = 0; k < PRINCIPAL_STRAINS; ++k)
        strain[k] = (float)(tet.sigma[k][0] - 1);
}

static void find_segment(const ElementMaterial *material, const double f[3], float *stress, float *strain)
{
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    const double length = norm3(f), tension = material->kappa * (length - 1);
    strain[0] = (float)(length - 1);
    for (int k = 0; k < STRESS_COMPONENTS && length > 0; ++k)
        stress[k] = (float)(tension * f[rows[k]] * f[columns[k]] / (length * length));
}

// P F^T is the force of the area at rest on that at present; the thickness has shrunk as well.
static void find_membrane(const ElementMaterial *material, const double f[6], float *stress, float *strain)
{
    static const int rows[6] = {0, 1, 2, 0, 0, 1}, columns[6] = {0, 1, 2, 1, 2, 2};
    Lanes lanes[1][6], p[6];
    MembraneLocal membrane;
    fill(f, 6, lanes[0]);
    membrane_decompose(1, (const Lanes(*)[6])lanes, &membrane);
    membrane_stress(material, &membrane, p);
    const double x[2] = {membrane.excess[0][0], membrane.excess[1][0]},
                 thickness = membrane_thickness(material, &membrane)[0],
                 volume = (1 + x[0]) * (1 + x[1]) * thickness;
    for (int k = 0; k < STRESS_COMPONENTS && volume > 0; ++k)
        stress[k] =
            (float)((p[2 * rows[k]][0] * f[2 * columns[k]] + p[2 * rows[k] + 1][0] * f[2 * columns[k] + 1]) /
                    volume);
    strain[0] = (float)x[0], strain[1] = (float)x[1], strain[2] = (float)(thickness - 1);
}

static void find_group(const Model *model, int kind, const double *x, int threads, float *stress,
                       float *strain)
{
    const ElementGroup *group = &model->groups[kind];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int32_t e = 0; e < group->count; ++e) {
        const ElementMaterial *material = &model->materials[group->materials[e]].formula;
        const size_t number = (size_t)(group->first_element + e);
        double f[9];
        gradient(group, e, x, f);
        float *own_stress = stress + STRESS_COMPONENTS * number,
              *own_strain = strain + PRINCIPAL_STRAINS * number;
        if (kind == ELEMENT_SEGMENT)
            find_segment(material, f, own_stress, own_strain);
        else if (kind == ELEMENT_MEMBRANE)
            find_membrane(material, f, own_stress, own_strain);
        else
            find_solid(material, kind, f, own_stress, own_strain);
    }
}

void stress_find(const Model *model, const double *x, int threads, float *stress, float *strain)
{
    memset(stress, 0, STRESS_COMPONENTS * (size_t)model->element_count * sizeof *stress);
    memset(strain, 0, PRINCIPAL_STRAINS * (size_t)model->element_count * sizeof *strain);
    find_group(model, ELEMENT_TET, x, threads, stress, strain);
    find_group(model, ELEMENT_SEGMENT, x, threads, stress, strain);
    find_group(model, ELEMENT_AFFINE, x, threads, stress, strain);
    find_group(model, ELEMENT_MEMBRANE, x, threads, stress, strain);
}
