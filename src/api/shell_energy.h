/// What frames show of a shell's energy: its triangles have their own and half of what each of their hinges has.
#ifndef API_SHELL_ENERGY_H
#define API_SHELL_ENERGY_H

#include "model/model.h"

/// The two triangles of every hinge, of both kinds one behind the other, by their numbers in the group of membranes; NULL where
/// there are none. Owned by `arena`.
VelaResult shell_energy_create(VelaContext *context, const Model *model, Arena *arena,
                               const int32_t (**sides)[2]);
/// Adds to the densities of triangles, J/m^3, what their hinges have. `densities`: of all elements, as device_fields leaves them.
void shell_energy_add(const Model *model, const int32_t (*sides)[2], float *densities);

#endif
