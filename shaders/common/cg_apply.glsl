// Conjugate gradients, first half of an iteration, whatever the matrix: A p, p.A p, and the first level's part of A p.P^-1 A p.
// Ends the solve when the residual is small enough: then the dispatches that follow are empty. Declare the buffers `control`,
// `scalars`, `partials`, `matrix_rows`, `direction`, `product` and node_count and parity before.
#ifndef COMMON_CG_APPLY_GLSL
#define COMMON_CG_APPLY_GLSL

#include "abi/control.h"
#include "abi/scalars.h"
#include "abi/sums.h"
#include "common/cg.glsl"
#include "common/invocation.glsl"
#include "common/matrix_rows.glsl"

/// How many workgroups share the rows; and the places that this invocation takes: the first, the end, and from one to the next.
uint row_groups();
uvec3 row_places();
/// The row at `place`, of node `row`, of A p; p is `own` there. `image` gets what the row has of A p.P^-1 A p.
real3 row_product(uint place, uint row, real3 own, out real image);
/// What rows that are preconditioned together have of it, and their products are written.
real rows_image(uvec3 places);
/// What else A p is summed over.
void products_begin();
void products_add(uint row, real3 sum);
void products_end();
/// How many partial sums of r.z there are.
uint products();
/// One invocation: what runs after the solve; `good` if it was not cut off.
void end_solve(uint iterations, bool good);

/// The relative residual that ends a solve that begins with r.z = g^2 (newton_linear_tolerance in device/device.h).
real relative_target(real rz)
{
    const real exact = scalars[SCALAR_CG_REDUCTION];
    const real wanted = min(scalars[SCALAR_CG_LOOSEST], scalars[SCALAR_CG_GROWTH] * rz);
    return wanted < scalars[SCALAR_CG_NEARLY] * exact ? exact : max(wanted, exact);
}

void cg_apply()
{
    if (group_number() >= row_groups())
        return;
    const uint iteration = control[CONTROL_CG_ITERATION];
    const real rz = partials_sum(SUM_RZ + parity, products());
    const bool leader = invocation_number() == 0u, warm = control[CONTROL_CG_WARM] != 0u;
    real target = real(0.0);
    if (leader)
        control[CONTROL_CG_WARMING] = warm ? 1u : 0u;
    if (iteration == 0u && !warm) {
        if (leader) {
            const real reduction = relative_target(rz);
            control[CONTROL_CG_EXACT] = reduction == scalars[SCALAR_CG_REDUCTION] ? 1u : 0u;
            scalars[SCALAR_CG_TARGET] = reduction * reduction * rz;
            scalars[SCALAR_CG_FIRST] = rz;
        }
    } else {
        target = scalars[SCALAR_CG_TARGET];
    }
    const bool cut = iteration >= control[CONTROL_CG_LIMIT] || control[CONTROL_CG_INDEFINITE] != 0u;
    bool goes_on = rz > target;
    // A stage may end on a short direction, on a rough one it may not: it is solved on.
    const real exact = scalars[SCALAR_CG_REDUCTION] * scalars[SCALAR_CG_REDUCTION] * scalars[SCALAR_CG_FIRST];
    if (iteration > 0u && !cut && !goes_on && rz > exact)
        goes_on = partials_largest(SUM_LARGEST, row_groups()) < scalars[SCALAR_CG_SHORT];
    if (!warm && (!goes_on || cut)) {
        if (leader) {
            scalars[SCALAR_CG_LAST] = rz;
            if (iteration > 0u && rz <= exact)
                control[CONTROL_CG_EXACT] = 1u;
            end_solve(iteration, iteration < control[CONTROL_CG_LIMIT]);
        }
        return;
    }
    const uvec3 places = row_places();
    real curvature = real(0.0), image = real(0.0);
    products_begin();
    for (uint place = places.x; place < places.y; place += places.z) {
        const uint row = row_node(place);
        const real3 p = direction[row];
        real own_image;
        const real3 sum = row_product(place, row, p, own_image);
        product[row] = sum;
        products_add(row, sum);
        curvature += dot(p, sum);
        image += own_image;
    }
    products_end();
    image += rows_image(places);
    const real4 sums = workgroup_reduce(real4(curvature, image, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) {
        partials[SUM_CURVATURE * SUM_GROUPS_MOST + group_number()] = sums.x;
        partials[SUM_IMAGE * SUM_GROUPS_MOST + group_number()] = sums.y;
    }
}

#endif
