#include "device/cpu/terms/terms.h"

#include "device/cpu/admm/air_copies.h"
#include "device/cpu/admm/damping_copies.h"
#include "device/cpu/constraints/constraint_term.h"
#include "device/cpu/contact/contact_term.h"
#include "device/cpu/terms/air.h"
#include "device/cpu/terms/damping.h"
#include "device/cpu/terms/elements_term.h"
#include "device/cpu/terms/inertia.h"
#include "device/cpu/terms/loads.h"
#include "device/cpu/terms/penalty.h"
#include "device/cpu/terms/variational_damping.h"

int cpu_terms(const CpuDevice *device, const CpuTerm *terms[CPU_TERMS_MOST])
{
    int count = 0;
    terms[count++] = &cpu_elements_term;
    terms[count++] = &cpu_inertia_term;
    if (device->loads)
        terms[count++] = &cpu_loads_term;
    if (device->base.model->penalty_count > 0)
        terms[count++] = &cpu_penalty_term;
    if (device->damping)
        terms[count++] = &cpu_damping_term;
    if (device->admm.damping)
        terms[count++] = &cpu_damping_copies_term;
    if (device->variational_damping)
        terms[count++] = &cpu_variational_damping_term;
    if (device->air)
        terms[count++] = &cpu_air_term;
    if (device->constraints)
        terms[count++] = &cpu_constraints_term;
    if (device->admm.air)
        terms[count++] = &cpu_air_copies_term;
    if (device->barrier)
        terms[count++] = &cpu_contact_term;
    return count;
}
