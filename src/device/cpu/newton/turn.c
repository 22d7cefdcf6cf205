#include "device/cpu/newton/turn.h"

#include "base/matrix3.h"

// dA A^-1 of affine body e; false where its nodes are not free. Node 0 is the centre of mass, and A takes the rest shape's arms
// from there to the others into those here.
static bool motion_of(const Model *model, int32_t e, const double *x, const double *d, double arms[9],
                      double motion[9])
{
    const int32_t *nodes = model->groups[ELEMENT_AFFINE].nodes + 4 * (size_t)e;
    double moves[9], inverse[9];
    if (!model->node_is_free[nodes[0]])
        return false;
    for (int a = 0; a < 3; ++a)
        for (int k = 0; k < 3; ++k) {
            const size_t center = 3 * (size_t)nodes[0] + (size_t)k,
                         end = 3 * (size_t)nodes[a + 1] + (size_t)k;
            arms[3 * k + a] = x[end] - x[center];
            moves[3 * k + a] = d[end] - d[center];
        }
    matrix3_inverse(arms, inverse);
    matrix3_multiply(moves, inverse, motion);
    return true;
}

static void axial(const double m[9], double w[3])
{
    w[0] = 0.5 * (m[7] - m[5]);
    w[1] = 0.5 * (m[2] - m[6]);
    w[2] = 0.5 * (m[3] - m[1]);
}

double affine_turn_angle(const Model *model, const double *x, const double *d)
{
    double most = 0;
    for (int32_t e = 0; e < model->groups[ELEMENT_AFFINE].count; ++e) {
        double arms[9], motion[9], w[3];
        if (!motion_of(model, e, x, d, arms, motion))
            continue;
        axial(motion, w);
        most = fmax(most, norm3(w));
    }
    return most;
}

// m (W + S) becomes S + (R - 1) (1 + S), with Cayley's R of W: differences of small numbers stay out.
static void turn(double m[9])
{
    double w[3], skew[9], square[9], stretch[9], turned[9];
    axial(m, w);
    const double part = 1 / (1 + 0.25 * dot3(w, w));
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            skew[3 * i + j] = 0.5 * (m[3 * i + j] - m[3 * j + i]);
            stretch[3 * i + j] = 0.5 * (m[3 * i + j] + m[3 * j + i]);
        }
    matrix3_multiply(skew, skew, square);
    for (int k = 0; k < 9; ++k)
        skew[k] = part * (skew[k] + 0.5 * square[k]);
    matrix3_multiply(skew, stretch, turned);
    for (int k = 0; k < 9; ++k)
        m[k] = stretch[k] + skew[k] + turned[k];
}

void affine_turn(const Model *model, const double *x, double *d, int threads)
{
    const int32_t count = model->groups[ELEMENT_AFFINE].count;
#pragma omp parallel for schedule(static) num_threads(threads) if (count > 64)
    for (int32_t e = 0; e < count; ++e) {
        const int32_t *nodes = model->groups[ELEMENT_AFFINE].nodes + 4 * (size_t)e;
        double arms[9], motion[9];
        if (!motion_of(model, e, x, d, arms, motion))
            continue;
        turn(motion);
        matrix3_multiply(motion, arms, motion);
        for (int a = 0; a < 3; ++a)
            for (int k = 0; k < 3; ++k)
                d[3 * (size_t)nodes[a + 1] + (size_t)k] =
                    d[3 * (size_t)nodes[0] + (size_t)k] + motion[3 * k + a];
    }
}
