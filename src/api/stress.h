/// Stress and strain of elements at a state, to be shown and exported: computed in double precision on the host, from positions that
/// any device has brought.
#ifndef API_STRESS_H
#define API_STRESS_H

#include "model/model.h"
#include "output/frame.h"

/// Of every element by its number, at the nodes' positions x (node_count x 3), by so many threads. `stress`: Cauchy stress, Pa, xx yy zz xy xz yz, element_count
/// x 6: P F^T/det F of tetrahedra and affine bodies (of these what the energy of their shape makes of it); of a segment E (l/l_0 - 1)
/// along it, on the section without load; of a shell's triangle that of its membrane,
/// P F^T over the stretches of area and thickness. `strain`: principal strains s - 1, the largest first, element_count x 3;
/// of a triangle the two in its plane, then that of its thickness; of a segment the one along it
/// and twice 0. Of all other kinds 0. Elements that are flat (det F = 0) have no stress: 0.
void stress_find(const Model *model, const double *x, int threads, float *stress, float *strain);

#endif
