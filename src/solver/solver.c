#include "solver/solver.h"

#include "solver/admm.h"
#include "solver/compliant.h"
#include "solver/newton.h"

VelaResult solver_solve(Device *device, const SolverDef *def, double step, int32_t *batch,
                        SolverReport *report)
{
    *report = (SolverReport){.shortest_step = 1};
    switch (def->type) {
    case SOLVER_NEWTON:
        return newton_solve(device, def, step, report);
    case SOLVER_ADMM:
        return admm_solve(device, def, batch, report);
    case SOLVER_COMPLIANT:
        return compliant_solve(device, def, step, report);
    }
    return VELA_OK;
}

VelaResult solver_stage_acceleration(Device *device, const SolverDef *def, const Stage *stage,
                                     Slot destination)
{
    if (def->type == SOLVER_ADMM)
        return device_stage_acceleration(device, destination);
    TRY(device_acceleration(device, destination, SLOT_STAGE, stage->time));
    return device_dissipation_acceleration(device, destination);
}
