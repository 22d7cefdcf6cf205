// The limits of this machine as CSV: arithmetic, divisions and square roots for each instruction set, triad bandwidth for L2, L3 and DRAM,
// with one thread, two, and all, and what it takes threads to meet.
// usage: bench_machine > machine.csv
#include "machine.h"

#include <stdio.h>

enum { REPEATS = 200, TRIAD_REPEATS = 40, DRAM_REPEATS = 6, MEETING_REPEATS = 10 };

static void print_limits(VelaContext *context, int threads)
{
    for (int operation = 0; operation < MACHINE_OPERATION_COUNT; ++operation)
        for (int isa = 0; isa < MACHINE_ISA_COUNT; ++isa)
            if (machine_isa_supported((MachineIsa)isa))
                printf("%s,%s,%d,,%.4g,G/s\n", machine_operation_name((MachineOperation)operation),
                       machine_isa_name((MachineIsa)isa), threads,
                       machine_rate((MachineIsa)isa, (MachineOperation)operation, threads, REPEATS) * 1e-9);
    for (int level = 0; level < MACHINE_LEVEL_COUNT; ++level) {
        const size_t bytes = machine_level_bytes((MachineLevel)level, threads);
        printf("triad,%s,%d,%zu,%.4g,GB/s\n", machine_level_name((MachineLevel)level), threads, bytes,
               machine_triad(context, bytes, threads, level == MACHINE_DRAM ? DRAM_REPEATS : TRIAD_REPEATS) *
                   1e-9);
    }
    for (int meeting = 0; meeting < MACHINE_MEETING_COUNT && threads > 1; ++meeting)
        printf("meeting,%s,%d,,%.4g,ns\n", machine_meeting_name((MachineMeeting)meeting), threads,
               machine_meeting((MachineMeeting)meeting, threads, MEETING_REPEATS) * 1e9);
}

int main(void)
{
    const VelaContextDef def = vela_default_context_def();
    VelaContext *context;
    if (vela_context_create(&def, &context) != VELA_OK)
        return 1;
    const int all = omp_get_num_procs();
    printf("limit,where,threads,bytes,value,unit\n");
    print_limits(context, 1);
    if (all >= 2)
        print_limits(context, 2);
    if (all > 2)
        print_limits(context, all);
    vela_context_destroy(context);
    return 0;
}
