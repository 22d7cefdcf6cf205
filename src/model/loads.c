#include "model/loads.h"

#include "base/matrix3.h"
#include "scene/select.h"

#include <string.h>

bool body_has_pressure(const BodyDef *def)
{
    for (int32_t l = 0; l < def->load_count; ++l)
        if (def->loads[l].is_pressure)
            return true;
    return false;
}

void model_add_pressure_elements(const BodyMesh *loaded, const ModelBody *body, Model *model)
{
    ElementGroup *group = &model->groups[ELEMENT_PRESSURE];
    const int kind = loaded->element_counts[ELEMENT_TET] > 0 ? ELEMENT_TET : ELEMENT_AFFINE;
    const ElementGroup *from = &model->groups[kind];
    const int32_t count = loaded->element_counts[ELEMENT_PRESSURE] * loaded->copy_count;
    for (int32_t e = 0; e < count; ++e) {
        const size_t own = (size_t)(body->first_elements[ELEMENT_PRESSURE] + e),
                     other = (size_t)(body->first_elements[kind] + e);
        memcpy(group->nodes + 4 * own, from->nodes + 4 * other, 4 * sizeof *group->nodes);
        memcpy(group->shapes + 9 * own, from->shapes + 9 * other, 9 * sizeof *group->shapes);
        group->volumes[own] = from->volumes[other];
    }
}

void model_add_pressures(Model *model)
{
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        if (body->element_counts[ELEMENT_PRESSURE] == 0)
            continue;
        ModelPressure *pressure = &model->pressures[model->pressure_count++];
        *pressure = (ModelPressure){.def = &model->scene->bodies[b], .material = model->material_count++};
        for (int32_t l = 0; l < pressure->def->load_count; ++l)
            pressure->changes |= pressure->def->loads[l].is_pressure && pressure->def->loads[l].key_count > 1;
        model->loads_change |= pressure->changes;
        model->materials[pressure->material].formula.kappa = model_pressure(pressure, 0);
        for (int32_t e = 0; e < body->element_counts[ELEMENT_PRESSURE]; ++e)
            model->groups[ELEMENT_PRESSURE].materials[body->first_elements[ELEMENT_PRESSURE] + e] =
                pressure->material;
    }
}

// Shares of the selected vertices of a body without masses at its vertices: all of it is pulled at its centre, a part of it
// evenly.
static void share_vertices(const ModelBody *body, const BodyMesh *loaded, int32_t count,
                           const int32_t *selected, const Model *model, double *shares)
{
    const bool whole = count == loaded->vertex_count;
    for (int32_t i = 0; i < count && !whole; ++i) {
        int32_t nodes[SURFACE_NODES_MOST];
        double weights[SURFACE_NODES_MOST];
        const int terms = model_vertex_nodes(body, selected[i], nodes, weights);
        for (int k = 0; k < terms; ++k)
            shares[nodes[k] - body->first_node] += weights[k] / count;
    }
    for (int32_t i = 0; i < loaded->node_count && whole; ++i)
        shares[i] = model->gravity_weights[body->first_node + i];
}

static VelaResult add_force(VelaContext *context, const LoadDef *def, const ModelBody *body,
                            const BodyMesh *loaded, const double *places, Arena *arena, Model *model)
{
    int32_t count, *selected;
    double *shares, sum = 0;
    ModelForce *force = &model->forces[model->force_count++];
    TRY(select_nodes(context, &def->select, loaded->vertex_count, places, loaded->mesh.group_count,
                     loaded->mesh.groups, arena, &count, &selected));
    TRY(ARENA_ARRAY(arena, shares, loaded->node_count));
    if (body->vertices)
        share_vertices(body, loaded, count, selected, model, shares);
    for (int32_t i = 0; i < count && !body->vertices; ++i)
        shares[selected[i]] = model->masses[body->first_node + selected[i]];
    for (int32_t i = 0; i < loaded->node_count; ++i)
        sum += shares[i];
    FAIL_IF(context, !(sum > 0), VELA_ERROR_INVALID_INPUT,
            "%s: selects nodes that no element uses, expected some with mass", def->select.path);
    *force = (ModelForce){.def = def,
                          .first_node = body->first_node,
                          .copy_count = loaded->copy_count,
                          .node_count = loaded->node_count,
                          .shares = shares};
    for (int32_t i = 0; i < loaded->node_count; ++i)
        shares[i] /= sum;
    model->loads_change |= def->key_count > 1;
    return VELA_OK;
}

VelaResult model_add_forces(VelaContext *context, const BodyDef *def, const ModelBody *body,
                            const BodyMesh *loaded, const double *places, Arena *arena, Model *model)
{
    for (int32_t l = 0; l < def->load_count; ++l)
        if (!def->loads[l].is_pressure)
            TRY(add_force(context, &def->loads[l], body, loaded, places, arena, model));
    return VELA_OK;
}

void model_load_forces(const Model *model, double time, double *forces)
{
    memset(forces, 0, 3 * (size_t)model->node_count * sizeof *forces);
    for (int32_t l = 0; l < model->force_count; ++l) {
        const ModelForce *force = &model->forces[l];
        double value[3];
        load_value(force->def, time, value);
        for (int32_t i = 0; i < force->copy_count * force->node_count; ++i) {
            double *at = forces + 3 * (size_t)(force->first_node + i);
            add_scaled3(at, force->shares[i % force->node_count], value, at);
        }
    }
}

double model_pressure(const ModelPressure *pressure, double time)
{
    double sum = 0;
    for (int32_t l = 0; l < pressure->def->load_count; ++l) {
        double value[3];
        load_value(&pressure->def->loads[l], time, value);
        sum += pressure->def->loads[l].is_pressure ? value[0] : 0;
    }
    return sum;
}

// Volume of an element of the kind, m^3.
static double element_volume(const ElementGroup *group, int32_t element, const double *x)
{
    const int32_t *nodes = group->nodes + 4 * (size_t)element;
    const double *shapes = group->shapes + 9 * (size_t)element;
    double f[9] = {0};
    for (int a = 1; a < 4; ++a)
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                f[3 * i + j] += (x[3 * (size_t)nodes[a] + (size_t)i] - x[3 * (size_t)nodes[0] + (size_t)i]) *
                                shapes[3 * (a - 1) + j];
    return group->volumes[element] * matrix3_determinant(f);
}

double model_load_energy(const Model *model, double time, const double *x)
{
    const ElementGroup *group = &model->groups[ELEMENT_PRESSURE];
    const double *x0 = model->initial_positions;
    double energy = 0;
    for (int32_t l = 0; l < model->force_count; ++l) {
        const ModelForce *force = &model->forces[l];
        double value[3];
        load_value(force->def, time, value);
        for (int32_t i = 0; i < force->copy_count * force->node_count; ++i) {
            const size_t at = 3 * (size_t)(force->first_node + i);
            double way[3];
            subtract3(x + at, x0 + at, way);
            energy -= force->shares[i % force->node_count] * dot3(value, way);
        }
    }
    for (int32_t p = 0; p < model->pressure_count; ++p) {
        const ModelBody *body = &model->bodies[model->pressures[p].def - model->scene->bodies];
        double growth = 0;
        for (int32_t e = 0; e < body->element_counts[ELEMENT_PRESSURE]; ++e) {
            const int32_t element = body->first_elements[ELEMENT_PRESSURE] + e;
            growth += element_volume(group, element, x) - element_volume(group, element, x0);
        }
        energy -= model_pressure(&model->pressures[p], time) * growth;
    }
    return energy;
}
