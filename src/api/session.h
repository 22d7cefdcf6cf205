/// Inside of vela_run: one run from scene to folder.
#ifndef API_SESSION_H
#define API_SESSION_H

#include "api/energy_watch.h"
#include "output/diagnostics.h"
#include "output/frame.h"
#include "output/reactions_table.h"
#include "output/run_folder.h"
#include "sim/checkpoint.h"
#include "sim/reactions.h"
#include "sim/verify.h"
#include "vela/run.h"

/// Where the wall time of a run goes.
typedef enum RunPart { PART_PREPARE, PART_STEPS, PART_VERIFY, PART_OUTPUT, PART_IMAGES, PART_COUNT } RunPart;

typedef struct Session {
    VelaContext *context;
    const VelaRunDef *def;
    VelaRunSummary summary;
    Simulation simulation;
    int64_t step_count;
    char folder[RUN_PATH_CAPACITY];
    int folder_lock;     ///< of run_folder_lock
    bool folder_is_ours; ///< run.json is in place: failures are recorded there
    StepTable diagnostics;
    Reactions reactions;
    const char *reactions_header; ///< NULL: nothing is held
    StepTable reactions_table;
    RunTotals totals;
    EnergyWatch energy_watch;
    EnergySources energy_sources;
    Diagnosis initial; ///< state at step 0
    bool gap_warned;
    Verification verification; ///< with VelaRunDef.verify
    FrameTopology topology;
    const int32_t (*hinge_sides)[2]; ///< of shell_energy_create
    double *nodes;                   ///< of a state, node_count x 3: what a frame's vertices follow from
    Frame frame;
    RunRecord record;
    char started_at[RUN_TIME_CAPACITY]; ///< of the record
    RunPhase phases[PART_COUNT];
    double started, stepping_since; ///< s
    double reported_at;             ///< when progress was last told, s
    double checkpoint_at;           ///< when the last checkpoint was written, s
    LastWords *last_words;          ///< two: one is the context's, the other is free to be written
    int last_words_used;
    struct Images *images; ///< NULL: no images are written
} Session;

/// Topology of the frames of a model; arrays are owned by the model or by `arena`.
VelaResult session_topology(const Model *model, Arena *arena, FrameTopology *topology);
/// Number of the frame that is saved after `step`, or -1.
int64_t session_frame_after(const SceneDef *scene, int64_t step, int64_t step_count);
int64_t session_frame_count(const SceneDef *scene, int64_t step_count);
/// Fills the frame from the simulation's current state and writes it; hands it to the images too.
VelaResult session_save_frame(Session *session, int64_t index);
/// Finds what reactions there will be, and their header row.
VelaResult session_prepare_reactions(Session *session, Arena *arena);
/// Opens diagnostics.csv and reactions.csv, new or (`append`) cut back to the simulation's step.
VelaResult session_open_tables(Session *session, bool append);
/// Appends the current state's rows to both. `report` NULL: the initial state.
VelaResult session_save_row(Session *session, const StepReport *report, double step_ms);
VelaResult session_save_checkpoint(Session *session);
/// Readies what run.json will say if the process has to end at once, with the checkpoint there is.
void session_prepare_last_words(Session *session);
/// Replaces run.json.
VelaResult session_save_record(Session *session, RunState state, const char *message);

#endif
