/// Scenes of damped bodies for tests on the Vulkan device against the CPU path.
#ifndef TESTS_DAMPING_FIXTURE_H
#define TESTS_DAMPING_FIXTURE_H

#include "parity/dissipation_fixture.h"

#define STRAIN_RATE "{\"type\": \"strain_rate\", \"shear\": 300, \"bulk\": 150}"
#define RAYLEIGH "{\"type\": \"rayleigh\", \"time\": 0.01}"
#define MASS "{\"type\": \"rayleigh\", \"mass\": 4}"
#define PRINCIPAL "{\"type\": \"principal_strain\", \"time\": 0.01}"
#define SPLINE                                                                                               \
    "{\"type\": \"spline\", \"time\": 0.01, \"points\": [[0.8, 2], [0.95, 0.5], [1, 0.7], [1.3, 1]]}"
#define CORRECTED(type) "{\"type\": \"" type "\", \"time\": 0.01, \"correction\": \"velocity_gradient\"}"
#define LAW(coefficient, exponent)                                                                           \
    "{\"type\": \"power_law\", \"coefficient\": " coefficient ", \"exponent\": " exponent "}"
#define CORRECTED_LAW(coefficient, exponent)                                                                 \
    "{\"type\": \"power_law\", \"coefficient\": " coefficient ", \"exponent\": " exponent                    \
    ", \"correction\": \"velocity_gradient\"}"
#define LAWS LAW("200", "0") ", " CORRECTED_LAW("100", "0.5") ", " LAW("200", "1") ", " LAW("10", "2")
#define ALL STRAIN_RATE ", " RAYLEIGH ", " MASS ", " PRINCIPAL ", " SPLINE

#define RIGID(type) "{\"type\": \"" type "\", \"time\": 0.01, \"correction\": \"rigid_velocity\"}"
#define RIGID_LAW(coefficient, exponent)                                                                     \
    "{\"type\": \"power_law\", \"coefficient\": " coefficient ", \"exponent\": " exponent                    \
    ", \"correction\": \"rigid_velocity\"}"
#define FORM(type, form) "{\"type\": \"" type "\", \"time\": 0.01, \"form\": \"" form "\"}"
#define FORM_OF(damping, form) "{" damping ", \"form\": \"" form "\"}"
#define SHEAR "\"type\": \"strain_rate\", \"shear\": 300, \"bulk\": 150"
#define SPLINED                                                                                              \
    "\"type\": \"spline\", \"time\": 0.01, \"points\": [[0.8, 2], [0.95, 0.5], [1, 0.7], [1.3, 1]]"
#define THINNING "\"type\": \"power_law\", \"coefficient\": 200, \"exponent\": 0.5"
#define THICKENING "\"type\": \"power_law\", \"coefficient\": 20, \"exponent\": 2"
#define VARIATIONAL "{\"type\": \"variational\", \"time\": 0.004}"
#define RIGID_MASS "{\"type\": \"rayleigh\", \"mass\": 4, \"correction\": \"rigid_velocity\"}"
#define ON_BOTH_SIDES                                                                                        \
    STRAIN_RATE ", " RIGID("rayleigh") ", " RIGID_MASS ", " LAW("20", "2") ", " RIGID_LAW("200", "0.5")

#define BEGIN(step, integrator)                                                                              \
    "{\"version\": 1, \"time\": {\"step\": " step                                                            \
    ", \"duration\": 1}, \"integrator\": {\"type\": \"" integrator "}, \"materials\": {"
#define MATERIAL(name, model, damping)                                                                       \
    "\"" name "\": {\"model\": \"" model "\", \"density\": 1000, \"youngs_modulus\": 1e5, "                  \
    "\"poissons_ratio\": 0.3, \"damping\": [" damping "]}"
#define SCENE(step, integrator, model, damping, more, bodies)                                                \
    BEGIN(step, integrator)                                                                                  \
    MATERIAL("m", model, damping) ", " MATERIAL("plain", "stvk", "") "}, " more "\"bodies\": [" bodies "]}"
/// A body of some name, material and place along z.
#define BODY(name, material, z)                                                                              \
    "{\"name\": \"" name "\", \"material\": \"" material "\", \"translate\": [0, 0, " z "], "
/// Twisted, thrown, held by a pin that moves.
#define BAR_OF(body)                                                                                         \
    body                                                                                                     \
        "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": " \
        "[1, 0, 0], \"degrees\": 40}, \"velocity_gradient\": [[2, 0, 1], [0, -3, 0], [0, 4, 1]], "           \
        "\"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 100]]}, \"motion\": [{\"time\": 0}, "   \
        "{\"time\": 1, \"translate\": [0, 1, 0]}]}]}"
/// The same, free and fast.
#define THROWN                                                                                               \
    BODY("thrown", "m", "0")                                                                                 \
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"twist\": {\"axis\": "     \
    "[1, 0, 0], \"degrees\": 40}, \"velocity\": [20, 0, -10], \"angular_velocity\": [0, 0, 6]}"
/// Its ends slide.
#define SLIDING                                                                                              \
    BODY("sliding", "m", "0")                                                                                \
    "\"geometry\": {\"box\": {\"size\": [0.4, 0.1, 0.1], \"cells\": [4, 2, 1]}}, \"velocity_gradient\": "    \
    "[[2, 0, 1], [0, -3, 0], [0, 4, 1]], \"pins\": [{\"select\": {\"box\": [[-1, -1, -1], [-0.19, 1, 1]]}, " \
    "\"axes\": \"yz\"}, {\"select\": {\"box\": [[0.19, -1, -1], [1, 1, 1]]}, \"axes\": \"x\", \"frame\": "   \
    "{\"axis\": [1, 1, 0], \"degrees\": 20}}]}"
#define SHELL_OF(body, bending)                                                                              \
    body "\"type\": \"shell\", \"thickness\": 0.004, \"bending\": \"" bending                                \
         "\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [5, 4]}}, \"velocity_gradient\": " \
         "[[0, 2, 0], [5, 1, 3], [0, 0, 0]], \"pins\": [{\"select\": {\"nodes\": [0, 5]}}]}"
#define ROPE_OF(body)                                                                                        \
    body "\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": "   \
         "[0.5, 0.1, 0], \"segments\": 8}}, \"velocity_gradient\": [[3, 0, 0], [5, 0, 0], [-4, 0, 0]], "     \
         "\"pins\": [{\"select\": {\"nodes\": [0]}}]}"
#define BAR BAR_OF(BODY("bar", "m", "0"))
#define SHELL(bending) SHELL_OF(BODY("cloth", "m", "0"), bending)
#define ROPE ROPE_OF(BODY("rope", "m", "0"))
#define PLAIN                                                                                                \
    BODY("plain", "plain", "0.5")                                                                            \
    "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"velocity_gradient\": "    \
    "[[2, 0, 1], [0, -3, 0], [0, 4, 1]]}"
#define AFFINE                                                                                               \
    BODY("block", "plain", "-0.5")                                                                           \
    "\"type\": \"affine\", \"stiffness\": 1e6, \"angular_velocity\": [1, 0.2, 8], \"geometry\": {\"box\": "  \
    "{\"size\": [0.2, 0.1, 0.1], \"cells\": [1, 1, 1]}}}"
#define BARRIER                                                                                              \
    "\"obstacles\": [{\"plane\": {\"point\": [0, -0.082, 0], \"normal\": [0.05, 1, 0]}}], \"contact\": "     \
    "{\"model\": \"barrier\", \"distance\": 0.005, \"friction\": 0.3}, "
/// Free ones.
#define FREE_SHELL(body, bending)                                                                            \
    body "\"type\": \"shell\", \"thickness\": 0.004, \"bending\": \"" bending                                \
         "\", \"geometry\": {\"sheet\": {\"size\": [0.4, 0.3], \"cells\": [4, 3]}}, \"velocity_gradient\": " \
         "[[0, 2, 0], [5, 1, 3], [0, 0, 0]]}"
#define COPIES(body)                                                                                             \
    body                                                                                                         \
        "\"geometry\": {\"box\": {\"size\": [0.2, 0.1, 0.1], \"cells\": [2, 1, 1]}}, \"array\": {\"count\": "    \
        "[1, 1, 2], \"spacing\": [0, 0, 0.5]}, \"angular_velocity\": [2, 5, 1], \"velocity_gradient\": [[2, 0, " \
        "1], [0, -3, 0], [0, 4, 1]]}"
#define FREE_ROPE(body)                                                                                      \
    body "\"type\": \"cable\", \"radius\": 0.01, \"geometry\": {\"cable\": {\"from\": [0, 0, 0], \"to\": "   \
         "[0.5, 0.1, 0], \"segments\": 8}}, \"velocity_gradient\": [[3, 0, 0], [5, 0, 0], [-4, 0, 0]], "     \
         "\"angular_velocity\": [0, 3, 8]}"

/// What both ledgers say damping has taken, type by type, relative to all of it.
static inline double ledger_difference(const Simulation *cpu, const Simulation *gpu)
{
    const IntegratorState *a = &cpu->integrator.state, *b = &gpu->integrator.state;
    double sum = 0;
    for (int k = 0; k < DAMPING_TYPES; ++k)
        sum += a->damped[k];
    ck_assert_double_gt(sum, 0);
    return fmax(largest_difference(a->damped, b->damped, DAMPING_TYPES),
                largest_difference(&a->dissipated, &b->dissipated, 1)) /
           sum;
}

/// Such steps, and what both ledgers say of them, to `ledger` of all of it in single precision.
static inline void damping_steps(const LockstepCase *example, bool f64, double ledger)
{
    Simulation simulations[2];
    lockstep_walk(example, f64, f64 ? 1e-9 : 1e-5, simulations);
    const double off = ledger_difference(&simulations[0], &simulations[1]);
    printf("  taken %.6g J, off by %.1e\n", simulations[0].integrator.state.dissipated, off);
    ck_assert_double_le(off, f64 ? 1e-9 : ledger);
    lockstep_stop(simulations);
}

#endif
