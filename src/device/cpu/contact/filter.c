#include "device/cpu/contact/filter.h"

VelaResult cpu_contact_filter(CpuDevice *device, const double *x, const double *d, double *safe)
{
    double start = cpu_clock();
    TRY(barrier_sweep(device->barrier, x, d));
    cpu_timing_add(device->timings, PHASE_CONTACT_PAIRS, start);
    start = cpu_clock();
    *safe = barrier_safe_part(device->barrier);
    cpu_timing_add(device->timings, PHASE_CONTACT_FILTER, start);
    return VELA_OK;
}
