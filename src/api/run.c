#include "vela/run.h"

#include "api/frame_constraints.h"
#include "api/images.h"
#include "api/session.h"
#include "api/shell_energy.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/numeric_locale.h"
#include "scene/keys.h"
#include "sim/advice.h"
#include "sim/explain.h"
#include "sim/start.h"

#include <math.h>
#include <string.h>
#include <sys/stat.h>

enum { RUN_COOKIE = 0x72756e00 };

/// Slow steps have checkpoints more often than the scene asks for.
static const double CHECKPOINT_SECONDS = 60;

VelaRunDef vela_default_run_def(void)
{
    return (VelaRunDef){.device = "auto", .steps = -1, .render = true, .cookie = RUN_COOKIE};
}

static void report_progress(Session *session, VelaPhase phase, const StepReport *report, double step_ms,
                            const SolverNote *note)
{
    const Diagnosis *state = &session->simulation.diagnosis;
    const double energy = diagnosis_total(state);
    const VelaProgress progress = {
        .phase = phase,
        .step = session->simulation.step,
        .step_count = session->step_count,
        .first_step = session->summary.first_step,
        .time = session->simulation.device ? simulation_time(&session->simulation) : 0,
        .elapsed = session->stepping_since > 0 ? clock_seconds() - session->stepping_since : 0,
        .step_ms = step_ms,
        .energy = energy,
        .energy_drift = energy_drift(&session->energy_watch, &session->energy_sources, state,
                                     session->simulation.integrator.state.dissipated),
        .iterations = report ? report->solver.iterations : 0,
        .converged = !report || !stop_is_short(report->solver.stop),
        .stop = report ? stop_name(report->solver.stop) : "",
        .frames = session->summary.frames,
        .images = session->images ? images_done(session->images) : 0,
        .images_expected =
            session->images ? session_frame_count(&session->simulation.scene, session->step_count) : 0,
        .solver_iteration = note ? note->iteration : 0,
        .residual = note ? note->residual : 0,
        .contact_pairs = note ? note->pairs : -1,
    };
    session->reported_at = clock_seconds();
    session->summary.energy_drift = progress.energy_drift;
    if (session->def->progress)
        session->def->progress(session->def->progress_user, &progress);
}

// From within a step, where it has been quiet for long.
static void report_iteration(void *user, const SolverNote *note)
{
    static const double QUIET = 0.5; // s
    Session *session = user;
    if (clock_seconds() - session->reported_at > QUIET)
        report_progress(session, VELA_PHASE_SOLVE, NULL, 0, note);
}

static VelaResult check_def(VelaContext *context, const VelaRunDef *def)
{
    FAIL_IF(context, def->cookie != RUN_COOKIE, VELA_ERROR_INVALID_INPUT,
            "a VelaRunDef that did not come from vela_default_run_def");
    FAIL_IF(context, !def->scene, VELA_ERROR_INVALID_INPUT, "no scene was given");
    FAIL_IF(context, def->steps < -1, VELA_ERROR_INVALID_INPUT, "steps: found %lld, expected 0 or more",
            (long long)def->steps);
    return VELA_OK;
}

static VelaResult choose_folder(Session *session)
{
    const char *wanted = session->def->output;
    if (wanted) {
        FAIL_IF(session->context, !*wanted || strlen(wanted) >= sizeof session->folder,
                VELA_ERROR_INVALID_INPUT, "-o: found a folder name of %zu characters, expected 1 to %zu",
                strlen(wanted), sizeof session->folder - 1);
        memcpy(session->folder, wanted, strlen(wanted) + 1);
        return VELA_OK;
    }
    return run_path(session->context, "out", session->simulation.scene.name, session->folder);
}

static VelaResult make_record(Session *session)
{
    static const char *const names[PART_COUNT] = {"prepare", "steps", "verify", "output", "images"};
    const Simulation *simulation = &session->simulation;
    DeviceInfo info;
    device_information(simulation->device, &info);
    run_time_text(session->started_at);
    for (int p = 0; p < PART_COUNT; ++p)
        session->phases[p].name = names[p];
    session->record = (RunRecord){
        .scene_name = simulation->scene.name,
        .scene_path = simulation->scene.path,
        .scene_hash = simulation->scene.hash,
        .device_kind = info.kind,
        .device = info.name,
        .device_reason = simulation->device_reason,
        .driver = *info.driver ? info.driver : NULL,
        .precision = info.precision,
        .threads = session->context->threads,
        .nodes = simulation->model.body_node_count,
        .tets = simulation->model.groups[ELEMENT_TET].count,
        .triangles = simulation->model.triangle_count,
        .bodies = simulation->model.body_count,
        .time_step = simulation->scene.step,
        .frame_every = simulation->scene.frame_every,
        .started = session->started_at,
        .steps_planned = session->step_count,
        .frames_planned = session_frame_count(&simulation->scene, session->step_count),
        .resumed_from_step = -1,
        .host_waits = -1,
        .phase_count = PART_COUNT,
        .phases = session->phases,
    };
    snprintf(session->summary.device, sizeof session->summary.device, "%s (%s)", info.name, info.precision);
    return VELA_OK;
}

// Everything up to the first step: reading, choosing, allocating. Nothing is written.
static VelaResult prepare(Session *session)
{
    const VelaRunDef *def = session->def;
    Simulation *simulation = &session->simulation;
    TRY(simulation_load(session->context, def->scene, def->override_count, def->overrides, simulation));
    session->step_count = def->steps >= 0 ? def->steps : simulation->scene.step_count;
    session->summary.step_count = session->step_count;
    TRY(choose_folder(session));
    snprintf(session->summary.output, sizeof session->summary.output, "%s", session->folder);
    TRY(def->resume ? run_folder_check_resume(session->context, session->folder)
                    : run_folder_check(session->context, session->folder));
    const DeviceChoice choice = {def->device, def->precision};
    TRY(simulation_start(simulation, &choice));
    advice_warn(session->context, &simulation->model);
    session->initial = simulation->diagnosis;
    session->energy_watch = energy_watch_begin(&simulation->scene);
    double mass = 0;
    for (int32_t i = 0; i < simulation->model.body_node_count; ++i)
        mass += simulation->model.node_is_free[i] ? simulation->model.gravity_weights[i] : 0;
    session->energy_sources = energy_sources_begin(&simulation->scene, &simulation->diagnosis, mass);
    Arena *arena = &simulation->arena;
    TRY(session_topology(&simulation->model, arena, &session->topology));
    TRY(frame_constraints_create(simulation, arena, &session->topology, &session->frame));
    TRY(session_prepare_reactions(session, arena));
    TRY(shell_energy_create(session->context, &simulation->model, arena, &session->hinge_sides));
    TRY(ARENA_ARRAY(arena, session->nodes, 3 * (size_t)simulation->model.node_count));
    TRY(ARENA_ARRAY(arena, session->frame.positions, 3 * (size_t)simulation->model.vertex_count));
    TRY(ARENA_ARRAY(arena, session->frame.velocities, 3 * (size_t)simulation->model.vertex_count));
    TRY(ARENA_ARRAY(arena, session->frame.stretch, simulation->model.element_count));
    TRY(ARENA_ARRAY(arena, session->frame.energy_density, simulation->model.element_count));
    if (simulation->scene.stress) {
        const size_t elements = (size_t)simulation->model.element_count;
        TRY(ARENA_ARRAY(arena, session->frame.stress, STRESS_COMPONENTS * elements));
        TRY(ARENA_ARRAY(arena, session->frame.strain, PRINCIPAL_STRAINS * elements));
    }
    if (def->verify)
        TRY(verification_create(simulation, &session->verification));
    TRY(ARENA_ARRAY(arena, session->last_words, 2));
    TRY(make_record(session));
    context_log(session->context, VELA_LOG_INFO, "%s, %s: %s", session->record.device,
                session->record.precision, simulation->device_reason);
    return VELA_OK;
}

// A new folder with row 0, frame 0 and a first checkpoint.
static VelaResult begin_new(Session *session)
{
    TRY(run_folder_create(session->context, session->folder, &session->record));
    session->folder_is_ours = true;
    TRY(run_folder_write_scene(session->context, session->folder, session->simulation.scene.resolved));
    TRY(session_open_tables(session, false));
    TRY(session_save_row(session, NULL, 0));
    TRY(session_save_frame(session, 0));
    return session_save_checkpoint(session);
}

static bool file_exists(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0;
}

// A folder that has lost what the checkpoint builds on is not touched.
static VelaResult check_frames(const Session *session, int64_t count)
{
    char path[RUN_PATH_CAPACITY];
    for (int64_t i = 0; i < count; ++i) {
        TRY(run_state_path(session->context, session->folder, i, path));
        FAIL_IF(session->context, !file_exists(path), VELA_ERROR_INVALID_INPUT,
                "%s: missing, expected the %lld frames up to the checkpoint; without --resume the run starts "
                "anew",
                path, (long long)count);
    }
    return VELA_OK;
}

// A checkpoint that a failing disk has damaged has an older one beside it. What is no file at all is not damage.
static VelaResult read_checkpoint(Session *session, const char *checkpoint)
{
    VelaContext *context = session->context;
    char previous[RUN_PATH_CAPACITY], message[sizeof context->message];
    const VelaResult result = checkpoint_read(&session->simulation, checkpoint, &session->totals);
    TRY(run_path(context, session->folder, RUN_PREVIOUS_CHECKPOINT, previous));
    if (result == VELA_OK || !file_exists(previous) || file_is_irregular(checkpoint))
        return result;
    memcpy(message, context->message, sizeof message);
    if (checkpoint_read(&session->simulation, previous, &session->totals) != VELA_OK)
        return context_fail(context, result, "%s", message);
    context_log(context, VELA_LOG_WARNING, "%s; going on from the one before it, of step %lld", message,
                (long long)session->simulation.step);
    return VELA_OK;
}

// Cuts the folder back to its checkpoint and goes on from there.
static VelaResult begin_resumed(Session *session, const char *checkpoint)
{
    Simulation *simulation = &session->simulation;
    TRY(read_checkpoint(session, checkpoint));
    const double *sources = session->totals.energy_sources;
    session->energy_sources =
        (EnergySources){sources[0], sources[1], sources[2], sources[3], sources[4], sources[5]};
    FAIL_IF(session->context, simulation->step > session->step_count, VELA_ERROR_INVALID_INPUT,
            "%s: the run is at step %lld already, expected at most the %lld steps asked for", session->folder,
            (long long)simulation->step, (long long)session->step_count);
    const int64_t kept = simulation->step / simulation->scene.frame_every + 1;
    TRY(check_frames(session, kept));
    session->summary.first_step = session->summary.step = session->record.resumed_from_step =
        simulation->step;
    session->summary.checkpoint_step = simulation->step;
    session->checkpoint_at = clock_seconds();
    session->record.frames_done = session->summary.frames = kept;
    TRY(session_open_tables(session, true));
    session->folder_is_ours = true;
    TRY(run_folder_truncate_frames(session->context, session->folder, kept));
    char images[RUN_PATH_CAPACITY];
    TRY(run_path(session->context, session->folder, "images", images));
    TRY(file_make_folder(session->context, images));
    if (session->images)
        TRY(images_resume(session->images, kept));
    TRY(session_save_record(session, RUN_RUNNING, NULL));
    session_prepare_last_words(session);
    // The frame of the last step stands outside the rhythm: it was cut, and comes back if the end is still here.
    if (simulation->step == session->step_count && simulation->step % simulation->scene.frame_every != 0)
        TRY(session_save_frame(session, kept));
    return VELA_OK;
}

static VelaResult begin(Session *session)
{
    char path[RUN_PATH_CAPACITY], previous[RUN_PATH_CAPACITY];
    TRY(run_folder_lock(session->context, session->folder, &session->folder_lock));
    if (!session->def->resume) {
        TRY(run_folder_check(session->context, session->folder)); // another run may have been faster
        TRY(run_folder_set_aside(session->context, session->folder, &session->folder_lock));
        return begin_new(session);
    }
    TRY(run_path(session->context, session->folder, "checkpoint.vck", path));
    TRY(run_path(session->context, session->folder, RUN_PREVIOUS_CHECKPOINT, previous));
    if (file_exists(path) || file_exists(previous))
        return begin_resumed(session, path);
    context_log(session->context, VELA_LOG_WARNING, "%s: killed before its first checkpoint; starting anew",
                session->folder);
    return begin_new(session);
}

static void count_solver(Session *session, const SolverReport *report)
{
    session->totals.iterations += report->iterations;
    session->summary.iterations += report->iterations;
    session->totals.unconverged_steps += stop_is_short(report->stop);
    session->summary.unconverged_steps += stop_is_short(report->stop);
    session->summary.line_search_steps += report->stop == STOP_LINE_SEARCH;
}

// An integrator that has become unstable may well run to the end: at least it is said, once.
static void warn_energy(Session *session)
{
    const Simulation *simulation = &session->simulation;
    const EnergySources *sources = &session->energy_sources;
    if (energy_watch_notices(&session->energy_watch, sources, &simulation->diagnosis,
                             simulation->integrator.state.dissipated))
        context_log(
            session->context, VELA_LOG_WARNING,
            "step %lld: the total energy has grown from %.3g J to %.3g J, by more than the %.3g J that the motion had to "
            "draw on, and nothing drives it: this comes from %s; a smaller time.step, or an integrator that damps, may "
            "help",
            (long long)simulation->step, sources->first_total, diagnosis_total(&simulation->diagnosis),
            sources->start + sources->fall, WORDS_INTEGRATOR.known[simulation->scene.integrator]);
}

// What stopped short is said once, at the end.
static void warn_unconverged(const Session *session)
{
    const VelaRunSummary *summary = &session->summary;
    const SolverDef *solver = &session->simulation.scene.solver;
    if (summary->unconverged_steps == 0)
        return;
    if (solver->type == SOLVER_COMPLIANT) {
        context_log(
            session->context, VELA_LOG_WARNING,
            "%lld of %lld steps had a system that MINRES left above the relative residual %g (column stop of "
            "diagnostics.csv)",
            (long long)summary->unconverged_steps, (long long)(session->step_count - summary->first_step),
            solver->linear_tolerance);
        return;
    }
    const int64_t limited = summary->unconverged_steps - summary->line_search_steps;
    char reasons[160] = "";
    int length = 0;
    if (limited > 0)
        length = snprintf(reasons, sizeof reasons, ": %lld reached max_iterations (%d)", (long long)limited,
                          solver->max_iterations);
    if (summary->line_search_steps > 0)
        snprintf(reasons + length, sizeof reasons - (size_t)length,
                 "%s in %lld the line search found no step", limited > 0 ? "," : ":",
                 (long long)summary->line_search_steps);
    context_log(session->context, VELA_LOG_WARNING,
                "%lld of %lld steps stopped before the tolerance %g%s (column stop of diagnostics.csv)",
                (long long)summary->unconverged_steps, (long long)(session->step_count - summary->first_step),
                solver->tolerance, reasons);
}

static VelaResult verify(Session *session)
{
    if (!session->def->verify)
        return VELA_OK;
    const double start = clock_seconds();
    const VelaResult result = verification_check(&session->verification);
    session->phases[PART_VERIFY].seconds += clock_seconds() - start;
    return result;
}

// Once: gaps this small say that the barrier is too soft for what presses.
static void warn_gap(Session *session)
{
    const SceneDef *scene = &session->simulation.scene;
    const double gap = session->simulation.diagnosis.min_distance;
    if (session->gap_warned || scene->contact.model != CONTACT_BARRIER ||
        gap >= 1e-3 * scene->contact.distance)
        return;
    session->gap_warned = true;
    context_log(
        session->context, VELA_LOG_WARNING,
        "step %lld: a gap of %.3g m, below a thousandth of contact.distance: a larger contact.stiffness than "
        "%.3g N/m would keep surfaces further apart",
        (long long)session->simulation.step, gap, session->simulation.model.contact.stiffness);
}

static VelaResult one_step(Session *session)
{
    Simulation *simulation = &session->simulation;
    const int32_t every = simulation->scene.checkpoint_every;
    StepReport report;
    const double start = clock_seconds();
    TRY(simulation_check_prescribed(simulation));
    session->context->note = report_iteration;
    session->context->note_user = session;
    const VelaResult stepped = simulation_step(simulation, &report);
    session->context->note = NULL;
    const double seconds = clock_seconds() - start;
    if (stepped == VELA_ERROR_INTERRUPTED)
        return context_fail(session->context, stepped,
                            "%s; the step was given up, --resume goes on from the checkpoint of step %lld",
                            session->context->message, (long long)session->summary.checkpoint_step);
    if (stepped != VELA_OK)
        return explain_failure(simulation, stepped);
    session->phases[PART_STEPS].seconds += seconds;
    count_solver(session, &report.solver);
    energy_sources_add(&session->energy_sources, &session->initial, &simulation->diagnosis);
    warn_energy(session);
    warn_gap(session);
    session->summary.step = simulation->step;
    TRY(session_save_row(session, &report, 1e3 * seconds));
    TRY(verify(session));
    const int64_t frame = session_frame_after(&simulation->scene, simulation->step, session->step_count);
    if (frame >= 0)
        TRY(session_save_frame(session, frame));
    const bool is_late = clock_seconds() - session->checkpoint_at > CHECKPOINT_SECONDS;
    if (is_late || (every > 0 && simulation->step % every == 0) || simulation->step == session->step_count)
        TRY(session_save_checkpoint(session));
    report_progress(session, VELA_PHASE_SIMULATE, &report, 1e3 * seconds, NULL);
    return VELA_OK;
}

static VelaResult simulate(Session *session)
{
    Simulation *simulation = &session->simulation;
    TRY(verify(session));
    session->stepping_since = clock_seconds();
    report_progress(session, VELA_PHASE_SIMULATE, NULL, 0, NULL);
    while (simulation->step < session->step_count) {
        if (session->context->interrupted) {
            TRY(session_save_checkpoint(session));
            return context_fail(session->context, VELA_ERROR_INTERRUPTED,
                                "interrupted after step %lld of %lld; --resume goes on from there",
                                (long long)simulation->step, (long long)session->step_count);
        }
        TRY(one_step(session));
    }
    return VELA_OK;
}

static void report_image(void *user)
{
    report_progress(user, VELA_PHASE_IMAGES, NULL, 0, NULL);
}

static VelaResult run(Session *session)
{
    report_progress(session, VELA_PHASE_PREPARE, NULL, 0, NULL);
    TRY(prepare(session));
    if (session->def->render && session->simulation.scene.images)
        TRY(images_create(session->context, &session->simulation.model, &session->topology, session->folder,
                          &session->images));
    session->record.render_device = session->images ? images_device_name(session->images) : NULL;
    TRY(begin(session));
    session->phases[PART_PREPARE].seconds = clock_seconds() - session->started;
    TRY(simulate(session));
    if (session->images) {
        const double start = clock_seconds();
        TRY(images_finish(session->images, report_image, session));
        session->phases[PART_IMAGES].seconds += clock_seconds() - start;
        session->summary.images = images_done(session->images);
    }
    TRY(session_save_record(session, RUN_FINISHED, NULL));
    report_progress(session, VELA_PHASE_FINISH, NULL, 0, NULL);
    warn_unconverged(session);
    return VELA_OK;
}

// Says in the message what is safe, and records the end in run.json; the first error stays the one that is reported.
static VelaResult record_failure(Session *session, VelaResult result)
{
    if (!session->folder_is_ours)
        return result;
    if (result != VELA_ERROR_INTERRUPTED) {
        char message[sizeof session->context->message];
        memcpy(message, session->context->message, sizeof message);
        context_fail(session->context, result,
                     "%s\n%s: %lld frames and a checkpoint of step %lld are safe there", message,
                     session->folder, (long long)session->summary.frames,
                     (long long)session->summary.checkpoint_step);
    }
    char message[sizeof session->context->message];
    memcpy(message, session->context->message, sizeof message);
    session_save_record(session, result == VELA_ERROR_INTERRUPTED ? RUN_INTERRUPTED : RUN_FAILED, message);
    memcpy(session->context->message, message, sizeof message);
    return result;
}

VelaResult vela_run(VelaContext *context, const VelaRunDef *def, VelaRunSummary *summary)
{
    Session session = {.context = context, .def = def, .started = clock_seconds(), .folder_lock = -1};
    session.summary.checkpoint_step = -1;
    NumericLocale locale;
    VelaResult result = numeric_locale_enter(context, &locale);
    if (result == VELA_OK)
        result = check_def(context, def);
    if (result == VELA_OK) {
        result = run(&session);
        if (result != VELA_OK)
            result = record_failure(&session, result);
    }
    session.summary.wall_seconds = clock_seconds() - session.started;
    atomic_store(&context->last_words, NULL);
    images_destroy(session.images);
    step_table_close(&session.diagnostics);
    step_table_close(&session.reactions_table);
    simulation_destroy(&session.simulation);
    run_folder_unlock(session.folder_lock);
    numeric_locale_leave(&locale);
    if (summary)
        *summary = session.summary;
    return result;
}
