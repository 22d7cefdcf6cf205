#include "model/joints.h"

#include "base/matrix3.h"

bool constraint_is_joint(const Model *model, const ModelConstraint *constraint)
{
    if (constraint->source < 0 || constraint->kind != CONSTRAINT_KIND_POINT)
        return false; // of a hinge too, the point that it turns about is a constraint of its own
    const ConstraintType type = model->scene->constraints[constraint->source].type;
    return type == CONSTRAINT_ATTACH || type == CONSTRAINT_BALL || type == CONSTRAINT_HINGE;
}

bool constraint_is_distance(const ModelConstraint *constraint)
{
    return constraint->source >= 0 && constraint->kind == CONSTRAINT_KIND_LENGTH;
}

/// Whether a node is of one of the ends' bodies: then which, and of which copy.
static void find_copy(const Model *model, const ConstraintDef *def, int32_t node, int32_t *body,
                      int32_t *copy)
{
    *body = *copy = -1;
    for (int e = 0; e < 2; ++e) {
        const ModelBody *of = def->ends[e].body < 0 ? NULL : &model->bodies[def->ends[e].body];
        if (!of || node < of->first_node || node >= of->first_node + of->node_count)
            continue;
        *body = def->ends[e].body;
        *copy = (node - of->first_node) / (of->node_count / of->copy_count);
    }
}

// Nodes of two bodies or copies, or of one whose weights are of one sign for each point: those of its surface.
void constraint_sides(const Model *model, const ModelConstraint *constraint, ConstraintSides *sides)
{
    const ConstraintDef *def = &model->scene->constraints[constraint->source];
    bool is_one = true;
    for (int pass = 0; pass < 2; ++pass)
        for (int32_t a = 0; a < constraint->node_count; ++a) {
            int32_t body, copy;
            find_copy(model, def, constraint->nodes[a], &body, &copy);
            if (a == 0 && pass == 0)
                *sides = (ConstraintSides){.bodies = {body, body}, .copies = {copy, copy}};
            const bool other = body != sides->bodies[0] || copy != sides->copies[0];
            is_one &= !other;
            sides->side[a] = is_one ? constraint->weights[a][0] < 0 : other;
            if (other) {
                sides->bodies[1] = body;
                sides->copies[1] = copy;
            }
        }
}

void constraint_points(const ModelConstraint *constraint, const ConstraintSides *sides, const double *x,
                       double points[2][3])
{
    double sums[2] = {0};
    memset(points, 0, 2 * sizeof *points);
    for (int32_t a = 0; a < constraint->node_count; ++a) {
        double *point = points[sides->side[a]];
        sums[sides->side[a]] += constraint->weights[a][0];
        add_scaled3(point, constraint->weights[a][0], x + 3 * (size_t)constraint->nodes[a], point);
    }
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k)
            points[side][k] /= sums[side];
}
