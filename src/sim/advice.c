#include "sim/advice.h"

#include "base/matrix3.h"

#include <math.h>

static double edge_length(const double *positions, int32_t a, int32_t b)
{
    double edge[3];
    subtract3(positions + 3 * (size_t)b, positions + 3 * (size_t)a, edge);
    return norm3(edge);
}

ModelMeasures advice_measure(const Model *model)
{
    ModelMeasures measures = {
        {INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}, INFINITY, 0, 0, 0};
    for (int32_t v = 0; v < model_surface_vertices(model); ++v) {
        double x[3];
        surface_map_vertex(&model->surface.map, v, model->initial_positions, x);
        for (int k = 0; k < 3; ++k) {
            measures.low[k] = fmin(measures.low[k], x[k]);
            measures.high[k] = fmax(measures.high[k], x[k]);
        }
    }
    double sum = 0;
    int64_t count = 0;
    static const int32_t meshed[] = {ELEMENT_TET, ELEMENT_SEGMENT, ELEMENT_MEMBRANE};
    for (size_t m = 0; m < sizeof meshed / sizeof *meshed; ++m) {
        const int32_t kind = meshed[m];
        const ElementGroup *group = &model->groups[kind];
        const int corners = group->kind->corners;
        for (int32_t e = 0; e < group->count; ++e)
            for (int a = 0; a < corners; ++a)
                for (int b = a + 1; b < corners; ++b) {
                    const int32_t *nodes = group->nodes + (size_t)corners * (size_t)e;
                    const double length = edge_length(model->rest_positions, nodes[a], nodes[b]);
                    measures.shortest_edge = fmin(measures.shortest_edge, length);
                    measures.longest_edge = fmax(measures.longest_edge, length);
                    sum += length;
                    ++count;
                }
    }
    // Of bodies without a mesh of elements: their surface's.
    for (int32_t b = 0; b < model->body_count; ++b)
        for (int32_t t = model->surface.first_triangles[b];
             model->bodies[b].vertices && t < model->surface.first_triangles[b + 1]; ++t)
            for (int k = 0; k < 3; ++k) {
                double ends[2][3];
                for (int i = 0; i < 2; ++i)
                    surface_map_vertex(&model->surface.map, model->surface.triangles[t][(k + i) % 3],
                                       model->rest_positions, ends[i]);
                const double length = edge_length(&ends[0][0], 0, 1);
                measures.shortest_edge = fmin(measures.shortest_edge, length);
                measures.longest_edge = fmax(measures.longest_edge, length);
                sum += length;
                ++count;
            }
    measures.mean_edge = count > 0 ? sum / (double)count : 0;
    for (int32_t b = 0; b < model->body_count; ++b) {
        const int32_t *array = model->scene->bodies[b].array_count;
        measures.pieces += (int64_t)model->bodies[b].piece_count * array[0] * array[1] * array[2];
    }
    return measures;
}

static void warn_pieces(VelaContext *context, const Model *model)
{
    for (int32_t b = 0; b < model->body_count; ++b)
        if (model->bodies[b].piece_count > 1)
            context_log(
                context, VELA_LOG_WARNING,
                "%s: body \"%s\": its mesh falls into %d pieces that share no node, and nothing holds them "
                "together; \"weld\" of its geometry (m) merges nodes closer than that",
                model->scene->path, model->bodies[b].name, model->bodies[b].piece_count);
}

// docs/scene-reference.md, contact: a third of the surface's edges or less.
static void warn_distance(VelaContext *context, const Model *model)
{
    const ModelContact *contact = &model->contact;
    for (int32_t o = 0; o < contact->owner_count; ++o) {
        const ContactOwner *owner = &contact->owners[o];
        if (owner->body < 0 || owner->edge_count == 0 ||
            model->scene->bodies[owner->body].type == BODY_AFFINE ||
            (o > 0 && contact->owners[o - 1].body == owner->body))
            continue;
        double sum = 0;
        for (int32_t e = owner->first_edge; e < owner->first_edge + owner->edge_count; ++e) {
            double ends[2][3], edge[3];
            for (int i = 0; i < 2; ++i)
                surface_map_vertex(&model->surface.map, contact->edges[e][i], model->rest_positions, ends[i]);
            subtract3(ends[1], ends[0], edge);
            sum += norm3(edge);
        }
        const double mean = sum / owner->edge_count, distance = model->scene->contact.distance;
        if (distance > mean / 3)
            context_log(
                context, VELA_LOG_WARNING,
                "%s: contact.distance is %.3g m, more than a third of the edges of body \"%s\" (%.3g m on "
                "average): its parts may repel one another; a smaller distance, or a coarser mesh, may help",
                model->scene->path, distance, model->bodies[owner->body].name, mean);
    }
}

void advice_warn(VelaContext *context, const Model *model)
{
    warn_pieces(context, model);
    warn_distance(context, model);
}

// ---------------------------------------------------------------- locking

/// Linear tetrahedra of one or two layers bend too stiffly where a body is this much longer than thick.
static const double SLENDER = 5;
static const double NEARLY_INCOMPRESSIBLE = 0.45;

// Whether every element has a corner on the surface: so it is with one layer of them, or two.
static bool is_thin(const Model *model, const ModelBody *body, uint8_t *on_surface)
{
    const int32_t *triangles = model->triangles + 3 * (size_t)body->first_triangle,
                  *tets = model->groups[ELEMENT_TET].nodes + 4 * (size_t)body->first_elements[ELEMENT_TET];
    for (int32_t i = 0; i < 3 * body->triangle_count; ++i)
        on_surface[triangles[i] - body->first_vertex + body->first_node] = 1;
    for (int32_t t = 0; t < body->element_counts[ELEMENT_TET]; ++t, tets += 4)
        if (!(on_surface[tets[0]] || on_surface[tets[1]] || on_surface[tets[2]] || on_surface[tets[3]]))
            return false;
    return true;
}

// Length of the first copy over 4 V/A, the thickness of a bar of square section.
static double slenderness(const Model *model, int32_t b)
{
    const ModelBody *body = &model->bodies[b];
    const int32_t *array = model->scene->bodies[b].array_count, copies = array[0] * array[1] * array[2];
    double volume = 0, area = 0, low[3] = {INFINITY, INFINITY, INFINITY}, extent = 0;
    double high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t t = body->first_elements[ELEMENT_TET];
         t < body->first_elements[ELEMENT_TET] + body->element_counts[ELEMENT_TET]; ++t)
        volume += model->groups[ELEMENT_TET].volumes[t];
    for (int32_t t = body->first_triangle; t < body->first_triangle + body->triangle_count; ++t) {
        int32_t corners[3]; // a solid's vertices are its nodes
        for (int k = 0; k < 3; ++k)
            corners[k] = model->triangles[3 * (size_t)t + (size_t)k] - body->first_vertex + body->first_node;
        double sides[2][3], normal[3];
        for (int i = 0; i < 2; ++i)
            subtract3(model->rest_positions + 3 * (size_t)corners[i + 1],
                      model->rest_positions + 3 * (size_t)corners[0], sides[i]);
        cross3(sides[0], sides[1], normal);
        area += 0.5 * norm3(normal);
    }
    for (int32_t i = body->first_node; i < body->first_node + body->node_count / copies; ++i)
        for (int k = 0; k < 3 && model->masses[i] > 0; ++k) {
            low[k] = fmin(low[k], model->rest_positions[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], model->rest_positions[3 * (size_t)i + (size_t)k]);
        }
    for (int k = 0; k < 3; ++k)
        extent = fmax(extent, high[k] - low[k]);
    return volume > 0 ? extent * area / (4 * volume) : 0;
}

VelaResult advice_warn_locking(VelaContext *context, const Model *model)
{
    const SceneDef *scene = model->scene;
    Arena scratch = arena_make(context);
    uint8_t *on_surface;
    VelaResult result;
    TRY_GOTO(result, ARENA_ARRAY(&scratch, on_surface, model->node_count), done);
    for (int32_t b = 0; b < model->body_count; ++b) {
        const ModelBody *body = &model->bodies[b];
        const MaterialDef *material = &scene->materials[scene->bodies[b].material];
        if (body->element_counts[ELEMENT_TET] == 0)
            continue;
        if (material->lambda > 0 && material->poissons_ratio >= NEARLY_INCOMPRESSIBLE)
            context_log(
                context, VELA_LOG_WARNING,
                "%s: body \"%s\": material \"%s\" is nearly incompressible (Poisson's ratio %.3g): linear "
                "tetrahedra then lock, and bend and shear far too stiffly; up to 0.4 they do so much less",
                scene->path, body->name, material->name, material->poissons_ratio);
        if (slenderness(model, b) >= SLENDER && is_thin(model, body, on_surface))
            context_log(
                context, VELA_LOG_WARNING,
                "%s: body \"%s\" has one or two layers of tetrahedra through its thickness: it bends too "
                "stiffly; twice the layers leave a quarter of the error",
                scene->path, body->name);
    }
done:
    arena_clear(&scratch);
    return result;
}
