#include "model/constraints.h"

#include "base/matrix3.h"
#include "geometry/tangent.h"
#include "model/body_points.h"
#include "physics/element/membrane.h"

#include <math.h>
#include <stdio.h>

/// What the constraints of one model are made with.
typedef struct Builder {
    VelaContext *context;
    const SceneDef *scene;
    const BodyMesh *meshes;
    Model *model;
} Builder;

bool model_has_constraint_solver(const SceneDef *scene)
{
    return scene->solver.type == SOLVER_COMPLIANT && !scene_is_explicit(scene);
}

// A point of the world is a node; its orientation, of a hinge or a ball, is four.
int32_t model_anchor_count(const SceneDef *scene)
{
    int32_t count = 0;
    for (int32_t c = 0; c < scene->constraint_count; ++c) {
        const ConstraintDef *def = &scene->constraints[c];
        for (int e = 0; e < def->end_count; ++e)
            if (def->ends[e].body < 0)
                count += def->type == CONSTRAINT_BALL || def->type == CONSTRAINT_HINGE ? 4 : 1;
    }
    return count;
}

static int32_t add_anchor(const Builder *builder, int32_t source, const Motion *motion, const double place[3])
{
    Model *model = builder->model;
    const int32_t node = model->node_count++, pin = model->pin_count++;
    memcpy(model->rest_positions + 3 * (size_t)node, place, 3 * sizeof *place);
    motion_apply(motion, 0, place, model->initial_positions + 3 * (size_t)node);
    model->pin_nodes[pin] = node;
    model->pin_motions[pin] = motion;
    model->pin_sources[pin] = source;
    memcpy(model->pin_bases + 3 * (size_t)pin, place, 3 * sizeof *place);
    ++model->anchor_count;
    return node;
}

// ---------------------------------------------------------------- one constraint

static ModelConstraint *begin(const Builder *builder, int32_t kind)
{
    Model *model = builder->model;
    ModelConstraint *constraint = &model->constraints[model->constraint_count++];
    *constraint = (ModelConstraint){.kind = kind,
                                    .source = -1,
                                    .body = -1,
                                    .first_row = model->constraint_row_count,
                                    .arm = 1,
                                    .element = -1};
    model->constraint_row_count += constraint_kinds[kind].rows;
    return constraint;
}

static void add_point(ModelConstraint *constraint, int column, double factor, const BodyPoint *point)
{
    for (int k = 0; k < point->count; ++k) {
        int32_t at = 0;
        while (at < constraint->node_count && constraint->nodes[at] != point->nodes[k])
            ++at;
        if (at == constraint->node_count)
            constraint->nodes[constraint->node_count++] = point->nodes[k];
        constraint->weights[at][column] += factor * point->weights[k];
    }
}

static ModelConstraint *begin_scene(const Builder *builder, int32_t kind, int32_t source)
{
    const ConstraintDef *def = &builder->scene->constraints[source];
    ModelConstraint *constraint = begin(builder, kind);
    constraint->source = source;
    constraint->side = def->side;
    constraint->compliance = def->compliance;
    return constraint;
}

static void columns_at(const ModelConstraint *constraint, const double *x,
                       double columns[CONSTRAINT_COLUMNS_MOST][3])
{
    memset(columns, 0, CONSTRAINT_COLUMNS_MOST * sizeof *columns);
    for (int32_t a = 0; a < constraint->node_count; ++a)
        for (int c = 0; c < constraint_kinds[constraint->kind].columns; ++c)
            add_scaled3(columns[c], constraint->weights[a][c], x + 3 * (size_t)constraint->nodes[a],
                        columns[c]);
}

void model_constraint_evaluate(const ModelConstraint *constraint, const double *x,
                               double columns[CONSTRAINT_COLUMNS_MOST][3], ConstraintLocal *local)
{
    columns_at(constraint, x, columns);
    constraint_evaluate(constraint->kind, (const double(*)[3])columns, constraint->rest, local);
}

void model_constraint_compliance(const ModelConstraint *constraint, const double *v, double *out)
{
    const int rows = constraint_kinds[constraint->kind].rows;
    const int normal = !constraint_kinds[constraint->kind].is_strain ? rows : rows == 6 ? 3 : 2;
    double sum = 0;
    for (int r = 0; r < normal; ++r)
        sum += v[r];
    for (int r = 0; r < rows; ++r)
        out[r] = r < normal
                     ? (constraint->compliance - constraint->coupled) * v[r] + constraint->coupled * sum
                     : constraint->sheared * v[r];
}

// v C^-1 v.
static double stored(const ModelConstraint *constraint, const double *v)
{
    const int rows = constraint_kinds[constraint->kind].rows;
    const int normal = !constraint_kinds[constraint->kind].is_strain ? rows : rows == 6 ? 3 : 2;
    const double own = constraint->compliance - constraint->coupled;
    double squares = 0, sum = 0, energy;
    for (int r = 0; r < normal; ++r) {
        squares += v[r] * v[r];
        sum += v[r];
    }
    energy = (squares - constraint->coupled / (own + normal * constraint->coupled) * sum * sum) / own;
    for (int r = normal; r < rows; ++r)
        energy += v[r] * v[r] / constraint->sheared;
    return energy;
}

// Whether an inequality is met, so that it counts for nothing.
static bool is_met(const ModelConstraint *constraint, const ConstraintLocal *local)
{
    return constraint->side == SIDE_AT_MOST ? local->value[0] <= 0
                                            : constraint->side == SIDE_AT_LEAST && local->value[0] >= 0;
}

static double error_of(const ModelConstraint *constraint, const ConstraintLocal *local)
{
    double error = 0;
    for (int r = 0; r < constraint_kinds[constraint->kind].rows && !is_met(constraint, local); ++r)
        error = fmax(error, constraint->arm * fabs(local->value[r]));
    return error;
}

double model_constraint_error(const ModelConstraint *constraint, const double *x)
{
    double columns[CONSTRAINT_COLUMNS_MOST][3];
    ConstraintLocal local;
    model_constraint_evaluate(constraint, x, columns, &local);
    return error_of(constraint, &local);
}

void model_constraint_state(const Model *model, const double *x, double *energy, double *error)
{
    *energy = *error = 0;
    for (int32_t c = 0; c < model->constraint_count; ++c) {
        const ModelConstraint *constraint = &model->constraints[c];
        double columns[CONSTRAINT_COLUMNS_MOST][3];
        ConstraintLocal local;
        model_constraint_evaluate(constraint, x, columns, &local);
        if (constraint->compliance == 0)
            *error = fmax(*error, error_of(constraint, &local));
        else if (!is_met(constraint, &local))
            *energy += 0.5 * stored(constraint, local.value);
    }
}

// ---------------------------------------------------------------- ends

static VelaResult find_end(const Builder *builder, int32_t source, int e, BodyPoint *point)
{
    const ConstraintEnd *end = &builder->scene->constraints[source].ends[e];
    if (end->body < 0) {
        *point = (BodyPoint){1, {add_anchor(builder, source, &end->motion, end->point)}, {1}};
        return VELA_OK;
    }
    const ModelBody *body = &builder->model->bodies[end->body];
    FAIL_IF(builder->context, end->is_node && end->node >= body->vertex_count, VELA_ERROR_INVALID_INPUT,
            "%s: %s: found node %d, expected one of body \"%s\", from 0 to %d", builder->scene->path,
            end->path, end->node, body->name, body->vertex_count - 1);
    *point = end->is_node ? body_vertex_point(builder->model, end->body, end->node)
                          : body_surface_nearest(builder->model, end->body, end->point, -1).point;
    for (int k = 0; k < point->count; ++k)
        FAIL_IF(builder->context, !(builder->model->masses[point->nodes[k]] > 0), VELA_ERROR_INVALID_INPUT,
                "%s: %s: found node %d of body \"%s\", which no element uses, expected another",
                builder->scene->path, end->path, point->nodes[k] - body->first_node, body->name);
    return VELA_OK;
}

// A constraint whose columns are differences of ends: one end and the next.
static VelaResult add_ends(const Builder *builder, int32_t source, ModelConstraint *constraint)
{
    const ConstraintDef *def = &builder->scene->constraints[source];
    BodyPoint ends[3];
    for (int e = 0; e < def->end_count; ++e)
        TRY(find_end(builder, source, e, &ends[e]));
    for (int c = 0; c + 1 < def->end_count; ++c) { // an angle is at its middle end
        add_point(constraint, c, 1, &ends[2 * c]);
        add_point(constraint, c, -1, &ends[1]);
    }
    double columns[CONSTRAINT_COLUMNS_MOST][3];
    columns_at(constraint, builder->model->initial_positions, columns);
    for (int c = 0; c + 1 < def->end_count && def->type != CONSTRAINT_ATTACH; ++c)
        FAIL_IF(builder->context, !(norm3(columns[c]) > 0), VELA_ERROR_INVALID_INPUT,
                "%s: %s: found two ends at one place, expected some distance between them; \"attach\" holds "
                "points together",
                builder->scene->path, def->path);
    return VELA_OK;
}

static VelaResult add_length(const Builder *builder, int32_t source)
{
    const ConstraintDef *def = &builder->scene->constraints[source];
    ModelConstraint *constraint = begin_scene(builder, CONSTRAINT_KIND_LENGTH, source);
    double columns[CONSTRAINT_COLUMNS_MOST][3];
    TRY(add_ends(builder, source, constraint));
    columns_at(constraint, builder->model->initial_positions, columns);
    constraint->rest = def->has_length ? def->length : norm3(columns[0]);
    return VELA_OK;
}

static VelaResult add_angle(const Builder *builder, int32_t source)
{
    const double radians = 3.14159265358979323846 / 180;
    const ConstraintDef *def = &builder->scene->constraints[source];
    ModelConstraint *constraint = begin_scene(builder, CONSTRAINT_KIND_ANGLE, source);
    double columns[CONSTRAINT_COLUMNS_MOST][3];
    ConstraintLocal local;
    TRY(add_ends(builder, source, constraint));
    model_constraint_evaluate(constraint, builder->model->initial_positions, columns, &local);
    constraint->rest = def->has_angle ? def->angle_degrees * radians : local.value[0];
    constraint->arm = fmax(norm3(columns[0]), norm3(columns[1]));
    return VELA_OK;
}

// ---------------------------------------------------------------- joints

/// One of the two bodies of a joint: the point that it holds on to and, unless the body is a cable or a shell, its frame.
typedef struct JointSide {
    BodyPoint point;
    BodyFrame frame;
    bool has_frame;
    int32_t copy;
    double reach; ///< how far the body extends from the joint, m; 0: the world
} JointSide;

static double reach_of(const Model *model, int32_t body, int32_t copy, const double at[3])
{
    const ModelBody *of = &model->bodies[body];
    const int32_t count = of->vertex_count / of->copy_count;
    double reach = 0;
    for (int32_t v = copy * count; v < (copy + 1) * count; ++v) {
        const BodyPoint point = body_vertex_point(model, body, v);
        double place[3] = {0}, arm[3];
        for (int k = 0; k < point.count; ++k)
            add_scaled3(place, point.weights[k], model->initial_positions + 3 * (size_t)point.nodes[k],
                        place);
        subtract3(place, at, arm);
        reach = fmax(reach, norm3(arm));
    }
    return reach;
}

static VelaResult find_side(const Builder *builder, int32_t source, int e, int32_t without, JointSide *side)
{
    static const Motion still = {0};
    const ConstraintDef *def = &builder->scene->constraints[source];
    const int32_t body = def->ends[e].body;
    *side = (JointSide){.has_frame = true, .copy = -1};
    if (body < 0) {
        int32_t nodes[4];
        for (int a = 0; a < 4; ++a) {
            double place[3] = {def->at[0], def->at[1], def->at[2]};
            if (a > 0)
                place[a - 1] += 1;
            nodes[a] = add_anchor(builder, source, &still, place);
        }
        side->frame = nodes_frame(builder->model, nodes);
        side->point = (BodyPoint){1, {nodes[0]}, {1}};
        return VELA_OK;
    }
    const SurfacePlace place = body_surface_nearest(builder->model, body, def->at, without);
    FAIL_IF(builder->context, place.copy < 0, VELA_ERROR_INVALID_INPUT,
            "%s: %s: found body \"%s\" twice, expected two bodies, or one with at least two copies",
            builder->scene->path, def->path, builder->model->bodies[body].name);
    side->copy = place.copy;
    side->point = place.point;
    side->reach = reach_of(builder->model, body, place.copy, def->at);
    side->has_frame =
        builder->scene->bodies[body].type == BODY_SOLID || builder->scene->bodies[body].type == BODY_AFFINE;
    if (!side->has_frame)
        return VELA_OK;
    TRY(body_frame(builder->context, builder->model, &builder->meshes[body], body, place.copy, def->at,
                   &side->frame));
    side->point = frame_point(&side->frame, def->at);
    return VELA_OK;
}

static VelaResult find_sides(const Builder *builder, int32_t source, JointSide sides[2])
{
    const ConstraintDef *def = &builder->scene->constraints[source];
    TRY(find_side(builder, source, 0, -1, &sides[0]));
    return find_side(builder, source, 1, def->ends[0].body == def->ends[1].body ? sides[0].copy : -1,
                     &sides[1]);
}

static void add_ball(const Builder *builder, int32_t source, const JointSide sides[2])
{
    ModelConstraint *constraint = begin_scene(builder, CONSTRAINT_KIND_POINT, source);
    add_point(constraint, 0, 1, &sides[0].point);
    add_point(constraint, 0, -1, &sides[1].point);
}

// The second end of a hinge's axis lies as far off as its bodies reach, so that its rows are displacements of their own size.
static void add_axis(const Builder *builder, int32_t source, const JointSide sides[2], double tangents[2][3])
{
    const ConstraintDef *def = &builder->scene->constraints[source];
    ModelConstraint *constraint = begin_scene(builder, CONSTRAINT_KIND_AXIS, source);
    double end[3];
    add_scaled3(def->at, fmax(sides[0].reach, sides[1].reach), def->axis, end);
    for (int k = 0; k < 2; ++k) {
        const BodyPoint direction = frame_direction(&sides[0].frame, tangents[k]);
        const BodyPoint tip = frame_point(&sides[k].frame, end);
        add_point(constraint, k, 1, &direction);
        add_point(constraint, 2, k == 0 ? 1 : -1, &tip);
    }
}

// One end of a hinge's limits. Angles are measured from the middle of them, so that they may reach to either side of half a turn.
static void add_limit(const Builder *builder, int32_t source, const JointSide sides[2], double tangents[2][3],
                      ConstraintSide side)
{
    const double radians = 3.14159265358979323846 / 180;
    const ConstraintDef *def = &builder->scene->constraints[source];
    const double middle = 0.5 * (def->limits_degrees[0] + def->limits_degrees[1]) * radians;
    ModelConstraint *constraint = begin_scene(builder, CONSTRAINT_KIND_TURN, source);
    double turned[3] = {0};
    // The second body's own vector, which stands along the first tangent when it has turned by `middle`.
    add_scaled3(turned, cos(middle), tangents[0], turned);
    add_scaled3(turned, -sin(middle), tangents[1], turned);
    for (int k = 0; k < 2; ++k) {
        const BodyPoint direction = frame_direction(&sides[0].frame, tangents[k]);
        add_point(constraint, k, 1, &direction);
    }
    const BodyPoint pointer = frame_direction(&sides[1].frame, turned);
    add_point(constraint, 2, 1, &pointer);
    constraint->side = side;
    constraint->rest =
        (side == SIDE_AT_MOST ? 0.5 : -0.5) * (def->limits_degrees[1] - def->limits_degrees[0]) * radians;
    constraint->arm = fmax(sides[0].reach, sides[1].reach);
}

static VelaResult add_hinge(const Builder *builder, int32_t source)
{
    const ConstraintDef *def = &builder->scene->constraints[source];
    JointSide sides[2];
    double tangents[2][3];
    TRY(find_sides(builder, source, sides));
    for (int e = 0; e < 2; ++e)
        FAIL_IF(
            builder->context, !sides[e].has_frame, VELA_ERROR_INVALID_INPUT,
            "%s: %s: found a hinge at body \"%s\", which is a %s, expected a solid, an affine body or the "
            "world; \"ball\" and \"attach\" take any body",
            builder->scene->path, def->path, builder->model->bodies[def->ends[e].body].name,
            builder->scene->bodies[def->ends[e].body].type == BODY_CABLE ? "cable" : "shell");
    add_ball(builder, source, sides);
    tangent_basis(def->axis, tangents);
    double across[3];
    cross3(tangents[0], tangents[1], across);
    if (dot3(across, def->axis) < 0) // from the first to the second about the axis by the right hand
        for (int k = 0; k < 3; ++k)
            tangents[1][k] = -tangents[1][k];
    add_axis(builder, source, sides, tangents);
    if (def->has_limits) {
        add_limit(builder, source, sides, tangents, SIDE_AT_LEAST);
        add_limit(builder, source, sides, tangents, SIDE_AT_MOST);
    }
    return VELA_OK;
}

static VelaResult add_scene_constraint(const Builder *builder, int32_t source)
{
    JointSide sides[2];
    switch (builder->scene->constraints[source].type) {
    case CONSTRAINT_DISTANCE:
        return add_length(builder, source);
    case CONSTRAINT_ATTACH:
        return add_ends(builder, source, begin_scene(builder, CONSTRAINT_KIND_POINT, source));
    case CONSTRAINT_BALL:
        TRY(find_sides(builder, source, sides));
        add_ball(builder, source, sides);
        return VELA_OK;
    case CONSTRAINT_HINGE:
        return add_hinge(builder, source);
    case CONSTRAINT_ANGLE:
        return add_angle(builder, source);
    }
    return VELA_OK;
}

// ---------------------------------------------------------------- bodies in constraint form

// The columns of an element are its D x.
static ModelConstraint *add_element(const Builder *builder, int32_t kind, int32_t body, int32_t element_kind,
                                    int32_t number)
{
    const ElementGroup *group = &builder->model->groups[element_kind];
    const int32_t element = builder->model->bodies[body].first_elements[element_kind] + number;
    double shape[ELEMENT_CORNERS_MOST][ELEMENT_COLUMNS_MOST];
    ModelConstraint *constraint = begin(builder, kind);
    element_shape(group, element, shape);
    constraint->body = body;
    constraint->number = number;
    constraint->node_count = group->kind->corners;
    for (int a = 0; a < group->kind->corners; ++a) {
        constraint->nodes[a] = group->nodes[group->kind->corners * (size_t)element + (size_t)a];
        for (int c = 0; c < group->kind->columns; ++c)
            constraint->weights[a][c] = shape[a][c];
    }
    return constraint;
}

static ElementMaterial material_of(const Builder *builder, int32_t body, int32_t kind, int32_t number)
{
    const ElementGroup *group = &builder->model->groups[kind];
    const int32_t element = builder->model->bodies[body].first_elements[kind] + number;
    return builder->model->materials[group->materials[element]].formula;
}

static double volume_of(const Builder *builder, int32_t body, int32_t kind, int32_t number)
{
    return builder->model->groups[kind].volumes[builder->model->bodies[body].first_elements[kind] + number];
}

// The inverse of the stiffness of Green's strain times the volume: mu = kappa, and lambda between the normal components.
static void set_strain_compliance(ModelConstraint *constraint, double volume, double mu, double lambda)
{
    const int normal = constraint_kinds[constraint->kind].columns;
    constraint->coupled = -lambda / (2 * mu * (2 * mu + normal * lambda) * volume);
    constraint->compliance = 1 / (2 * mu * volume) + constraint->coupled;
    constraint->sheared = 1 / (mu * volume);
}

static void add_segment(const Builder *builder, int32_t body, int32_t number)
{
    ModelConstraint *constraint = add_element(builder, CONSTRAINT_KIND_LENGTH, body, ELEMENT_SEGMENT, number);
    const double rest = 1 / constraint->weights[1][0];
    constraint->weights[0][0] = -1;
    constraint->weights[1][0] = 1;
    constraint->rest = rest; // volume: area times length
    constraint->compliance = rest * rest /
                             (volume_of(builder, body, ELEMENT_SEGMENT, number) *
                              material_of(builder, body, ELEMENT_SEGMENT, number).kappa);
}

static void add_body_elements(const Builder *builder, int32_t body)
{
    const BodyDef *def = &builder->scene->bodies[body];
    const ModelBody *at = &builder->model->bodies[body];
    for (int32_t e = 0; def->type == BODY_CABLE && e < at->element_counts[ELEMENT_SEGMENT]; ++e)
        add_segment(builder, body, e);
    for (int32_t e = 0; def->type == BODY_SOLID && e < at->element_counts[ELEMENT_TET]; ++e) {
        const ElementMaterial material = material_of(builder, body, ELEMENT_TET, e);
        set_strain_compliance(add_element(builder, CONSTRAINT_KIND_SOLID, body, ELEMENT_TET, e),
                              volume_of(builder, body, ELEMENT_TET, e), material.kappa, material.lambda);
    }
    for (int32_t e = 0; def->type == BODY_SHELL && e < at->element_counts[ELEMENT_MEMBRANE]; ++e) {
        const ElementMaterial material = material_of(builder, body, ELEMENT_MEMBRANE, e);
        set_strain_compliance(add_element(builder, CONSTRAINT_KIND_MEMBRANE, body, ELEMENT_MEMBRANE, e),
                              volume_of(builder, body, ELEMENT_MEMBRANE, e), material.kappa,
                              2 * material.kappa * material.lambda / (material.lambda + 2 * material.kappa));
    }
    for (int32_t e = 0; e < at->element_counts[ELEMENT_AFFINE]; ++e) {
        ModelConstraint *constraint = add_element(builder, CONSTRAINT_KIND_SOLID, body, ELEMENT_AFFINE, e);
        double arm[3];
        subtract3(builder->model->rest_positions + 3 * (size_t)constraint->nodes[1],
                  builder->model->rest_positions + 3 * (size_t)constraint->nodes[0], arm);
        constraint->arm = norm3(arm);
    }
}

// Elements that constraints stand for keep their damping, and lose their stiffness.
static void soften(const Builder *builder, int32_t body, int32_t kind)
{
    Model *model = builder->model;
    const ModelBody *at = &model->bodies[body];
    for (int32_t e = at->first_elements[kind]; e < at->first_elements[kind] + at->element_counts[kind]; ++e) {
        int32_t *material = &model->groups[kind].materials[e], m = model->scene->material_count;
        const ModelMaterial soft = {
            .formula = {.energy_model = model->materials[*material].formula.energy_model},
            .damping = model->materials[*material].damping};
        while (m < model->material_count &&
               (model->materials[m].formula.kappa != 0 ||
                model->materials[m].formula.energy_model != soft.formula.energy_model ||
                model->materials[m].damping != soft.damping))
            ++m;
        model->materials[m] = soft;
        model->material_count = m < model->material_count ? model->material_count : m + 1;
        *material = m;
    }
}

static void add_bodies(const Builder *builder)
{
    for (int32_t b = 0; b < builder->scene->body_count; ++b) {
        const BodyDef *def = &builder->scene->bodies[b];
        if (!def->in_constraint_form && def->type != BODY_AFFINE)
            continue;
        add_body_elements(builder, b);
        static const int32_t kinds[] = {[BODY_SOLID] = ELEMENT_TET,
                                        [BODY_CABLE] = ELEMENT_SEGMENT,
                                        [BODY_AFFINE] = ELEMENT_AFFINE,
                                        [BODY_SHELL] = ELEMENT_MEMBRANE};
        soften(builder, b, kinds[def->type]);
    }
}

// ---------------------------------------------------------------- constraints as forces

void model_count_links(const SceneDef *scene, int64_t counts[ELEMENT_KIND_COUNT])
{
    for (int32_t c = 0; c < scene->constraint_count && !model_has_constraint_solver(scene); ++c) {
        const ConstraintDef *def = &scene->constraints[c];
        counts[ELEMENT_LINK] += def->type != CONSTRAINT_ANGLE;
        counts[ELEMENT_JOINT] += def->type == CONSTRAINT_ANGLE   ? 1
                                 : def->type != CONSTRAINT_HINGE ? 0
                                 : def->has_limits               ? 3
                                                                 : 1;
    }
}

static int32_t formula_of(const ModelConstraint *constraint)
{
    static const int32_t sides[] = {
        [SIDE_BOTH] = FORMULA_BOTH, [SIDE_AT_MOST] = FORMULA_AT_MOST, [SIDE_AT_LEAST] = FORMULA_AT_LEAST};
    const int32_t side = sides[constraint->side];
    switch (constraint->kind) {
    case CONSTRAINT_KIND_AXIS:
        return JOINT_AXIS;
    case CONSTRAINT_KIND_TURN:
        return side == FORMULA_AT_MOST ? JOINT_TURN_AT_MOST : JOINT_TURN_AT_LEAST;
    case CONSTRAINT_KIND_ANGLE:
        return JOINT_ANGLE + side;
    default:
        return side;
    }
}

// The material of a formula, whose kappa is 1: an element's volume is its stiffness.
static int32_t formula_material(int32_t formula, Model *model)
{
    int32_t m = model->scene->material_count;
    while (m < model->material_count &&
           (model->materials[m].formula.kappa != 1 || model->materials[m].formula.lambda != 0 ||
            model->materials[m].formula.energy_model != formula || model->materials[m].damping))
        ++m;
    model->materials[m].formula = (ElementMaterial){.energy_model = formula, .kappa = 1};
    model->material_count = m < model->material_count ? model->material_count : m + 1;
    return m;
}

// Corners that it does not need repeat the first one, without a weight.
static void add_link(Model *model, ModelConstraint *constraint)
{
    const bool is_link =
        constraint->kind == CONSTRAINT_KIND_LENGTH || constraint->kind == CONSTRAINT_KIND_POINT;
    ElementGroup *group = &model->groups[is_link ? ELEMENT_LINK : ELEMENT_JOINT];
    const int32_t corners = group->kind->corners, columns = group->kind->columns, e = group->count++;
    int32_t *nodes = group->nodes + (size_t)corners * (size_t)e;
    double *shapes = group->shapes + (size_t)element_shape_size(group->kind) * (size_t)e;
    for (int32_t a = 0; a < corners; ++a) {
        const bool is_there = a < constraint->node_count;
        nodes[a] = constraint->nodes[is_there ? a : 0];
        for (int32_t c = 0; c < columns && a > 0; ++c)
            shapes[columns * (a - 1) + c] = is_there ? constraint->weights[a][c] : 0;
    }
    group->volumes[e] = 1 / constraint->compliance;
    group->materials[e] = formula_material(formula_of(constraint), model);
    group->rests[e] = constraint->rest;
    constraint->element = group->first_element + e;
}

int32_t model_constraint_of_element(const Model *model, int32_t number)
{
    for (int32_t c = 0; c < model->constraint_count && number >= model->groups[ELEMENT_LINK].first_element;
         ++c)
        if (model->constraints[c].element == number)
            return c;
    return -1;
}

// ---------------------------------------------------------------- all of them

static size_t count_most(const Builder *builder)
{
    size_t count = 0;
    for (int32_t c = 0; c < builder->scene->constraint_count; ++c)
        count += builder->scene->constraints[c].type == CONSTRAINT_HINGE ? 4 : 1;
    for (int32_t b = 0; b < builder->scene->body_count && model_has_constraint_solver(builder->scene); ++b) {
        const ModelBody *body = &builder->model->bodies[b];
        count += (size_t)body->element_counts[ELEMENT_AFFINE];
        if (builder->scene->bodies[b].in_constraint_form)
            count += (size_t)body->element_counts[ELEMENT_SEGMENT] +
                     (size_t)body->element_counts[ELEMENT_TET] +
                     (size_t)body->element_counts[ELEMENT_MEMBRANE];
    }
    return count;
}

VelaResult model_add_constraints(VelaContext *context, const BodyMesh *meshes, Arena *arena, Model *model)
{
    const Builder builder = {context, model->scene, meshes, model};
    const size_t most = count_most(&builder);
    FAIL_IF(context, most > INT32_MAX / 16, VELA_ERROR_INVALID_INPUT,
            "%s: %zu constraints, expected at most %d", model->scene->path, most, INT32_MAX / 16);
    TRY(ARENA_ARRAY(arena, model->constraints, most));
    for (int32_t c = 0; c < model->scene->constraint_count; ++c)
        TRY(add_scene_constraint(&builder, c));
    if (model_has_constraint_solver(model->scene))
        add_bodies(&builder);
    else
        for (int32_t c = 0; c < model->constraint_count; ++c)
            add_link(model, &model->constraints[c]);
    return VELA_OK;
}
