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
    double deviation;   ///< largest |x_A - x_B| of a node / diagonal of the scene's bounding box, no unit
    int32_t node;       ///< the node with that deviation
    double energy_deviation;   ///< |total_A - total_B| / max(|total_A|, kinetic_A, elastic_A), no unit
    double momentum_deviation; ///< |p_A - p_B| / sum of m|v| of A, no unit
    double angular_momentum_deviation;  ///< |l_A - l_B| / (sum of m|v| of A x diagonal), no unit
    int32_t iterations_a, iterations_b; ///< solver iterations of the step
} VelaCompareRow;

/// Receives every row as it is done, on the calling thread. `row` is valid during the call only.
typedef void (*VelaCompareFunction)(void *user, const VelaCompareRow *row);

/// All strings are borrowed: they must live until vela_compare returns.
typedef struct VelaCompareDef {
    const char *scene;      ///< path of the scene file; required
    const char *a;          ///< device, as in VelaRunDef; default "cpu"
    const char *b;          ///< device; default "vulkan"
    VelaCompareMode mode;   ///< default VELA_COMPARE_LOCKSTEP
    int64_t steps;          ///< default -1: the scene's
    double tolerance;       ///< largest deviation allowed; default -1: 1e-5, or 1e-9 if both are in double
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
    double energy_deviation, momentum_deviation, angular_momentum_deviation;
    bool within; ///< deviation <= tolerance, and not a NaN
} VelaCompareSummary;

VelaCompareDef vela_default_compare_def(void);

/// Compares two devices on a scene. VELA_ERROR_BEYOND_TOLERANCE if it ran and the deviation is too large
/// (`summary` and the files are complete then); else fails as vela_run does. `summary` may be NULL.
VelaResult vela_compare(VelaContext *context, const VelaCompareDef *def, VelaCompareSummary *summary);

#ifdef __cplusplus
}
#endif
#endif
