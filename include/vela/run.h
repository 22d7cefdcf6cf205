/// Simulating a scene into a run folder.
#ifndef VELA_RUN_H
#define VELA_RUN_H

#include "vela/context.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a run is doing when it reports.
typedef enum VelaPhase {
    VELA_PHASE_PREPARE,  ///< reading the scene, building the model; one report at its beginning
    VELA_PHASE_SIMULATE, ///< one report before the first step, one after every step
    VELA_PHASE_IMAGES,   ///< the steps are done, images are still being written; one report an image
    VELA_PHASE_FINISH,   ///< everything is on disk; one report
    VELA_PHASE_SOLVE, ///< within a step that takes long: between two iterations of the solver, at most twice a second
} VelaPhase;

/// The state of a run, handed to VelaProgressFunction. Fields that do not apply yet are 0.
typedef struct VelaProgress {
    VelaPhase phase;
    int64_t step;       ///< steps done, those before a resume counted in; 0 to step_count
    int64_t step_count; ///< steps of the whole run
    int64_t first_step; ///< the step this call started after: 0, or the checkpoint's with `resume`
    double time;        ///< simulated time, s
    double elapsed;     ///< wall time since the first step of this call began, s
    double step_ms;     ///< wall time of the last step, ms
    double energy;      ///< total energy, J (column `total` of diagnostics.csv)
    double
        energy_drift; ///< what the energy, and what friction took of it, has gained since row 0, relative to what the
    ///< motion had to draw on (kinetic, elastic and contact energy at the start, and the most that
    ///< gravity has done since), no unit; NaN where pins or obstacles move
    int32_t iterations;      ///< solver iterations of the last step
    bool converged;          ///< the last step's solver met its tolerance
    const char *stop;        ///< why it stopped, as in column `stop`; "" where nothing was solved
    int64_t frames;          ///< frames on disk
    int64_t images;          ///< images on disk
    int64_t images_expected; ///< images when the run is over; 0 without rendering
    int32_t
        solver_iteration; ///< VELA_PHASE_SOLVE: iterations of the stage that is being solved, in step `step` + 1
    double
        residual; ///< VELA_PHASE_SOLVE: newton: largest change of a coordinate over h, m/s; admm: the primal one; NaN
    ///< where no iteration is done yet
    int64_t
        contact_pairs; ///< VELA_PHASE_SOLVE: pairs in barrier contact; -1 without such contact, or where no iteration is
    ///< done yet
} VelaProgress;

/// Receives the progress of a run, on the calling thread. `progress` is valid during the call only.
typedef void (*VelaProgressFunction)(void *user, const VelaProgress *progress);

/// All strings are borrowed: they must live until vela_run returns.
typedef struct VelaRunDef {
    const char *scene;      ///< path of the scene file; required
    const char *output;     ///< run folder; default NULL: "out/<scene name>" below the current folder
    const char *device;     ///< "auto" (default), "cpu", "vulkan", "vulkan:N" with N from vela_devices
    const char *precision;  ///< "f32" or "f64" of Vulkan; default NULL: "f32" (the CPU is always double)
    int64_t steps;          ///< total number of steps, also with `resume`; default -1: the scene's
    bool render;            ///< write images, if the scene wants them; default true
    bool verify;            ///< check every state as `vela run --verify` does; default false
    bool resume;            ///< continue from the run folder's checkpoint; default false
    int32_t override_count; ///< default 0
    const char *const *overrides;  ///< override_count texts "path.to.key=value", in order; default NULL
    VelaProgressFunction progress; ///< default NULL
    void *progress_user;           ///< passed to `progress`; owned by the caller
    uint32_t cookie;               ///< set by vela_default_run_def; do not touch
} VelaRunDef;

/// How a run went. Filled as far as the run came when vela_run fails as well.
typedef struct VelaRunSummary {
    char output[1024];         ///< the run folder
    char device[256];          ///< the device that simulated, as run.json names it
    int64_t first_step;        ///< 0, or the step the run was resumed after
    int64_t step;              ///< last step done
    int64_t step_count;        ///< steps asked for
    int64_t checkpoint_step;   ///< step of the checkpoint on disk; -1: none
    int64_t frames;            ///< frames in the run folder
    int64_t images;            ///< images in the run folder
    int64_t iterations;        ///< solver iterations of this call's steps
    int64_t unconverged_steps; ///< steps of this call whose solver stopped before its tolerance
    int64_t
        line_search_steps; ///< of those, where the line search found no step; the others reached max_iterations
    double wall_seconds;   ///< of this call, s
    double energy_drift;   ///< of the last step, as in VelaProgress
} VelaRunSummary;

/// device "auto", steps -1, render true, everything else 0 or NULL.
VelaRunDef vela_default_run_def(void);

/// Simulates a scene and writes the run folder. The number of CPU threads is the context's. `summary` may be
/// NULL. Fails with VELA_ERROR_INVALID_INPUT (scene, mesh, argument, folder that is not a run folder; nothing
/// was written), VELA_ERROR_UNSUPPORTED, VELA_ERROR_OUT_OF_MEMORY, VELA_ERROR_IO, VELA_ERROR_NO_DEVICE,
/// VELA_ERROR_DEVICE, VELA_ERROR_NOT_CONVERGED, VELA_ERROR_VERIFICATION (a state did not pass `verify`: surfaces
/// intersect, or an element is inverted whose material excludes it; frames and checkpoint end before it), and
/// VELA_ERROR_INTERRUPTED after vela_context_interrupt (the checkpoint then stands at the last step; where that step would have
/// taken more than a second longer it was given up, and the checkpoint is the one before it). The
/// message says at which step and node, and what is safe on disk. A machine without any Vulkan driver is no
/// failure: the run goes on without images, and the log says so.
VelaResult vela_run(VelaContext *context, const VelaRunDef *def, VelaRunSummary *summary);

#ifdef __cplusplus
}
#endif
#endif
