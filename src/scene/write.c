#include "scene/keys.h"
#include "scene/sections.h"
#include "scene/write_parts.h"

#include <math.h>

static void write_decay(Writer *w, const EnergyDef *energy)
{
    open_group(w, "decay_time", "[");
    for (int32_t i = 0; i < energy->decay_count; ++i) {
        open_group(w, NULL, "{");
        write_number(w, "time", energy->decay[i].time);
        if (isinf(energy->decay[i].value))
            write_null(w, "value");
        else
            write_number(w, "value", energy->decay[i].value);
        close_group(w, "}");
    }
    close_group(w, "]");
}

static void write_integrator(Writer *w, const SceneDef *scene)
{
    const EnergyDef *energy = &scene->energy;
    open_group(w, "integrator", "{");
    write_string(w, "type", WORDS_INTEGRATOR.known[scene->integrator]);
    if (scene->integrator == INTEGRATOR_VARIATIONAL)
        write_number(w, "alpha", scene->alpha);
    if (scene->integrator == INTEGRATOR_A_SEARCH) {
        write_number(w, "alpha_min", energy->alpha_min);
        write_number(w, "alpha_max", energy->alpha_max);
        write_number(w, "initial_energy", energy->initial_energy);
        write_number(w, "ground_energy", energy->ground_energy);
        write_string(w, "variant", WORDS_VARIANT.known[energy->sparse]);
        if (energy->decay_count > 0)
            write_decay(w, energy);
    }
    close_group(w, "}");
}

static void write_compliant(Writer *w, const SolverDef *solver)
{
    if (solver->geometric_stiffness == GEOMETRIC_STIFFNESS_EXACT)
        write_string(w, "geometric_stiffness", "exact");
    else
        write_flag(w, "geometric_stiffness", solver->geometric_stiffness == GEOMETRIC_STIFFNESS_CLAMPED);
    write_number(w, "iterations", solver->iterations);
    open_group(w, "linear", "{");
    if (solver->linear_solve_is_named)
        write_string(w, "type", WORDS_LINEAR.known[solver->linear_solve]);
    write_number(w, "tolerance", solver->linear_tolerance);
    write_number(w, "max_iterations", solver->linear_max_iterations);
    close_group(w, "}");
}

static void write_solver(Writer *w, const SolverDef *solver)
{
    open_group(w, "solver", "{");
    write_string(w, "type", WORDS_SOLVER.known[solver->type]);
    if (solver->type != SOLVER_COMPLIANT) {
        write_number(w, "tolerance", solver->tolerance);
        write_number(w, "max_iterations", solver->max_iterations);
    }
    switch (solver->type) {
    case SOLVER_NEWTON:
        open_group(w, "linear", "{");
        write_number(w, "tolerance", solver->linear_tolerance);
        write_number(w, "max_iterations", solver->linear_max_iterations);
        write_string(w, "preconditioner", WORDS_PRECONDITIONER.known[solver->preconditioner]);
        close_group(w, "}");
        break;
    case SOLVER_ADMM:
        if (solver->penalty > 0)
            write_number(w, "penalty", solver->penalty);
        write_flag(w, "adapt_penalty", solver->adapt_penalty);
        write_string(w, "acceleration", WORDS_ACCELERATION.known[solver->anderson]);
        write_number(w, "depth", solver->depth);
        if (solver->preconditioner_is_named) {
            open_group(w, "linear", "{");
            write_string(w, "preconditioner", WORDS_PRECONDITIONER.known[solver->preconditioner]);
            close_group(w, "}");
        }
        break;
    case SOLVER_COMPLIANT:
        write_compliant(w, solver);
        break;
    }
    if (solver->lag_iterations != LAG_ITERATIONS) // else scenes keep their text, and so their hash
        write_number(w, "lag_iterations", solver->lag_iterations);
    write_flag(w, "strict", solver->strict);
    close_group(w, "}");
}

static void write_settings(Writer *w, const SceneDef *scene)
{
    write_number(w, "version", 1);
    write_string(w, "name", scene->name);
    open_group(w, "time", "{");
    write_number(w, "step", scene->step);
    write_number(w, "duration", scene->duration);
    write_number(w, "frame_every", scene->frame_every);
    close_group(w, "}");
    write_vector(w, "gravity", scene->gravity);
    if (scene->air.drag > 0) {
        open_group(w, "air", "{");
        write_number(w, "drag", scene->air.drag);
        write_vector(w, "wind", scene->air.wind);
        close_group(w, "}");
    }
    write_integrator(w, scene);
    write_solver(w, &scene->solver);
}

static void write_damping(Writer *w, const DampingList *damping)
{
    if (damping->count == 0)
        return;
    open_group(w, "damping", "[");
    for (int32_t i = 0; i < damping->count; ++i) {
        const Damping *entry = &damping->entries[i];
        open_group(w, NULL, "{");
        write_string(w, "type", WORDS_DAMPING.known[entry->type]);
        if (entry->type == DAMPING_STRAIN_RATE) {
            write_number(w, "shear", entry->shear);
            write_number(w, "bulk", entry->bulk);
        } else if (entry->type == DAMPING_POWER_LAW) {
            write_number(w, "coefficient", entry->coefficient);
            write_number(w, "exponent", entry->exponent);
        } else
            write_number(w, "time", entry->time);
        if (entry->type == DAMPING_RAYLEIGH)
            write_number(w, "mass", entry->mass);
        if (entry->type != DAMPING_VARIATIONAL) {
            write_string(w, "correction", WORDS_CORRECTION.known[entry->correction]);
            write_string(w, "form", WORDS_FORM.known[entry->form]);
        }
        if (entry->type == DAMPING_SPLINE) {
            open_group(w, "points", "[");
            for (int32_t p = 0; p < entry->factor.count; ++p) {
                open_group(w, NULL, "[");
                put_key(w, NULL);
                put_number(w, entry->factor.points[p][0]);
                put_key(w, NULL);
                put_number(w, entry->factor.points[p][1]);
                close_group(w, "]");
            }
            close_group(w, "]");
        }
        close_group(w, "}");
    }
    close_group(w, "]");
}

static void write_materials(Writer *w, const SceneDef *scene)
{
    open_group(w, "materials", "{");
    for (int32_t i = 0; i < scene->material_count; ++i) {
        const MaterialDef *material = &scene->materials[i];
        open_group(w, material->name, "{");
        write_string(w, "model", WORDS_MODEL.known[material->model]);
        write_number(w, "density", material->density);
        if (material->youngs_modulus > 0) {
            write_number(w, "youngs_modulus", material->youngs_modulus);
            write_number(w, "poissons_ratio", material->given_ratio);
        } else {
            write_number(w, "kappa", material->kappa);
            write_number(w, "lambda", material->lambda);
        }
        if (material->has_friction)
            write_number(w, "friction", material->friction);
        write_flag(w, "prevent_inversion", material->prevent_inversion);
        write_damping(w, &material->damping);
        close_group(w, "}");
    }
    close_group(w, "}");
}

// Only where there is one: scenes without keep their text, and so their hash.
static void write_weld(Writer *w, const GeometryDef *geometry)
{
    if (geometry->weld > 0)
        write_number(w, "weld", geometry->weld);
}

static void write_geometry(Writer *w, const GeometryDef *geometry, bool with_paths)
{
    const char *kind = KEYS_GEOMETRY.known[geometry->kind];
    open_group(w, "geometry", "{");
    if (geometry->kind == GEOMETRY_MESH) {
        write_string(w, kind, with_paths ? geometry->mesh : "");
        write_weld(w, geometry);
        close_group(w, "}");
        return;
    }
    open_group(w, kind, "{");
    if (geometry->kind == GEOMETRY_BOX) {
        write_vector(w, "size", geometry->size);
        write_integers(w, "cells", geometry->cells, 3);
    } else if (geometry->kind == GEOMETRY_SHEET) {
        put_key(w, "size");
        put_numbers(w, geometry->size, 2);
        write_integers(w, "cells", geometry->cells, 2);
    } else if (geometry->kind == GEOMETRY_CABLE && geometry->points) {
        put_key(w, "points");
        for (int32_t i = 0; i <= geometry->segments; ++i) {
            put_text(w, i ? ", " : "[");
            put_numbers(w, geometry->points[i], 3);
        }
        put_text(w, "]");
    } else if (geometry->kind == GEOMETRY_CABLE) {
        write_vector(w, "from", geometry->from);
        write_vector(w, "to", geometry->to);
        write_number(w, "segments", geometry->segments);
    } else {
        write_number(w, "radius", geometry->radius);
        if (geometry->kind == GEOMETRY_CYLINDER)
            write_number(w, "length", geometry->length);
        if (geometry->kind == GEOMETRY_TORUS)
            write_number(w, "tube", geometry->tube);
        write_number(w, "resolution", geometry->resolution);
    }
    close_group(w, "}");
    write_weld(w, geometry);
    close_group(w, "}");
}

static void write_select(Writer *w, const SelectDef *select)
{
    if (select->kind == SELECT_ALL) {
        write_string(w, "select", "all");
        return;
    }
    const char *kind = KEYS_SELECT.known[select->kind];
    open_group(w, "select", "{");
    if (select->kind == SELECT_BOX) {
        put_key(w, kind);
        put_text(w, "[");
        put_numbers(w, select->box[0], 3);
        put_text(w, ", ");
        put_numbers(w, select->box[1], 3);
        put_text(w, "]");
    } else if (select->kind == SELECT_SPHERE) {
        open_group(w, kind, "{");
        write_vector(w, "center", select->center);
        write_number(w, "radius", select->radius);
        close_group(w, "}");
    } else if (select->kind == SELECT_NODES) {
        write_integers(w, kind, select->nodes, select->node_count);
    } else if (select->kind == SELECT_NEAREST) {
        write_vector(w, kind, select->nearest);
    } else {
        write_string(w, kind, select->group);
    }
    close_group(w, "}");
}

static void write_load(Writer *w, const LoadDef *load)
{
    const char *key = load->is_pressure ? "pressure" : "force";
    open_group(w, NULL, "{");
    if (!load->is_pressure)
        write_select(w, &load->select);
    open_group(w, key, "[");
    for (int32_t i = 0; i < load->key_count; ++i) {
        open_group(w, NULL, "{");
        write_number(w, "time", load->keys[i].time);
        if (load->is_pressure)
            write_number(w, "value", load->keys[i].value[0]);
        else
            write_vector(w, "value", load->keys[i].value);
        close_group(w, "}");
    }
    close_group(w, "]");
    close_group(w, "}");
}

static void write_axes(Writer *w, const PinDef *pin)
{
    char word[4];
    int length = 0;
    if (pin->axes == AXES_ALL)
        return;
    for (int k = 0; k < 3; ++k)
        if (pin->axes >> k & 1)
            word[length++] = "xyz"[k];
    word[length] = '\0';
    write_string(w, "axes", word);
    if (pin->frame_degrees == 0)
        return;
    open_group(w, "frame", "{");
    write_vector(w, "axis", pin->frame_axis);
    write_number(w, "degrees", pin->frame_degrees);
    close_group(w, "}");
}

static void write_look(Writer *w, const LookDef *look)
{
    open_group(w, "look", "{");
    write_vector(w, "color", look->color);
    write_number(w, "roughness", look->roughness);
    close_group(w, "}");
}

static void write_placement(Writer *w, double scale, const double axis[3], double degrees,
                            const double translate[3])
{
    write_number(w, "scale", scale);
    open_group(w, "rotate", "{");
    write_vector(w, "axis", axis);
    write_number(w, "degrees", degrees);
    close_group(w, "}");
    write_vector(w, "translate", translate);
}

// What only some types of bodies have.
static void write_type_keys(Writer *w, const BodyDef *body, bool with_paths)
{
    if (body->type == BODY_CABLE) {
        write_number(w, "radius", body->radius);
        write_number(w, "bending_modulus", body->bending_modulus);
        write_number(w, "rest_scale", body->rest_scale[0]);
    }
    if (body->type == BODY_SHELL) {
        write_number(w, "thickness", body->thickness);
        write_string(w, "bending", WORDS_BENDING.known[body->bending]);
        write_number(w, "bending_modulus", body->bending_modulus);
        if (body->rest_scale[0] == body->rest_scale[1]) {
            write_number(w, "rest_scale", body->rest_scale[0]);
        } else {
            put_key(w, "rest_scale");
            put_numbers(w, body->rest_scale, 2);
        }
    }
    if (body->type == BODY_AFFINE)
        write_number(w, "stiffness", body->stiffness);
    if (body->type == BODY_SOLID) {
        open_group(w, "twist", "{");
        write_vector(w, "axis", body->twist_axis);
        write_number(w, "degrees", body->twist_degrees);
        close_group(w, "}");
    }
    if (body->in_constraint_form)
        write_string(w, "formulation", WORDS_FORMULATION.known[1]);
    if (body->skin.mesh) {
        open_group(w, "skin", "{");
        write_string(w, "mesh", with_paths ? body->skin.mesh : "");
        write_flag(w, "contact", body->skin.contact);
        close_group(w, "}");
    }
    if (body->contact_thickness > 0 || body->type == BODY_CABLE || body->type == BODY_SHELL)
        write_number(w, "contact_thickness", body->contact_thickness);
    if (body->point_mass_count == 0)
        return;
    open_group(w, "point_masses", "[");
    for (int32_t i = 0; i < body->point_mass_count; ++i) {
        open_group(w, NULL, "{");
        write_select(w, &body->point_masses[i].select);
        write_number(w, "mass", body->point_masses[i].mass);
        close_group(w, "}");
    }
    close_group(w, "]");
}

static void write_body(Writer *w, const SceneDef *scene, const BodyDef *body, bool with_paths)
{
    open_group(w, NULL, "{");
    write_string(w, "name", body->name);
    write_string(w, "type", WORDS_BODY.known[body->type]);
    write_geometry(w, &body->geometry, with_paths);
    write_string(w, "material", scene->materials[body->material].name);
    write_placement(w, body->scale, body->rotate_axis, body->rotate_degrees, body->translate);
    write_type_keys(w, body, with_paths);
    write_vector(w, "velocity", body->velocity);
    write_vector(w, "angular_velocity", body->angular_velocity);
    write_matrix(w, "velocity_gradient", body->velocity_gradient);
    open_group(w, "array", "{");
    write_integers(w, "count", body->array_count, 3);
    write_vector(w, "spacing", body->array_spacing);
    close_group(w, "}");
    if (body->region_count > 0) {
        open_group(w, "regions", "[");
        for (int32_t i = 0; i < body->region_count; ++i) {
            open_group(w, NULL, "{");
            write_select(w, &body->regions[i].select);
            write_string(w, "material", scene->materials[body->regions[i].material].name);
            close_group(w, "}");
        }
        close_group(w, "]");
    }
    open_group(w, "pins", "[");
    for (int32_t i = 0; i < body->pin_count; ++i) {
        open_group(w, NULL, "{");
        write_select(w, &body->pins[i].select);
        write_motion(w, &body->pins[i].motion);
        write_axes(w, &body->pins[i]);
        close_group(w, "}");
    }
    close_group(w, "]");
    if (body->load_count > 0) {
        open_group(w, "loads", "[");
        for (int32_t i = 0; i < body->load_count; ++i)
            write_load(w, &body->loads[i]);
        close_group(w, "]");
    }
    write_look(w, &body->look);
    close_group(w, "}");
}

static void write_obstacle_shape(Writer *w, const ObstacleDef *obstacle, bool with_paths)
{
    switch (obstacle->kind) {
    case OBSTACLE_PLANE:
        open_group(w, "plane", "{");
        write_vector(w, "point", obstacle->point);
        write_vector(w, "normal", obstacle->normal);
        close_group(w, "}");
        break;
    case OBSTACLE_SPHERE:
        open_group(w, "sphere", "{");
        write_vector(w, "center", obstacle->center);
        write_number(w, "radius", obstacle->radius);
        close_group(w, "}");
        break;
    case OBSTACLE_MESH:
        write_string(w, "mesh", with_paths ? obstacle->mesh : "");
        write_placement(w, obstacle->scale, obstacle->rotate_axis, obstacle->rotate_degrees,
                        obstacle->translate);
        break;
    }
}

static void write_obstacle(Writer *w, const ObstacleDef *obstacle, bool with_paths)
{
    open_group(w, NULL, "{");
    write_string(w, "name", obstacle->name);
    write_obstacle_shape(w, obstacle, with_paths);
    if (obstacle->has_friction)
        write_number(w, "friction", obstacle->friction);
    write_motion(w, &obstacle->motion);
    write_look(w, &obstacle->look);
    close_group(w, "}");
}

static void write_barrier(Writer *w, const ContactDef *contact)
{
    write_number(w, "distance", contact->distance);
    write_flag(w, "self", contact->self);
    if (contact->clearance >= 0)
        write_number(w, "clearance", contact->clearance);
    write_string(w, "friction_model", WORDS_FRICTION_MODEL.known[contact->friction_model]);
}

static void write_friction(Writer *w, const ContactDef *contact)
{
    write_number(w, "friction", contact->friction);
    write_number(w, "friction_speed", contact->friction_speed);
    write_number(w, "friction_iterations", contact->friction_iterations);
    open_group(w, "pairs", "[");
    for (int32_t i = 0; i < contact->pair_count; ++i) {
        const FrictionPairDef *pair = &contact->pairs[i];
        open_group(w, NULL, "{");
        open_group(w, "between", "[");
        write_string(w, NULL, pair->names[0]);
        write_string(w, NULL, pair->names[1]);
        close_group(w, "]");
        if (pair->has_friction)
            write_number(w, "friction", pair->friction);
        if (pair->no_contact)
            write_flag(w, "contact", false);
        close_group(w, "}");
    }
    close_group(w, "]");
}

static void write_contact(Writer *w, const ContactDef *contact)
{
    if (contact->model == CONTACT_NONE)
        return;
    open_group(w, "contact", "{");
    write_string(w, "model", WORDS_CONTACT.known[contact->model - CONTACT_PENALTY]);
    if (contact->stiffness > 0)
        write_number(w, "stiffness", contact->stiffness);
    if (contact->model == CONTACT_BARRIER)
        write_barrier(w, contact);
    write_friction(w, contact);
    close_group(w, "}");
}

static void write_rest(Writer *w, const SceneDef *scene)
{
    write_constraints(w, scene);
    write_contact(w, &scene->contact);
    open_group(w, "render", "{");
    write_integers(w, "size", scene->image_size, 2);
    if (scene->has_camera) {
        open_group(w, "camera", "{");
        write_vector(w, "eye", scene->eye);
        write_vector(w, "target", scene->target);
        write_number(w, "fov_degrees", scene->fov_degrees);
        close_group(w, "}");
    }
    write_string(w, "color_by", WORDS_COLOR_BY.known[scene->color_by]);
    if (scene->has_color_range) {
        put_key(w, "color_range");
        put_numbers(w, scene->color_range, 2);
    }
    if (scene->draw_joints)
        write_flag(w, "joints", true);
    close_group(w, "}");
    open_group(w, "output", "{");
    write_string(w, "images", WORDS_IMAGES.known[scene->images]);
    write_number(w, "checkpoint_every", scene->checkpoint_every);
    if (scene->stress)
        write_flag(w, "stress", true);
    close_group(w, "}");
}

VelaResult scene_write_text(Arena *arena, const SceneDef *scene, bool with_paths, const char **text,
                            size_t *length)
{
    Writer w = {.arena = arena, .first = true};
    open_group(&w, NULL, "{");
    write_settings(&w, scene);
    write_materials(&w, scene);
    open_group(&w, "bodies", "[");
    for (int32_t i = 0; i < scene->body_count; ++i)
        write_body(&w, scene, &scene->bodies[i], with_paths);
    close_group(&w, "]");
    open_group(&w, "obstacles", "[");
    for (int32_t i = 0; i < scene->obstacle_count; ++i)
        write_obstacle(&w, &scene->obstacles[i], with_paths);
    close_group(&w, "]");
    write_rest(&w, scene);
    close_group(&w, "}");
    put_text(&w, "\n");
    *text = w.text;
    *length = w.length;
    return w.result;
}
