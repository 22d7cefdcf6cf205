#include "scene/keys.h"
#include "scene/write_parts.h"

static void write_end(Writer *w, const SceneDef *scene, const ConstraintEnd *end)
{
    open_group(w, NULL, "{");
    if (end->body < 0) {
        write_vector(w, "point", end->point);
        write_motion(w, &end->motion);
    } else {
        write_string(w, "body", scene->bodies[end->body].name);
        if (end->is_node)
            write_number(w, "node", end->node);
        else
            write_vector(w, "nearest", end->point);
    }
    close_group(w, "}");
}

static void write_constraint(Writer *w, const SceneDef *scene, const ConstraintDef *constraint)
{
    const ConstraintType type = constraint->type;
    const bool joins = type == CONSTRAINT_BALL || type == CONSTRAINT_HINGE;
    open_group(w, NULL, "{");
    if (constraint->name[0])
        write_string(w, "name", constraint->name);
    write_string(w, "type", WORDS_CONSTRAINT.known[type]);
    write_number(w, "compliance", constraint->compliance);
    open_group(w, "between", "[");
    for (int32_t i = 0; i < constraint->end_count; ++i) {
        const int32_t body = constraint->ends[i].body;
        if (joins)
            write_string(w, NULL, body < 0 ? "world" : scene->bodies[body].name);
        else
            write_end(w, scene, &constraint->ends[i]);
    }
    close_group(w, "]");
    if (joins)
        write_vector(w, "at", constraint->at);
    if (type == CONSTRAINT_HINGE)
        write_vector(w, "axis", constraint->axis);
    if (constraint->has_limits) {
        put_key(w, "limits_degrees");
        put_numbers(w, constraint->limits_degrees, 2);
    }
    if (constraint->has_length)
        write_number(w, "length", constraint->length);
    if (constraint->has_angle)
        write_number(w, "angle_degrees", constraint->angle_degrees);
    if (type == CONSTRAINT_DISTANCE || type == CONSTRAINT_ANGLE)
        write_string(w, "side", WORDS_SIDE.known[constraint->side]);
    close_group(w, "}");
}

void write_constraints(Writer *w, const SceneDef *scene)
{
    if (scene->constraint_count == 0)
        return;
    open_group(w, "constraints", "[");
    for (int32_t i = 0; i < scene->constraint_count; ++i)
        write_constraint(w, scene, &scene->constraints[i]);
    close_group(w, "]");
}
