/// Finite elements of the tests' own, one after another in plain doubles: what the product's results are compared
/// with. Stresses come straight from F (no singular values); only Newton's matrix uses the product's Hessians, and
/// Newton's solution does not depend on it.
#ifndef TESTS_REFERENCE_ELEMENTS_H
#define TESTS_REFERENCE_ELEMENTS_H

#include "physics_fixture.h"

#include "base/svd3.h"
#include "physics/energy/energy.h"
#include "physics/energy/projected_hessian.h"

enum { REFERENCE_NODES = 64, REFERENCE_UNKNOWNS = 3 * REFERENCE_NODES };

/// Shape gradients of the four corners and the rest volume of a tet, from the rest positions.
static inline double reference_shape(const Model *model, int32_t tet, double G[4][3])
{
    const int32_t *nodes = model->groups[ELEMENT_TET].nodes + 4 * (size_t)tet;
    const double *rest = model->rest_positions;
    double edges[9], inverse[9];
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k)
            edges[3 * k + a] = rest[3 * nodes[a + 1] + k] - rest[3 * nodes[0] + k];
    const double volume = matrix3_inverse(edges, inverse) / 6;
    for (int k = 0; k < 3; ++k) {
        G[0][k] = 0;
        for (int a = 0; a < 3; ++a) {
            G[a + 1][k] = inverse[3 * a + k];
            G[0][k] -= inverse[3 * a + k];
        }
    }
    return volume;
}

static inline void reference_gradient(const Model *model, int32_t tet, double G[4][3], const double *x,
                                      double F[9])
{
    const int32_t *nodes = model->groups[ELEMENT_TET].nodes + 4 * (size_t)tet;
    memset(F, 0, 9 * sizeof *F);
    for (int a = 0; a < 4; ++a)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                F[3 * i + j] += x[3 * nodes[a] + i] * G[a][j];
}

/// Rotation of the polar decomposition, det F > 0 (Higham's iteration).
static inline void reference_polar(const double F[9], double R[9])
{
    memcpy(R, F, 9 * sizeof *R);
    for (int i = 0; i < 60; ++i) {
        double inverse[9], turned[9], change = 0;
        matrix3_inverse(R, inverse);
        matrix3_transpose(inverse, turned);
        for (int k = 0; k < 9; ++k) {
            const double next = 0.5 * (R[k] + turned[k]);
            change = fmax(change, fabs(next - R[k]));
            R[k] = next;
        }
        if (change < 1e-16)
            break;
    }
}

static inline double squares9(const double m[9])
{
    double sum = 0;
    for (int k = 0; k < 9; ++k)
        sum += m[k] * m[k];
    return sum;
}

/// Density (Pa) and first Piola stress; +infinity elsewhere. Needs det F > 0.
static inline double reference_stress(int model, double kappa, double lambda, const double F[9], double P[9])
{
    double inverse[9], cofactor[9], R[9], product[9], trace = -3; // F^-1, F^-T
    const double det = matrix3_inverse(F, inverse);
    matrix3_transpose(inverse, cofactor);
    memset(P, 0, 9 * sizeof *P);
    if (!(det > 0))
        return INFINITY;
    const double squares = squares9(F);
    switch (model) {
    case ENERGY_ARAP:
        reference_polar(F, R);
        for (int k = 0; k < 9; ++k) {
            product[k] = F[k] - R[k];
            P[k] = kappa * product[k];
        }
        return 0.5 * kappa * squares9(product);
    case ENERGY_SYMMETRIC_DIRICHLET: // |F^-1|^2 has the gradient -2 F^-T F^-1 F^-T
        matrix3_multiply(cofactor, inverse, product);
        matrix3_multiply(product, cofactor, product);
        for (int k = 0; k < 9; ++k)
            P[k] = kappa * (F[k] - product[k]);
        return 0.5 * kappa * (squares9(F) + squares9(inverse));
    case ENERGY_SYMMETRIC_GRADIENT:
        for (int k = 0; k < 9; ++k)
            P[k] = kappa * (F[k] - cofactor[k]);
        return 0.5 * kappa * squares9(F) - kappa * log(det);
    case ENERGY_COROTATED: // tr S - 3 = R : F - 3 has the gradient R
    case ENERGY_FIXED_COROTATED:
        reference_polar(F, R);
        for (int k = 0; k < 9; ++k) {
            product[k] = F[k] - R[k];
            trace += R[k] * F[k];
        }
        for (int k = 0; k < 9; ++k)
            P[k] = 2 * kappa * product[k] +
                   lambda * (model == ENERGY_COROTATED ? trace * R[k] : (det - 1) * det * cofactor[k]);
        return kappa * squares9(product) +
               0.5 * lambda * (model == ENERGY_COROTATED ? trace * trace : (det - 1) * (det - 1));
    case ENERGY_STABLE_NEO_HOOKEAN:
        for (int k = 0; k < 9; ++k)
            P[k] = kappa * F[k] + (lambda * (det - 1) - kappa) * det * cofactor[k];
        return 0.5 * kappa * (squares - 3) - kappa * (det - 1) + 0.5 * lambda * (det - 1) * (det - 1);
    case ENERGY_STVK: // P = F (2 mu E + lambda tr E), E = (F^T F - 1)/2
        matrix3_transpose(F, R);
        matrix3_multiply(R, F, product);
        for (int k = 0; k < 9; ++k)
            product[k] = 0.5 * (product[k] - (k % 4 == 0));
        trace = product[0] + product[4] + product[8];
        for (int k = 0; k < 9; ++k)
            R[k] = 2 * kappa * product[k] + (k % 4 == 0) * lambda * trace;
        matrix3_multiply(F, R, P);
        return kappa * squares9(product) + 0.5 * lambda * trace * trace;
    default:
        for (int k = 0; k < 9; ++k)
            P[k] = kappa * F[k] + (lambda * log(det) - kappa) * cofactor[k];
        return 0.5 * kappa * (squares9(F) - 3) - kappa * log(det) + 0.5 * lambda * log(det) * log(det);
    }
}

/// The 9x9 Hessian of the density, projected or true.
static inline void reference_hessian(int model, double kappa, double lambda, const double F[9], bool project,
                                     double H[81])
{
    Lanes lanes[9], U[9], s[3], V[9], numbers[12], full[81];
    for (int k = 0; k < 9; ++k)
        lanes[k] = lanes_set(F[k]);
    svd3(lanes, U, s, V);
    energy_hessian(model, s, lanes_set(kappa), lanes_set(lambda), numbers);
    projected_hessian(numbers, U, V, project, full);
    for (int k = 0; k < 81; ++k)
        H[k] = full[k][0];
}

/// Phi at x (J) and, unless NULL, its gradient (node_count x 3) with everything in it: elastic, gravity, planes as
/// they stand at `time`.
static inline double reference_potential(const Model *model, double time, const double *x, double *gradient)
{
    double energy = 0;
    PenaltyShape shapes[4];
    if (gradient)
        memset(gradient, 0, 3 * (size_t)model->node_count * sizeof *gradient);
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
        const MaterialDef *material = &model->scene->materials[model->groups[ELEMENT_TET].materials[t]];
        double G[4][3], F[9], P[9];
        const double volume = reference_shape(model, t, G);
        reference_gradient(model, t, G, x, F);
        energy += volume * reference_stress(material->model, material->kappa, material->lambda, F, P);
        for (int a = 0; a < 4 && gradient && isfinite(energy); ++a)
            for (int i = 0; i < 3; ++i)
                gradient[3 * model->groups[ELEMENT_TET].nodes[4 * t + a] + i] +=
                    volume * dot3(P + 3 * i, G[a]);
    }
    for (int32_t i = 0; i < model->node_count; ++i) {
        energy -= model->masses[i] * dot3(model->scene->gravity, x + 3 * i);
        for (int k = 0; k < 3 && gradient; ++k)
            gradient[3 * i + k] -= model->masses[i] * model->scene->gravity[k];
    }
    ck_assert_int_le(model->penalty_count, 4);
    model_penalty_shapes(model, time, shapes);
    for (int32_t p = 0; p < model->penalty_count; ++p)
        for (int32_t s = 0; s < model_surface_vertices(model); ++s) {
            const int32_t node = surface_map_node(&model->surface.map, s);
            const double gap = dot3(shapes[p].normal, x + 3 * node) - shapes[p].offset;
            if (gap >= 0 || !model->node_is_free[node])
                continue;
            energy += 0.5 * model->scene->contact.stiffness * gap * gap;
            if (gradient)
                add_scaled3(gradient + 3 * node, model->scene->contact.stiffness * gap, shapes[p].normal,
                            gradient + 3 * node);
        }
    return energy;
}

/// Adds the second derivatives of Phi to the dense matrix A, `size` x `size`, size = 3 node_count.
static inline void reference_add_hessian(const Model *model, double time, const double *x, bool project,
                                         double *A)
{
    const int size = 3 * model->node_count;
    for (int32_t t = 0; t < model->groups[ELEMENT_TET].count; ++t) {
        const MaterialDef *material = &model->scene->materials[model->groups[ELEMENT_TET].materials[t]];
        const int32_t *nodes = model->groups[ELEMENT_TET].nodes + 4 * (size_t)t;
        double G[4][3], F[9], H[81];
        const double volume = reference_shape(model, t, G);
        reference_gradient(model, t, G, x, F);
        reference_hessian(material->model, material->kappa, material->lambda, F, project, H);
        for (int a = 0; a < 12; ++a)
            for (int b = 0; b < 12; ++b) {
                double sum = 0;
                for (int j = 0; j < 3; ++j)
                    for (int l = 0; l < 3; ++l)
                        sum += G[a / 3][j] * H[9 * (3 * (a % 3) + j) + 3 * (b % 3) + l] * G[b / 3][l];
                A[size * (3 * nodes[a / 3] + a % 3) + 3 * nodes[b / 3] + b % 3] += volume * sum;
            }
    }
    PenaltyShape shapes[4];
    model_penalty_shapes(model, time, shapes);
    for (int32_t p = 0; p < model->penalty_count; ++p)
        for (int32_t s = 0; s < model_surface_vertices(model); ++s) {
            const int32_t node = surface_map_node(&model->surface.map, s);
            if (dot3(shapes[p].normal, x + 3 * node) - shapes[p].offset >= 0)
                continue;
            for (int i = 0; i < 3; ++i)
                for (int j = 0; j < 3; ++j)
                    A[size * (3 * node + i) + 3 * node + j] +=
                        model->scene->contact.stiffness * shapes[p].normal[i] * shapes[p].normal[j];
        }
}

/// Rows and columns of nodes that are not free become those of the identity.
static inline void reference_fix(const Model *model, double *A)
{
    const int size = 3 * model->node_count;
    for (int i = 0; i < size; ++i)
        for (int j = 0; j < size; ++j)
            if (!model->node_is_free[i / 3] || !model->node_is_free[j / 3])
                A[size * i + j] = i == j;
}

/// A = L L^T in place (lower triangle); false if A is not positive definite.
static inline bool dense_factor(double *A, int size)
{
    for (int j = 0; j < size; ++j) {
        double diagonal = A[size * j + j];
        for (int k = 0; k < j; ++k)
            diagonal -= A[size * j + k] * A[size * j + k];
        if (!(diagonal > 0))
            return false;
        A[size * j + j] = sqrt(diagonal);
        for (int i = j + 1; i < size; ++i) {
            double sum = A[size * i + j];
            for (int k = 0; k < j; ++k)
                sum -= A[size * i + k] * A[size * j + k];
            A[size * i + j] = sum / A[size * j + j];
        }
    }
    return true;
}

static inline void dense_solve(const double *L, int size, double *b)
{
    for (int i = 0; i < size; ++i) {
        for (int k = 0; k < i; ++k)
            b[i] -= L[size * i + k] * b[k];
        b[i] /= L[size * i + i];
    }
    for (int i = size - 1; i >= 0; --i) {
        for (int k = i + 1; k < size; ++k)
            b[i] -= L[size * k + i] * b[k];
        b[i] /= L[size * i + i];
    }
}

#endif
