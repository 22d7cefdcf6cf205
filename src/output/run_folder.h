/// The folder that a run leaves behind: who may be replaced, the paths in it, and run.json.
///
///   run.json  scene.json  diagnostics.csv  checkpoint.vck  images/NNNNNN.png  states/NNNNNN.vst
#ifndef OUTPUT_RUN_FOLDER_H
#define OUTPUT_RUN_FOLDER_H

#include "output/run_path.h"

enum { RUN_TIME_CAPACITY = 32 };
/// Under this name the last words are written before they become run.json.
#define RUN_LAST_WORDS_FILE "run.json.last.part"
/// The checkpoint before the last one.
#define RUN_PREVIOUS_CHECKPOINT "checkpoint.previous.vck"

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

/// Makes `folder` ready for a new run and writes `record` as its run.json. A folder that exists is taken
/// only if it holds a run.json; any other that is not empty, or a file of that name, is
/// VELA_ERROR_INVALID_INPUT. Removes what vela writes into a run folder (run.json, scene.json,
/// diagnostics.csv, checkpoint.vck, the plots, numbered images and states) and nothing else; an export is
/// left alone. VELA_ERROR_IO where it cannot be written.
VelaResult run_folder_create(VelaContext *context, const char *folder, const RunRecord *record);
/// Whether there is a run.json in `folder`.
bool run_folder_holds_run(const char *folder);
/// Says whether a new run may go to `folder`: a new or empty one, or one that holds a run, whose place to move to
/// (run_folder_set_aside) is then free or holds a run too. Touches nothing. VELA_ERROR_INVALID_INPUT names what is in the
/// way.
VelaResult run_folder_check(VelaContext *context, const char *folder);
/// Says whether there is a run in `folder` to go on with: one with a checkpoint, or one that was killed before it had any
/// (nothing but its first frame is there, and it goes on from its beginning). Touches nothing. VELA_ERROR_INVALID_INPUT.
VelaResult run_folder_check_resume(VelaContext *context, const char *folder);
/// Moves the run in `folder`, if there is one that came further than its first frame, to "<folder>.previous", in the place
/// of an older one there. `lock` is that of run_folder_lock on `folder`, and then that on the new, empty folder.
/// VELA_ERROR_INVALID_INPUT (a run goes on in one of them, or the working folder would move), VELA_ERROR_IO; both runs are
/// still there then.
VelaResult run_folder_set_aside(VelaContext *context, const char *folder, int *lock);
/// Says whether another verb may write into `folder`: a new or empty one, or one with nothing but what the verb writes: files
/// named in `names` (ends with NULL; NULL: none) and numbered ones with `ending` (".png"; NULL: none). Touches nothing.
/// VELA_ERROR_INVALID_INPUT names what is in the way.
VelaResult output_folder_check(VelaContext *context, const char *folder, const char *const *names,
                               const char *ending);
/// Makes the folder if it is missing and keeps other runs out of it until run_folder_unlock, or until the process ends,
/// however it does. VELA_ERROR_INVALID_INPUT where a run is going on in it. Leaves no file; where the file system knows
/// no locks, nobody is kept out.
VelaResult run_folder_lock(VelaContext *context, const char *folder, int *lock);
/// A negative lock is none.
void run_folder_unlock(int lock);
/// Lets the checkpoint there is go on as RUN_PREVIOUS_CHECKPOINT, in place of an older one, until it is replaced and after.
/// Where the file system cannot do that, there is none.
VelaResult run_folder_keep_checkpoint(VelaContext *context, const char *folder);
/// Removes states and images from frame number `first` on; used when a run goes on from a checkpoint.
VelaResult run_folder_truncate_frames(VelaContext *context, const char *folder, int64_t first);
/// Writes the resolved scene as scene.json.
VelaResult run_folder_write_scene(VelaContext *context, const char *folder, const char *text);

/// The present as run.json writes it: UTC, ISO 8601, to the second.
void run_time_text(char text[RUN_TIME_CAPACITY]);
/// Replaces run.json atomically.
VelaResult run_record_write(VelaContext *context, const char *folder, const RunRecord *record);
/// What vela_context_abandon would put in place of run.json: `record` as run_record_write writes it. False where it is too
/// long; `words` is then of no use.
bool run_record_last_words(const char *folder, const RunRecord *record, LastWords *words);
/// Reads run.json; strings are owned by `arena`. VELA_ERROR_INVALID_INPUT where `folder` is not a run folder
/// (no run.json) or run.json is not what vela writes.
VelaResult run_record_read(VelaContext *context, const char *folder, Arena *arena, RunRecord *record);
/// Warns where the folder holds fewer frames without a gap than its record tells of.
void run_record_warn_missing(VelaContext *context, const char *folder, const RunRecord *record,
                             int64_t frames);

/// "running", "finished", "interrupted", "failed"
const char *run_state_name(RunState state);

#endif
