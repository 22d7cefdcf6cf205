#include "model/shell_pressure.h"

#include "base/matrix3.h"
#include "mesh/facets.h"

static bool has_first_node(const int32_t corners[3])
{
    return corners[0] == 0 || corners[1] == 0 || corners[2] == 0;
}

static VelaResult check_closed(VelaContext *context, const BodyDef *def, const BodyMesh *loaded)
{
    const int64_t sides = 3 * (int64_t)loaded->triangle_count;
    Arena scratch = arena_make(context);
    Facet *edges;
    VelaResult result = facets_of_triangles(context, loaded->node_count, loaded->triangle_count,
                                            loaded->triangles, &scratch, &edges);
    for (int64_t first = 0; result == VELA_OK && first < sides; first += 2) {
        const int64_t run = facets_run(edges, sides, first);
        if (run != 2)
            result = context_fail(context, VELA_ERROR_INVALID_INPUT,
                                  "body \"%s\": a pressure in a shell whose edge of nodes %d and %d has %lld "
                                  "triangles, expected two at every edge: a closed surface",
                                  def->name, edges[first].nodes[0], edges[first].nodes[1], (long long)run);
        else if (edges[first].odd == edges[first + 1].odd)
            result =
                context_fail(context, VELA_ERROR_INVALID_INPUT,
                             "body \"%s\": a pressure in a shell whose triangles at nodes %d and %d face "
                             "opposite ways, expected all outwards or all inwards",
                             def->name, edges[first].nodes[0], edges[first].nodes[1]);
    }
    arena_clear(&scratch);
    return result;
}

VelaResult shell_pressure_load(VelaContext *context, const BodyDef *def, BodyMesh *loaded)
{
    const double *nodes = loaded->mesh.nodes;
    int32_t count = 0;
    TRY(check_closed(context, def, loaded));
    loaded->enclosed = 0;
    for (int32_t t = 0; t < loaded->triangle_count; ++t) {
        const int32_t *corners = loaded->triangles + 3 * (size_t)t;
        double edges[3][3], across[3];
        if (has_first_node(corners))
            continue;
        for (int k = 0; k < 3; ++k)
            subtract3(nodes + 3 * (size_t)corners[k], nodes, edges[k]);
        cross3(edges[0], edges[1], across);
        loaded->enclosed += dot3(across, edges[2]) / 6;
        ++count;
    }
    FAIL_IF(context, !(fabs(loaded->enclosed) > 0), VELA_ERROR_INVALID_INPUT,
            "body \"%s\": a pressure in a shell that encloses no volume, expected one that does", def->name);
    loaded->element_counts[ELEMENT_PRESSURE] = count;
    return VELA_OK;
}

// w = V/n each and D x = (edges)/(6 w)^(1/3): w det(D x) is the tetrahedron's volume, and w sums to the volume at the start.
void model_add_shell_pressure(const BodyMesh *loaded, const ModelBody *body, Model *model)
{
    ElementGroup *group = &model->groups[ELEMENT_PRESSURE];
    const bool inwards = loaded->enclosed < 0;
    const double volume = fabs(loaded->enclosed) / loaded->element_counts[ELEMENT_PRESSURE],
                 scale = 1 / cbrt(6 * volume);
    int32_t element = body->first_elements[ELEMENT_PRESSURE];
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
        for (int32_t t = 0; t < loaded->triangle_count; ++t) {
            const int32_t *corners = loaded->triangles + 3 * (size_t)t,
                          first = body->first_node + copy * loaded->node_count;
            if (has_first_node(corners))
                continue;
            const int32_t nodes[4] = {first, first + corners[0], first + corners[inwards ? 2 : 1],
                                      first + corners[inwards ? 1 : 2]};
            memcpy(group->nodes + 4 * (size_t)element, nodes, sizeof nodes);
            for (int k = 0; k < 3; ++k)
                group->shapes[9 * (size_t)element + 4 * (size_t)k] = scale;
            group->volumes[element++] = volume;
        }
}
