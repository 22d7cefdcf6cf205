#include "model/solids.h"

#include "base/matrix3.h"
#include "scene/select.h"

// The tet behind each surface triangle: mesh_surface lists triangles in ascending order of tets.
static VelaResult find_triangle_tets(VelaContext *context, Arena *arena, BodyMesh *loaded)
{
    const TetMesh *mesh = &loaded->mesh;
    TRY(ARENA_ARRAY(arena, loaded->triangle_tets, loaded->triangle_count));
    int32_t tet = 0;
    for (int32_t t = 0; t < loaded->triangle_count; ++t) {
        const int32_t *triangle = loaded->triangles + 3 * (size_t)t;
        for (; tet < mesh->tet_count; ++tet) {
            const int32_t *nodes = mesh->tets + 4 * (size_t)tet;
            int shared = 0;
            for (int k = 0; k < 12; ++k)
                shared += nodes[k % 4] == triangle[k / 4];
            if (shared == 3)
                break;
        }
        FAIL_IF(context, tet == mesh->tet_count, VELA_ERROR_INVALID_INPUT,
                "surface triangle %d belongs to no tetrahedron", t);
        loaded->triangle_tets[t] = tet;
    }
    return VELA_OK;
}

VelaResult solid_load(VelaContext *context, const BodyDef *body, Arena *arena, BodyMesh *loaded)
{
    TRY(body_tets_load(context, &body->geometry, arena, &loaded->mesh));
    TRY(mesh_count_pieces(context, loaded->mesh.node_count, 4, loaded->mesh.tet_count, loaded->mesh.tets,
                          &loaded->piece_count));
    TRY(body_place(context, body, loaded->mesh.node_count, loaded->mesh.nodes));
    TRY(mesh_surface(context, &loaded->mesh, arena, &loaded->triangle_count, &loaded->triangles));
    TRY(find_triangle_tets(context, arena, loaded));
    loaded->node_count = loaded->vertex_count = loaded->mesh.node_count;
    loaded->element_counts[ELEMENT_TET] = loaded->mesh.tet_count;
    return VELA_OK;
}

static void add_copy(const BodyDef *def, const BodyMesh *loaded, int32_t copy, const ModelBody *body,
                     Model *model)
{
    const TetMesh *mesh = &loaded->mesh;
    ElementGroup *tets = &model->groups[ELEMENT_TET];
    const int32_t first_node = body->first_node + copy * mesh->node_count,
                  first_vertex = body->first_vertex + copy * mesh->node_count,
                  first_tet = body->first_elements[ELEMENT_TET] + copy * mesh->tet_count,
                  first_triangle = body->first_triangle + copy * loaded->triangle_count;
    double offset[3];
    body_copy_offset(def, copy, offset);
    for (int32_t i = 0; i < mesh->node_count; ++i)
        add_scaled3(mesh->nodes + 3 * (size_t)i, 1, offset,
                    model->rest_positions + 3 * (size_t)(first_node + i));
    for (size_t i = 0; i < 4 * (size_t)mesh->tet_count; ++i)
        tets->nodes[4 * (size_t)first_tet + i] = mesh->tets[i] + first_node;
    for (int32_t i = 0; i < mesh->tet_count; ++i)
        tets->materials[first_tet + i] = def->material;
    for (size_t i = 0; i < 3 * (size_t)loaded->triangle_count; ++i)
        model->triangles[3 * (size_t)first_triangle + i] = loaded->triangles[i] + first_vertex;
    for (int32_t i = 0; i < loaded->triangle_count; ++i)
        model->triangle_elements[first_triangle + i] = loaded->triangle_tets[i] + first_tet;
}

// Gives the tets of a region, those with all corners selected, its material, in every copy.
static VelaResult set_region(VelaContext *context, const RegionDef *region, const ModelBody *body,
                             const BodyMesh *loaded, Arena *arena, Model *model)
{
    const TetMesh *mesh = &loaded->mesh;
    int32_t selected_count, *selected, tets = 0;
    bool *inside;
    TRY(ARENA_ARRAY(arena, inside, mesh->node_count));
    TRY(select_nodes(context, &region->select, mesh->node_count,
                     model->rest_positions + 3 * (size_t)body->first_node, mesh->group_count, mesh->groups,
                     arena, &selected_count, &selected));
    for (int32_t i = 0; i < selected_count; ++i)
        inside[selected[i]] = true;
    for (int32_t t = 0; t < mesh->tet_count; ++t) {
        const int32_t *corners = mesh->tets + 4 * (size_t)t;
        if (!(inside[corners[0]] && inside[corners[1]] && inside[corners[2]] && inside[corners[3]]))
            continue;
        ++tets;
        for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
            model->groups[ELEMENT_TET]
                .materials[body->first_elements[ELEMENT_TET] + copy * mesh->tet_count + t] = region->material;
    }
    FAIL_IF(context, tets == 0, VELA_ERROR_INVALID_INPUT,
            "%s: selects %d nodes and no whole tetrahedron, expected at least one with all its corners",
            region->select.path, selected_count);
    return VELA_OK;
}

// Volumes, shape gradients (rows of Dm^-1, theory.md section 1) and lumped masses.
static VelaResult measure(VelaContext *context, const ModelBody *body, int32_t count, Model *model)
{
    const ElementGroup *tets = &model->groups[ELEMENT_TET];
    const int32_t first = body->first_elements[ELEMENT_TET];
    for (int32_t t = first; t < first + count; ++t) {
        const int32_t *nodes = tets->nodes + 4 * (size_t)t;
        const double *x = model->rest_positions;
        double dm[9];
        for (int a = 0; a < 3; ++a)
            for (int k = 0; k < 3; ++k)
                dm[3 * k + a] = x[3 * (size_t)nodes[a + 1] + k] - x[3 * (size_t)nodes[0] + k];
        const double volume = matrix3_inverse(dm, tets->shapes + 9 * (size_t)t) / 6;
        FAIL_IF(context, !(volume > 0) || !isfinite(1 / volume), VELA_ERROR_INVALID_INPUT,
                "body \"%s\": tetrahedron %d has the volume %g m^3, expected a positive one", body->name,
                t - first, volume);
        const double density = model->scene->materials[tets->materials[t]].density;
        tets->volumes[t] = volume;
        for (int a = 0; a < 4; ++a)
            model->masses[nodes[a]] += density * volume / 4;
    }
    for (int32_t i = body->first_node; i < body->first_node + body->node_count; ++i)
        model->gravity_weights[i] = model->masses[i];
    return VELA_OK;
}

VelaResult model_add_solid(VelaContext *context, const BodyDef *def, const BodyMesh *loaded, Arena *arena,
                           const ModelBody *body, Model *model)
{
    for (int32_t copy = 0; copy < loaded->copy_count; ++copy)
        add_copy(def, loaded, copy, body, model);
    for (int32_t r = 0; r < def->region_count; ++r)
        TRY(set_region(context, &def->regions[r], body, loaded, arena, model));
    return measure(context, body, loaded->element_counts[ELEMENT_TET] * loaded->copy_count, model);
}
