/// Running a scene on two devices and measuring how far apart they are.
#ifndef VELA_COMPARE_H
#define VELA_COMPARE_H

#include "vela/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VelaCompareMode {
    VELA_COMPARE_LOCKSTEP, ///< B gets A's whole state before every step
    VELA_COMPARE_FREE,     ///< both run on their own
} VelaCompareMode;

/// One step of a comparison, A against B.
typedef struct VelaCompareRow {
    int64_t step;       ///< 1 to step_count
    int64_t step_count; ///< steps of the comparison
    double time;        ///< s, after the step
    // Without units; D is the diagonal of the scene's bounding box, M the mass of all bodies, h the step, H the total energy.
    double deviation;                   ///< largest |x_A - x_B| of a node / D
    int32_t node;                       ///< the node with that deviation
    double velocity_deviation;          ///< largest h |v_A - v_B| of a node / D
    double momentum_deviation;          ///< h |p_A - p_B| / (M D)
    double angular_momentum_deviation;  ///< h |l_A - l_B| / (M D^2)
    double energy_deviation;            ///< |H_A - H_B| / max(|H_A|, M g D)
    int32_t iterations_a, iterations_b; ///< solver iterations of the step
} VelaCompareRow;

/// Receives every row as it is done, on the calling thread. `row` is valid during the call only.
typedef void (*VelaCompareFunction)(void *user, const VelaCompareRow *row);

/// All strings are borrowed: they must live until vela_compare returns.
typedef struct VelaCompareDef {
    const char *scene;    ///< path of the scene file; required
    const char *a;        ///< device, as in VelaRunDef; default "cpu"
    const char *b;        ///< device; default "vulkan"
    VelaCompareMode mode; ///< default VELA_COMPARE_LOCKSTEP
    int64_t steps;        ///< default -1: the scene's
    /// Largest deviation of positions, velocities and linear momentum; that of the energy is max(tolerance, 1e-4, or 1e-8 if both
    /// are in double). Default -1: 1e-5, 1e-4 with barrier contact, or 1e-9 if both are in double.
    double tolerance;
    const char *precision;  ///< "f32" or "f64", of the Vulkan devices; default NULL: "f32"
    const char *output;     ///< folder for compare.json and compare.csv; default NULL: "out/<name>_compare"
    int32_t override_count; ///< default 0
    const char *const *overrides; ///< as in VelaRunDef
    VelaCompareFunction row;      ///< default NULL
    void *row_user;               ///< passed to `row`; owned by the caller
    uint32_t cookie;              ///< set by vela_default_compare_def; do not touch
} VelaCompareDef;

/// What a comparison came to. Deviations are the largest over all steps done.
typedef struct VelaCompareSummary {
    char output[1024];                 ///< the folder written to
    char device_a[256], device_b[256]; ///< as run.json names them
    int64_t steps;                     ///< steps done
    double tolerance;                  ///< the one that was applied
    double deviation;                  ///< as in VelaCompareRow
    int64_t deviation_step;            ///< where it was largest
    int32_t deviation_node;
    double velocity_deviation, momentum_deviation, angular_momentum_deviation, energy_deviation;
    double energy_tolerance; ///< the one that was applied
    bool within;             ///< all but the angular momentum are within their tolerance
} VelaCompareSummary;

VelaCompareDef vela_default_compare_def(void);

/// Compares two devices on a scene. VELA_ERROR_BEYOND_TOLERANCE if it ran and the deviation is too large
/// (`summary` and the files are complete then); else fails as vela_run does. `summary` may be NULL.
VelaResult vela_compare(VelaContext *context, const VelaCompareDef *def, VelaCompareSummary *summary);

#ifdef __cplusplus
}
#endif
#endif
