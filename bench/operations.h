/// Counts the floating-point operations that a piece of a program executes: the processor traps behind every instruction
/// (the trap flag of x86-64), and the handler looks at the next one. So what is counted is what runs, for any instruction
/// set and however the compiler arranged it. A trap takes about a microsecond: count samples. One thread; Linux on
/// x86-64, elsewhere nothing is counted. Include in one program file, which defines _GNU_SOURCE at its top.
#ifndef BENCH_OPERATIONS_H
#define BENCH_OPERATIONS_H

#include <stdbool.h>
#include <stdint.h>

/// Each lane of a vector instruction is one operation, masked or not. Comparisons, conversions and bit operations are no
/// floating-point operations; neither are fused multiply-adds looked for, which the build forbids.
typedef struct Operations {
    int64_t instructions;
    int64_t sums;            ///< additions, subtractions and multiplications, double
    int64_t float_sums;      ///< the same in single precision
    int64_t divisions;       ///< double
    int64_t float_divisions; ///< single precision
    int64_t roots;           ///< square roots, of either precision
} Operations;

#if defined(__linux__) && defined(__x86_64__)
#include <signal.h>
#include <ucontext.h>

enum { OPERATIONS_TRAP_FLAG = 0x100 };

static Operations operations_counted;
static volatile sig_atomic_t operations_stepping;

// An instruction of the opcode map 0F as the three encodings give it.
typedef struct OperationsCode {
    uint8_t opcode;
    uint8_t type;  ///< 0 packed single, 1 packed double, 2 scalar single, 3 scalar double
    uint8_t bytes; ///< of the vector
} OperationsCode;

static bool operations_decode(const uint8_t *code, OperationsCode *found)
{
    if (code[0] == 0x62) { // EVEX
        // A register operand with the bit b set rounds in a way of its own, and is then 64 bytes long.
        const bool rounds = (code[3] & 0x10) && code[5] >= 0xc0;
        *found = (OperationsCode){code[4], code[2] & 3, rounds ? 64 : (uint8_t)(16 << (code[3] >> 5 & 3))};
        return (code[1] & 7) == 1;
    }
    if (code[0] == 0xc5) { // VEX of two bytes
        *found = (OperationsCode){code[2], code[1] & 3, code[1] & 4 ? 32 : 16};
        return true;
    }
    if (code[0] == 0xc4) { // VEX of three
        *found = (OperationsCode){code[3], code[2] & 3, code[2] & 4 ? 32 : 16};
        return (code[1] & 31) == 1;
    }
    uint8_t type = 0;
    if (*code == 0x66 || *code == 0xf3 || *code == 0xf2)
        type = *code == 0x66 ? 1 : *code == 0xf3 ? 2 : 3, ++code;
    if ((*code & 0xf0) == 0x40) // REX
        ++code;
    *found = (OperationsCode){code[1], type, 16};
    return code[0] == 0x0f;
}

static void operations_trap(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    if (!operations_stepping) {
        registers[REG_EFL] &= ~(greg_t)OPERATIONS_TRAP_FLAG;
        return;
    }
    registers[REG_EFL] |= OPERATIONS_TRAP_FLAG;
    ++operations_counted.instructions;
    OperationsCode code;
    if (!operations_decode((const uint8_t *)(uintptr_t)registers[REG_RIP], &code))
        return;
    const bool single = code.type == 0 || code.type == 2;
    const int64_t lanes = code.type >= 2 ? 1 : code.bytes / (single ? 4 : 8);
    switch (code.opcode) {
    case 0x58: // add
    case 0x59: // multiply
    case 0x5c: // subtract
        *(single ? &operations_counted.float_sums : &operations_counted.sums) += lanes;
        break;
    case 0x5e:
        *(single ? &operations_counted.float_divisions : &operations_counted.divisions) += lanes;
        break;
    case 0x51:
        operations_counted.roots += lanes;
        break;
    default:
        break;
    }
}

/// Counts what this thread does until operations_stop, in addition to what was counted before.
static inline void operations_start(void)
{
    struct sigaction action = {.sa_sigaction = operations_trap, .sa_flags = SA_SIGINFO};
    sigaction(SIGTRAP, &action, NULL);
    operations_stepping = 1;
    raise(SIGTRAP); // its handler sets the flag that traps from then on
}

static inline void operations_stop(void)
{
    operations_stepping = 0;
}

#else
static Operations operations_counted;

static inline void operations_start(void) {}

static inline void operations_stop(void) {}
#endif

#endif
