/// diagnostics.csv: one row a step, appended as the run goes; cut back when a run is resumed; read for plots.
#ifndef OUTPUT_DIAGNOSTICS_H
#define OUTPUT_DIAGNOSTICS_H

#include "base/arena.h"
#include "output/step_table.h"
#include "physics/dissipation/damping.h"

/// What takes energy: friction, then the types of damping (physics/dissipation/damping.h).
enum { DISSIPATION_CAUSES = 1 + DAMPING_TYPES };

/// One row, in the order of the columns. A NaN, a negative count and a NULL string leave the field empty;
/// diagnostics_empty_row has nothing but empty fields.
typedef struct DiagnosticsRow {
    int64_t step;
    double time;                                     ///< s
    double kinetic, elastic, gravitational, contact; ///< J
    double constraint, total, target, dissipated;    ///< J; `dissipated` cumulative
    double alpha;
    double linear_momentum[3];  ///< kg m/s
    double angular_momentum[3]; ///< kg m^2/s, about the origin
    double center[3];           ///< of mass, m
    double min_det_f;
    double min_distance; ///< m
    int64_t iterations, linear_iterations;
    double primal_residual, dual_residual;
    double step_ms;         ///< ms of wall time
    const char *alpha_case; ///< root, nearest, none, clipped
    int64_t substeps;
    const char *stop;   ///< why the solver stopped; no comma, quote or newline
    double step_length; ///< smallest that the line search took in the step
    double loads;       ///< potential of the loads, J
    double work;        ///< that moving pins and obstacles and changing loads have put in, J, cumulative
    double dissipated_by[DISSIPATION_CAUSES]; ///< J, cumulative; their sum is `dissipated`
    double lost_in_time;     ///< what neither accounts for: the first total + work - total - dissipated, J
    double constraint_error; ///< m, of hard constraints
} DiagnosticsRow;

DiagnosticsRow diagnostics_empty_row(int64_t step, double time);

/// Starts diagnostics.csv of a run folder with the header row, or (`append`) goes on behind the last row (step_table.h);
/// call diagnostics_truncate before that.
VelaResult diagnostics_open(StepTable *table, VelaContext *context, const char *folder, bool append);
/// Adds a row. VELA_ERROR_IO (disk full, …).
VelaResult diagnostics_write(StepTable *table, const DiagnosticsRow *row);
/// Cuts diagnostics.csv back to the rows 0 to `step` (step_table_truncate).
VelaResult diagnostics_truncate(VelaContext *context, const char *folder, int64_t step);

/// Everything in a diagnostics.csv. Text columns (alpha_case, stop) and empty fields are NaN in `values`.
typedef struct DiagnosticsTable {
    int32_t column_count;
    const char *const *columns; ///< names
    int64_t row_count;
    const double *values; ///< row_count x column_count
    bool is_cut_off;      ///< the file ends within a row, which was left out
} DiagnosticsTable;

/// Reads the table; a half-written last row is left out. VELA_ERROR_INVALID_INPUT with file, line, found and
/// expected.
VelaResult diagnostics_read(VelaContext *context, const char *folder, Arena *arena, DiagnosticsTable *table);
/// Whether a column holds words: all its values are NaN in the table.
bool diagnostics_is_text(const char *name);
/// Index of a column, -1 if there is none.
int32_t diagnostics_column(const DiagnosticsTable *table, const char *name);

#endif
