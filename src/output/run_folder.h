/// The folder that a run leaves behind: who may be replaced, the paths in it, and run.json.
///
///   run.json  scene.json  diagnostics.csv  checkpoint.vck  images/NNNNNN.png  states/NNNNNN.vst
#ifndef OUTPUT_RUN_FOLDER_H
#define OUTPUT_RUN_FOLDER_H

#include "output/run_path.h"

enum { RUN_TIME_CAPACITY = 32 };

typedef enum RunState { RUN_RUNNING, RUN_FINISHED, RUN_INTERRUPTED, RUN_FAILED } RunState;

typedef struct RunPhase {
    const char *name;
    double seconds;
} RunPhase;

/// Timestamps of one kernel, summed over the run.
typedef struct RunKernel {
    const char *name;
    int64_t dispatches;
    double milliseconds; ///< in all
} RunKernel;

/// What run.json holds. Strings may be NULL ("null" in the file); NaN is written as null.
typedef struct RunRecord {
    const char *scene_name, *scene_path;
    uint64_t scene_hash;       ///< SceneDef.hash; 16 hexadecimal digits in the file
    const char *version;       ///< of vela; NULL: of this library
    const char *revision;      ///< git; NULL: of this library
    const char *device_kind;   ///< "cpu" or "vulkan"
    const char *device;        ///< name of the processor or the GPU
    const char *device_reason; ///< why it was chosen
    const char *driver;        ///< name and version; NULL on the CPU path
    const char *render_device; ///< NULL where nothing is rendered
    const char *precision;     ///< "f32" or "f64"
    int32_t threads;
    int64_t nodes, tets, triangles, bodies;
    double time_step;    ///< s
    int32_t frame_every; ///< steps per frame
    int64_t steps_planned, steps_done;
    int64_t frames_planned, frames_done;
    int64_t resumed_from_step; ///< -1: not resumed
    int64_t iterations;        ///< of the solver, all steps together
    int64_t unconverged_steps; ///< steps whose solver stopped before its tolerance
    int64_t host_waits;        ///< waits of the host for the GPU; -1: does not apply
    double wall_seconds;       ///< so far
    const char *started;       ///< run_time_text of the beginning
    int32_t phase_count;
    const RunPhase *phases;
    int32_t kernel_count;
    const RunKernel *kernels;
    RunState state;
    const char *message; ///< how a failed or interrupted run ended
} RunRecord;

/// Makes `folder` ready for a new run and writes `record` as its run.json. A folder that exists is replaced
/// only if it holds a run.json; any other that is not empty, or a file of that name, is
/// VELA_ERROR_INVALID_INPUT. Replacing removes what vela writes into a run folder (run.json, scene.json,
/// diagnostics.csv, checkpoint.vck, the plots, numbered images and states) and nothing else; an export is
/// left alone. VELA_ERROR_IO where it cannot be written.
VelaResult run_folder_create(VelaContext *context, const char *folder, const RunRecord *record);
/// Says whether run_folder_create would be allowed, touching nothing.
VelaResult run_folder_check(VelaContext *context, const char *folder);
/// Makes the folder if it is missing and keeps other runs out of it until run_folder_unlock, or until the process ends,
/// however it does. VELA_ERROR_INVALID_INPUT where a run is going on in it. Leaves no file; where the file system knows
/// no locks, nobody is kept out.
VelaResult run_folder_lock(VelaContext *context, const char *folder, int *lock);
/// A negative lock is none.
void run_folder_unlock(int lock);
/// Removes states and images from frame number `first` on; used when a run goes on from a checkpoint.
VelaResult run_folder_truncate_frames(VelaContext *context, const char *folder, int64_t first);
/// Writes the resolved scene as scene.json.
VelaResult run_folder_write_scene(VelaContext *context, const char *folder, const char *text);

/// The present as run.json writes it: UTC, ISO 8601, to the second.
void run_time_text(char text[RUN_TIME_CAPACITY]);
/// Replaces run.json atomically.
VelaResult run_record_write(VelaContext *context, const char *folder, const RunRecord *record);
/// Reads run.json; strings are owned by `arena`. VELA_ERROR_INVALID_INPUT where `folder` is not a run folder
/// (no run.json) or run.json is not what vela writes.
VelaResult run_record_read(VelaContext *context, const char *folder, Arena *arena, RunRecord *record);
/// Warns where the folder holds fewer frames without a gap than its record tells of.
void run_record_warn_missing(VelaContext *context, const char *folder, const RunRecord *record,
                             int64_t frames);

/// "running", "finished", "interrupted", "failed"
const char *run_state_name(RunState state);

#endif
