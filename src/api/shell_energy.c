#include "api/shell_energy.h"

#include <stdlib.h>
#include <string.h>

/// A plate belongs to one triangle, and begins with its corners: both its sides.
static const int32_t HINGES[] = {ELEMENT_HINGE, ELEMENT_QUADRATIC_HINGE, ELEMENT_PLATE};
enum { HINGE_KINDS = sizeof HINGES / sizeof *HINGES };

typedef struct Triangle {
    int32_t nodes[3]; ///< ascending
    int32_t number;
} Triangle;

static int compare_nodes(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int compare_triangles(const void *a, const void *b)
{
    const Triangle *x = a, *y = b;
    for (int k = 0; k < 3; ++k)
        if (x->nodes[k] != y->nodes[k])
            return x->nodes[k] < y->nodes[k] ? -1 : 1;
    return 0;
}

static Triangle triangle_of(int32_t a, int32_t b, int32_t c)
{
    Triangle triangle = {{a, b, c}, 0};
    qsort(triangle.nodes, 3, sizeof *triangle.nodes, compare_nodes);
    return triangle;
}

VelaResult shell_energy_create(VelaContext *context, const Model *model, Arena *arena,
                               const int32_t (**sides)[2])
{
    const ElementGroup *membranes = &model->groups[ELEMENT_MEMBRANE];
    int32_t hinges = 0, next = 0, (*found)[2];
    *sides = NULL;
    for (int k = 0; k < HINGE_KINDS; ++k)
        hinges += model->groups[HINGES[k]].count;
    if (hinges == 0)
        return VELA_OK;
    TRY(ARENA_ARRAY(arena, found, hinges));
    Arena scratch = arena_make(context);
    Triangle *triangles;
    const VelaResult result = ARENA_ARRAY(&scratch, triangles, membranes->count);
    if (result == VELA_OK) {
        for (int32_t t = 0; t < membranes->count; ++t) {
            const int32_t *nodes = membranes->nodes + 3 * (size_t)t;
            triangles[t] = triangle_of(nodes[0], nodes[1], nodes[2]);
            triangles[t].number = t;
        }
        qsort(triangles, (size_t)membranes->count, sizeof *triangles, compare_triangles);
        for (int k = 0; k < HINGE_KINDS; ++k)
            for (int32_t h = 0; h < model->groups[HINGES[k]].count; ++h, ++next)
                for (int side = 0; side < 2; ++side) {
                    const ElementGroup *group = &model->groups[HINGES[k]];
                    const int32_t *nodes = group->nodes + (size_t)group->kind->corners * (size_t)h;
                    const int32_t third = HINGES[k] == ELEMENT_PLATE ? 2 : 2 + side;
                    const Triangle key = triangle_of(nodes[0], nodes[1], nodes[third]);
                    const Triangle *triangle = bsearch(&key, triangles, (size_t)membranes->count,
                                                       sizeof *triangles, compare_triangles);
                    found[next][side] = triangle->number;
                }
        *sides = (const int32_t(*)[2])found;
    }
    arena_clear(&scratch);
    return result;
}

void shell_energy_add(const Model *model, const int32_t (*sides)[2], float *densities)
{
    const ElementGroup *membranes = &model->groups[ELEMENT_MEMBRANE];
    for (int k = 0; k < HINGE_KINDS && sides; ++k) {
        const ElementGroup *group = &model->groups[HINGES[k]];
        for (int32_t h = 0; h < group->count; ++h, ++sides)
            for (int side = 0; side < 2; ++side) {
                const int32_t triangle = (*sides)[side];
                const double energy = (double)densities[group->first_element + h] * group->volumes[h];
                densities[membranes->first_element + triangle] +=
                    (float)(0.5 * energy / membranes->volumes[triangle]);
            }
    }
}
