// Built once for every instruction set with KERNEL_ISA its name; see CMakeLists.txt.
#include "device/cpu/kernels.h"
#include "device/cpu/linear/coarse_kernels.h"
#include "device/cpu/linear/triangular_kernels.h"
#include "device/cpu/newton/newton_kernels.h"
#include "device/cpu/terms/gather.h"

#include "base/svd3.h"
#include "physics/energy/energy.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

static void gradients(ElementBlocks *blocks, int32_t first, int32_t end, const double *x)
{
    for (int32_t b = first; b < end; ++b)
        gather_gradient(blocks, b, x, blocks->target[b]);
}

// state of block b: the last image, mixed.
LANES_INLINE void mix_state(ElementBlocks *blocks, int32_t b, const Mixing *mixing, Lanes s[9])
{
    for (int k = 0; k < 9; ++k)
        s[k] = blocks->image[b][k];
    for (int32_t j = 0; j < mixing->depth; ++j) {
        const Lanes weight = lanes_set(mixing->weights[j]);
        for (int k = 0; k < 9; ++k)
            s[k] -= weight * __builtin_convertvector(blocks->image_differences[j][b][k], Lanes);
    }
    for (int k = 0; k < 9; ++k)
        blocks->state[b][k] = s[k];
}

// The joint step of block b from the decomposition of its state s: prox on the signed singular values (theory.md
// section 5), Z and the corner forces. Returns |Z - Z_old|^2.
LANES_INLINE Lanes project_block(ElementBlocks *blocks, int32_t b, const Lanes s[9], const Lanes u[9],
                                 const Lanes sigma[3], const Lanes v[9])
{
    const BlockMaterial *material = &blocks->materials[b];
    const Lanes volume = blocks->volumes[b], rho = blocks->penalties[b];
    Lanes projected_sigma[3], z[9], t[9], change = lanes_set(0);
    energy_prox(material->energy_model, sigma, volume * material->kappa, volume * material->lambda, rho,
                projected_sigma);
    compose(u, projected_sigma, v, z);
    for (int k = 0; k < 9; ++k) {
        const Lanes moved = z[k] - blocks->projected[b][k];
        change += moved * moved;
        blocks->projected[b][k] = z[k];
        t[k] = rho * ((z[k] - s[k]) + (z[k] - blocks->target[b][k]));
    }
    scatter_corners(blocks, b, t);
    return blocks->valid[b] * change;
}

static void project(ElementBlocks *blocks, int32_t first, int32_t end, const Mixing *mixing,
                    double *change_sq)
{
    Lanes changes = lanes_set(0), s[2][9], u[2][9], sigma[2][3], v[2][9];
    int32_t b = first;
    for (; b + 1 < end; b += 2) {
        for (int n = 0; n < 2; ++n)
            mix_state(blocks, b + n, mixing, s[n]);
        svd3_two((const Lanes(*)[9])s, u, sigma, v);
        for (int n = 0; n < 2; ++n)
            changes += project_block(blocks, b + n, s[n], u[n], sigma[n], v[n]);
    }
    if (b < end) {
        mix_state(blocks, b, mixing, s[0]);
        svd3(s[0], u[0], sigma[0], v[0]);
        changes += project_block(blocks, b, s[0], u[0], sigma[0], v[0]);
    }
    *change_sq = sum_of(changes);
}

static void residuals(ElementBlocks *blocks, int32_t first, int32_t end, const double *delta, int32_t newest,
                      int32_t depth, ResidualSums *sums)
{
    Lanes residual_sq = lanes_set(0), gradient_sq = residual_sq, projected_sq = residual_sq,
          weighted_sq = residual_sq;
    Lanes newest_sums[HISTORY_MOST], current_sums[HISTORY_MOST];
    for (int32_t j = 0; j < depth; ++j)
        newest_sums[j] = current_sums[j] = lanes_set(0);
    for (int32_t b = first; b < end; ++b) {
        Lanes j_delta[9], residual[9];
        gather_gradient(blocks, b, delta, j_delta);
        const Lanes valid = blocks->valid[b], weight = valid * blocks->penalties[b];
        Lanes r_sq = lanes_set(0), j_sq = r_sq, z_sq = r_sq;
        for (int k = 0; k < 9; ++k) {
            const Lanes j = blocks->target[b][k] + j_delta[k], z = blocks->projected[b][k];
            const Lanes r = (blocks->target[b][k] - z) + j_delta[k], image = blocks->state[b][k] + r;
            if (newest >= 0) {
                blocks->residual_differences[newest][b][k] =
                    __builtin_convertvector(r - blocks->residual[b][k], FloatLanes);
                blocks->image_differences[newest][b][k] =
                    __builtin_convertvector(image - blocks->image[b][k], FloatLanes);
            }
            residual[k] = r;
            blocks->residual[b][k] = r;
            blocks->image[b][k] = image;
            r_sq += r * r;
            j_sq += j * j;
            z_sq += z * z;
        }
        residual_sq += valid * r_sq;
        gradient_sq += valid * j_sq;
        projected_sq += valid * z_sq;
        weighted_sq += weight * r_sq;
        for (int32_t j = 0; j < depth; ++j) {
            Lanes with_newest = lanes_set(0), with_current = lanes_set(0);
            for (int k = 0; k < 9; ++k) {
                const Lanes difference =
                    __builtin_convertvector(blocks->residual_differences[j][b][k], Lanes);
                with_newest +=
                    difference * __builtin_convertvector(blocks->residual_differences[newest][b][k], Lanes);
                with_current += difference * residual[k];
            }
            newest_sums[j] += weight * with_newest;
            current_sums[j] += weight * with_current;
        }
    }
    *sums = (ResidualSums){
        sum_of(residual_sq), sum_of(gradient_sq), sum_of(projected_sq), sum_of(weighted_sq), {0}, {0}};
    for (int32_t j = 0; j < depth; ++j) {
        sums->newest[j] = sum_of(newest_sums[j]);
        sums->current[j] = sum_of(current_sums[j]);
    }
}

static void scatter(ElementBlocks *blocks, int32_t first, int32_t end, double a, double b, double c)
{
    for (int32_t e = first; e < end; ++e) {
        Lanes t[9];
        const Lanes rho = blocks->penalties[e];
        for (int k = 0; k < 9; ++k)
            t[k] = rho * (a * blocks->state[e][k] + b * blocks->projected[e][k] + c * blocks->residual[e][k]);
        scatter_corners(blocks, e, t);
    }
}

static void stresses(ElementBlocks *blocks, int32_t first, int32_t end, const double *x)
{
    for (int32_t b = first; b < end; ++b) {
        Lanes f[9], u[9], v[9], sigma[3], stress[3], p[9];
        gather_gradient(blocks, b, x, f);
        svd3(f, u, sigma, v);
        const BlockMaterial *material = &blocks->materials[b];
        energy_stress(material->energy_model, sigma, lanes_set(material->kappa), lanes_set(material->lambda),
                      stress);
        compose(u, stress, v, p);
        for (int k = 0; k < 9; ++k)
            p[k] *= blocks->volumes[b];
        scatter_corners(blocks, b, p);
    }
}

static void energies(const ElementBlocks *blocks, int32_t first, int32_t end, const double *x,
                     EnergySums *sums)
{
    *sums = (EnergySums){.min_det_f = INFINITY, .inverted = INT32_MAX};
    Lanes elastic = lanes_set(0);
    for (int32_t b = first; b < end; ++b) {
        Lanes f[9], u[9], v[9], sigma[3];
        gather_gradient(blocks, b, x, f);
        svd3(f, u, sigma, v);
        const BlockMaterial *material = &blocks->materials[b];
        const int model = material->energy_model;
        const Lanes kappa = lanes_set(material->kappa), lambda = lanes_set(material->lambda);
        const Lanes density = energy_density_above_rest(model, sigma, kappa, lambda);
        elastic += lanes_select(lanes_greater(blocks->valid[b], lanes_set(0)), blocks->volumes[b] * density,
                                lanes_set(0));
        const Lanes det = sigma[0] * sigma[1] * sigma[2];
        for (int l = 0; l < LANE_COUNT; ++l) {
            const int32_t tet = blocks->tets[b][l];
            if (det[l] < sums->min_det_f)
                sums->min_det_f = det[l];
            if (tet >= 0 && det[l] <= 0 && material->never_inverts && tet < sums->inverted)
                sums->inverted = tet;
        }
    }
    sums->elastic = sum_of(elastic);
}

extern const Kernels JOIN(kernels_, KERNEL_ISA);
const Kernels JOIN(kernels_, KERNEL_ISA) = {
    .name = TEXT(KERNEL_ISA),
    .gradients = gradients,
    .project = project,
    .residuals = residuals,
    .scatter = scatter,
    .stresses = stresses,
    .energies = energies,
    .hessians = newton_hessians,
    .step_bound = newton_step_bound,
    .trials = newton_trials,
    .multiply = block_multiply,
    .coarse_assemble = coarse_assemble,
    .coarse_factor = coarse_factor,
    .coarse_restrict = coarse_restrict,
    .coarse_solve = coarse_solve,
    .coarse_prolong = coarse_prolong,
    .forward = triangular_forward,
    .top = triangular_top,
    .backward = triangular_backward,
};
