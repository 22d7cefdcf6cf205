#include "api/session.h"

#include "api/frame_constraints.h"
#include "api/images.h"
#include "api/shell_energy.h"
#include "api/stress.h"
#include "base/clock.h"

#include <math.h>
#include <string.h>

// Elements of bodies whose vertices are their nodes, by vertices; `elements`: their numbers, NULL if nobody asks.
static VelaResult elements_over_vertices(const Model *model, int32_t kind, Arena *arena, int32_t *count,
                                         const int32_t **vertices, const int32_t **elements)
{
    const ElementGroup *group = &model->groups[kind];
    const int32_t corners = group->kind->corners;
    int32_t *found, *numbers = NULL;
    TRY(ARENA_ARRAY(arena, found, corners * (size_t)group->count));
    if (elements)
        TRY(ARENA_ARRAY(arena, numbers, group->count));
    for (int32_t b = 0, next = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const int32_t first = body->first_elements[kind], shift = body->first_vertex - body->first_node;
        for (int32_t e = first; e < first + body->element_counts[kind]; ++e, ++next) {
            for (int32_t c = 0; c < corners; ++c)
                found[corners * next + c] = group->nodes[corners * e + c] + shift;
            if (numbers)
                numbers[next] = group->first_element + e;
        }
    }
    *count = group->count;
    *vertices = found;
    if (elements)
        *elements = numbers;
    return VELA_OK;
}

// What is drawn: a body's skin in place of its own surface.
static VelaResult add_triangles(const Model *model, Arena *arena, FrameBody *bodies, FrameTopology *topology)
{
    int32_t *triangles, *elements;
    topology->triangles = model->triangles;
    topology->triangle_elements = model->triangle_elements;
    topology->triangle_count = 0;
    for (int32_t b = 0; b < model->body_count; ++b) {
        bodies[b].first_triangle = topology->triangle_count;
        bodies[b].triangle_count =
            model_body_triangles(&model->bodies[b], model->bodies[b].skin != NULL).count;
        topology->triangle_count += bodies[b].triangle_count;
    }
    if (topology->triangle_count == model->triangle_count)
        return VELA_OK; // no body has two surfaces
    TRY(ARENA_ARRAY(arena, triangles, 3 * (size_t)topology->triangle_count));
    TRY(ARENA_ARRAY(arena, elements, topology->triangle_count));
    for (int32_t b = 0; b < model->body_count; ++b) {
        const TriangleRange from = model_body_triangles(&model->bodies[b], model->bodies[b].skin != NULL);
        const size_t to = (size_t)bodies[b].first_triangle, count = (size_t)from.count;
        if (count == 0)
            continue;
        memcpy(triangles + 3 * to, model->triangles + 3 * (size_t)from.first, 3 * count * sizeof *triangles);
        memcpy(elements + to, model->triangle_elements + from.first, count * sizeof *elements);
    }
    topology->triangles = triangles;
    topology->triangle_elements = elements;
    return VELA_OK;
}

static VelaResult add_cables(const Model *model, Arena *arena, FrameTopology *topology)
{
    int32_t count = 0, segment = 0;
    FrameCable *cables;
    for (int32_t b = 0; b < model->body_count; ++b)
        count += model->scene->bodies[b].type == BODY_CABLE ? model->bodies[b].copy_count : 0;
    TRY(ARENA_ARRAY(arena, cables, count));
    topology->cables = cables;
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const int32_t segments = body->element_counts[ELEMENT_SEGMENT] / body->copy_count;
        for (int32_t copy = 0; segments > 0 && copy < body->copy_count; ++copy, segment += segments)
            cables[topology->cable_count++] = (FrameCable){.body = b,
                                                           .first_segment = segment,
                                                           .segment_count = segments,
                                                           .radius = model->scene->bodies[b].radius};
    }
    return elements_over_vertices(model, ELEMENT_SEGMENT, arena, &topology->segment_count,
                                  &topology->segments, &topology->segment_elements);
}

VelaResult session_topology(const Model *model, Arena *arena, FrameTopology *topology)
{
    FrameBody *bodies;
    double *rest;
    TRY(ARENA_ARRAY(arena, bodies, model->body_count));
    TRY(ARENA_ARRAY(arena, rest, 3 * (size_t)model->vertex_count));
    model_vertices(model, model->rest_positions, rest);
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const LookDef *look = &model->scene->bodies[b].look;
        bodies[b] = (FrameBody){.name = body->name,
                                .first_vertex = body->first_vertex,
                                .vertex_count = body->vertex_count + body->skin_vertex_count,
                                .skin_vertex_count = body->skin_vertex_count,
                                .first_tet = body->first_elements[ELEMENT_TET],
                                .tet_count = body->element_counts[ELEMENT_TET],
                                .roughness = look->roughness};
        memcpy(bodies[b].color, look->color, sizeof look->color);
    }
    *topology = (FrameTopology){.vertex_count = model->vertex_count,
                                .element_count = model->element_count,
                                .body_count = model->body_count,
                                .rest_positions = rest,
                                .bodies = bodies};
    TRY(add_triangles(model, arena, bodies, topology));
    TRY(elements_over_vertices(model, ELEMENT_TET, arena, &topology->tet_count, &topology->tets, NULL));
    return add_cables(model, arena, topology);
}

int64_t session_frame_after(const SceneDef *scene, int64_t step, int64_t step_count)
{
    if (step % scene->frame_every == 0)
        return step / scene->frame_every;
    return step == step_count ? step / scene->frame_every + 1 : -1;
}

int64_t session_frame_count(const SceneDef *scene, int64_t step_count)
{
    return session_frame_after(scene, step_count, step_count) + 1;
}

VelaResult session_save_frame(Session *session, int64_t index)
{
    Simulation *simulation = &session->simulation;
    Frame *frame = &session->frame;
    const double start = clock_seconds();
    frame->index = index;
    frame->step = simulation->step;
    frame->time = simulation_time(simulation);
    const Model *model = &simulation->model;
    TRY(device_state_read(simulation->device, SLOT_VELOCITY, session->nodes));
    model_vertices(model, session->nodes, frame->velocities);
    TRY(device_state_read(simulation->device, SLOT_POSITION, session->nodes));
    model_vertices(model, session->nodes, frame->positions);
    TRY(device_fields(simulation->device, SLOT_POSITION, frame->stretch, frame->energy_density));
    shell_energy_add(model, session->hinge_sides, frame->energy_density);
    if (frame->stress)
        stress_find(model, session->nodes, session->context->threads, frame->stress, frame->strain);
    TRY(frame_constraints_fill(simulation, &session->topology, session->nodes, frame));
    TRY(frame_write(session->context, session->folder, &session->topology, frame));
    session->record.frames_done = session->summary.frames = index + 1;
    session->phases[PART_OUTPUT].seconds += clock_seconds() - start;
    if (session->images)
        TRY(images_add(session->images, frame));
    return VELA_OK;
}

// Why the solver stopped and how near it came, where there was anything to solve.
static void add_solver(DiagnosticsRow *row, SolverType type, const SolverReport *report)
{
    if (report->stop == STOP_NONE)
        return;
    row->primal_residual = report->primal;
    row->stop = stop_name(report->stop);
    if (type == SOLVER_ADMM)
        row->dual_residual = report->dual;
    else
        row->step_length = report->shortest_step;
}

VelaResult session_prepare_reactions(Session *session, Arena *arena)
{
    enum { NAME_CAPACITY = 64 };
    Reactions *reactions = &session->reactions;
    TRY(reactions_create(&session->simulation.model, arena, reactions));
    const int32_t count = reactions->pin_count + reactions->obstacle_count;
    char(*names)[NAME_CAPACITY];
    const char **list;
    if (count == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, names, count));
    TRY(ARENA_ARRAY(arena, list, count));
    for (int32_t i = 0; i < count; ++i) {
        reactions_name(reactions, i, names[i], sizeof names[i]);
        list[i] = names[i];
    }
    return reactions_header(arena, count, list, &session->reactions_header);
}

VelaResult session_open_tables(Session *session, bool append)
{
    const int64_t step = session->simulation.step;
    if (append) {
        TRY(diagnostics_truncate(session->context, session->folder, step));
        if (session->reactions_header)
            TRY(reactions_truncate(session->context, session->folder, session->reactions_header, step));
    }
    TRY(diagnostics_open(&session->diagnostics, session->context, session->folder, append));
    return session->reactions_header ? reactions_open(&session->reactions_table, session->context,
                                                      session->folder, session->reactions_header, append)
                                     : VELA_OK;
}

static VelaResult save_reactions(Session *session, bool after_step)
{
    Reactions *reactions = &session->reactions;
    EnergySources *sources = &session->energy_sources;
    if (!session->reactions_header && session->simulation.model.anchor_count == 0)
        return VELA_OK;
    TRY(reactions_find(&session->simulation, after_step, reactions));
    if (after_step)
        energy_sources_pull(sources, session->simulation.scene.step, reactions->power, reactions->kinetic);
    else {
        sources->power = reactions->power;
        sources->kinetic = reactions->kinetic;
    }
    if (!session->reactions_header)
        return VELA_OK;
    return reactions_write(&session->reactions_table, session->simulation.step,
                           simulation_time(&session->simulation),
                           reactions->pin_count + reactions->obstacle_count, reactions->values[0].force);
}

VelaResult session_save_row(Session *session, const StepReport *report, double step_ms)
{
    const Simulation *simulation = &session->simulation;
    const Diagnosis *state = &simulation->diagnosis;
    DiagnosticsRow row = diagnostics_empty_row(simulation->step, simulation_time(simulation));
    row.kinetic = state->kinetic;
    row.elastic = state->elastic;
    row.gravitational = state->gravitational;
    row.contact = state->contact;
    row.constraint = state->constraint;
    row.constraint_error = state->constraint_error;
    row.total = diagnosis_total(state);
    row.dissipated = simulation->integrator.state.dissipated;
    row.dissipated_by[0] = row.dissipated;
    for (int k = 0; k < DAMPING_TYPES; ++k) {
        row.dissipated_by[1 + k] = simulation->integrator.state.damped[k];
        row.dissipated_by[0] -= row.dissipated_by[1 + k];
    }
    row.loads = state->loads;
    TRY(save_reactions(session, report != NULL));
    row.work = simulation->integrator.state.work + session->energy_sources.pulled;
    row.lost_in_time = session->energy_sources.first_total + row.work - row.total - row.dissipated;
    memcpy(row.linear_momentum, state->linear_momentum, sizeof row.linear_momentum);
    memcpy(row.angular_momentum, state->angular_momentum, sizeof row.angular_momentum);
    memcpy(row.center, state->center, sizeof row.center);
    row.min_det_f = state->min_det_f;
    if (isfinite(state->min_distance))
        row.min_distance = state->min_distance;
    if (report) {
        row.target = report->target;
        row.alpha = report->alpha;
        row.alpha_case = alpha_case_name(report->alpha_case);
        row.iterations = report->solver.iterations;
        row.linear_iterations = report->solver.linear_iterations;
        add_solver(&row, simulation->scene.solver.type, &report->solver);
        row.substeps = report->substeps;
        row.step_ms = step_ms;
    } else {
        TRY(integrator_start_target(&session->simulation.integrator, simulation_time(simulation),
                                    &row.target));
    }
    TRY(diagnostics_write(&session->diagnostics, &row));
    return VELA_OK;
}

void session_prepare_last_words(Session *session)
{
    char message[160];
    LastWords *words = session->last_words + (session->last_words_used ^= 1);
    RunRecord record = session->record;
    snprintf(message, sizeof message,
             "stopped at once by a second interrupt; the checkpoint of step %lld is safe",
             (long long)session->summary.checkpoint_step);
    record.state = RUN_INTERRUPTED;
    record.message = message;
    record.steps_done = session->summary.checkpoint_step;
    record.iterations = session->totals.iterations;
    record.unconverged_steps = session->totals.unconverged_steps;
    record.wall_seconds = clock_seconds() - session->started;
    if (run_record_last_words(session->folder, &record, words))
        atomic_store(&session->context->last_words, words);
}

VelaResult session_save_checkpoint(Session *session)
{
    const double start = clock_seconds();
    char path[RUN_PATH_CAPACITY];
    TRY(run_path(session->context, session->folder, "checkpoint.vck", path));
    const EnergySources *sources = &session->energy_sources;
    _Static_assert(sizeof session->totals.energy_sources == ENERGY_SOURCES_SIZE * sizeof(double),
                   "all of them");
    memcpy(session->totals.energy_sources,
           (double[]){sources->first_total, sources->start, sources->fall, sources->pulled, sources->power,
                      sources->kinetic},
           sizeof session->totals.energy_sources);
    TRY(run_folder_keep_checkpoint(session->context, session->folder));
    TRY(checkpoint_write(&session->simulation, &session->totals, path));
    session->summary.checkpoint_step = session->simulation.step;
    session->checkpoint_at = clock_seconds();
    session_prepare_last_words(session);
    session->phases[PART_OUTPUT].seconds += clock_seconds() - start;
    return VELA_OK;
}

VelaResult session_save_record(Session *session, RunState state, const char *message)
{
    RunRecord *record = &session->record;
    Arena arena = arena_make(session->context);
    record->state = state;
    record->message = message;
    record->steps_done = session->simulation.step;
    record->iterations = session->totals.iterations;
    record->unconverged_steps = session->totals.unconverged_steps;
    record->wall_seconds = clock_seconds() - session->started;
    VelaResult result = VELA_OK;
    if (session->simulation.device) {
        int32_t count;
        const DeviceTiming *timings;
        RunKernel *kernels = NULL;
        // A device that was lost has no timings; how the run ended is recorded all the same.
        if (device_timings(session->simulation.device, &count, &timings) != VELA_OK)
            count = 0;
        result = ARENA_ARRAY(&arena, kernels, count);
        for (int32_t i = 0; result == VELA_OK && i < count; ++i)
            kernels[i] = (RunKernel){timings[i].name, timings[i].count, timings[i].milliseconds};
        record->kernels = kernels;
        record->kernel_count = kernels ? count : 0;
        DeviceInfo info;
        device_information(session->simulation.device, &info);
        record->host_waits = strcmp(info.kind, "cpu") == 0 ? -1 : info.host_waits;
    }
    if (result == VELA_OK)
        result = run_record_write(session->context, session->folder, record);
    if (state != RUN_RUNNING)
        atomic_store(&session->context->last_words, NULL); // this is how it ended
    record->kernels = NULL;
    record->kernel_count = 0;
    record->message = NULL;
    arena_clear(&arena);
    return result;
}
