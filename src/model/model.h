/// The model: what a scene's definition becomes before anything moves. Nodes, masses, elements, surfaces,
/// planes, pins and the fixed lists that devices gather over. Immutable once built; everything is owned by
/// its arena.
#ifndef MODEL_MODEL_H
#define MODEL_MODEL_H

#include "model/contact.h"
#include "model/elements.h"
#include "model/obstacles.h"
#include "model/partial_pins.h"
#include "physics/constraint/constraint.h"
#include "physics/contact/penalty_shape.h"
#include "physics/element/material.h"

/// The vertices of one copy of a body whose surface is not made of its nodes: weighted sums of nodes of the copy.
typedef struct BodyVertices {
    int32_t (*nodes)[SURFACE_NODES_MOST];  ///< counted within the copy; those of weight 0 do not count
    double (*weights)[SURFACE_NODES_MOST]; ///< sum to 1
} BodyVertices;

/// A surface that follows a body: vertices and triangles of one copy.
typedef struct BodySkin {
    int32_t vertex_count, triangle_count;
    BodyVertices vertices;
    int32_t *triangles; ///< triangle_count x 3, indices of the skin's vertices, outward
    int32_t *elements;  ///< behind each triangle: a tetrahedron of the copy; of an affine body 0
} BodySkin;

/// A range of Model.triangles.
typedef struct TriangleRange {
    int32_t first, count;
} TriangleRange;

/// A contiguous range of everything that belongs to one body (all its array copies).
typedef struct ModelBody {
    const char *name;
    int32_t copy_count;
    int32_t first_node, node_count;
    int32_t first_vertex, vertex_count;         ///< those of frames, in the order of its geometry
    const BodyVertices *vertices;               ///< NULL: its nodes
    const BodySkin *skin;                       ///< NULL: none
    int32_t skin_vertex_count;                  ///< behind the others, copy after copy
    bool skin_collides;                         ///< in place of the body's own surface
    int32_t first_elements[ELEMENT_KIND_COUNT]; ///< within the groups
    int32_t element_counts[ELEMENT_KIND_COUNT];
    int32_t first_triangle, triangle_count; ///< of its own surface
    int32_t skin_triangle_count;            ///< behind the others, copy after copy
    int32_t piece_count;                    ///< pieces of each copy that share no node
} ModelBody;

/// A body's own surface, or its skin's.
static inline TriangleRange model_body_triangles(const ModelBody *body, bool of_skin)
{
    return of_skin ? (TriangleRange){body->first_triangle + body->triangle_count, body->skin_triangle_count}
                   : (TriangleRange){body->first_triangle, body->triangle_count};
}

/// What elements are made of: the scene's materials in their order, then what else bodies bring.
typedef struct ModelMaterial {
    ElementMaterial formula;
    double poissons_ratio;
    bool
        never_inverts; ///< det F stays positive: the energy is infinite beyond, or the scene says `prevent_inversion`
    const DampingList *damping; ///< owned by the scene; NULL: none
} ModelMaterial;

/// An obstacle of penalty contact, a plane or a sphere, as the scene places it at time 0.
typedef struct PenaltyObstacle {
    double point[3], normal[3]; ///< a point of the plane and its unit normal; the centre of the sphere
    double tangents[2][3];      ///< of a plane: unit, perpendicular to the normal and each other
    double radius;              ///< of a sphere, m; 0: a plane
    bool rubs;                  ///< has friction with any body
    const Motion *motion;       ///< owned by the scene
} PenaltyObstacle;

/// A force of the scene on all copies of a body.
typedef struct ModelForce {
    const LoadDef *def; ///< owned by the scene
    int32_t first_node; ///< of the body
    int32_t copy_count, node_count;
    double *shares; ///< of the nodes of a copy, which take the force each; their sum is 1
} ModelForce;

/// The pressures in all copies of a body.
typedef struct ModelPressure {
    const BodyDef *def; ///< owned by the scene
    int32_t material;   ///< of its elements of the kind ELEMENT_PRESSURE; kappa is the pressure at time 0
    bool changes;       ///< with time
} ModelPressure;

/// A constraint on weighted sums of nodes (physics/constraint/constraint.h).
typedef struct ModelConstraint {
    int32_t kind;   ///< CONSTRAINT_KIND_*
    int32_t source; ///< index into scene->constraints; -1: of a body's own
    int32_t body;   ///< of a body's own: its index; else -1
    int32_t number; ///< of a body's own: of the element within the body
    int32_t first_row;
    int32_t node_count;
    int32_t nodes[CONSTRAINT_NODES_MOST];                           ///< each once
    double weights[CONSTRAINT_NODES_MOST][CONSTRAINT_COLUMNS_MOST]; ///< w_ac
    double rest;                                                    ///< m, or rad
    ConstraintSide side;
    double compliance; ///< of every row: m/N, rad/(N m), 1/J; 0: hard
    double coupled;    ///< of strain: off the diagonal between normal components, 1/J
    double sheared;    ///< of strain: of shear components, 1/J
    double arm;        ///< times this a value is an error in m
    int32_t element;   ///< where constraints are forces, its number; else -1
} ModelConstraint;

/// Nodes of an affine body.
enum { BODY_NODES = 4 };

/// Four nodes whose masses are coupled: M_ab, times the 3x3 identity (theory.md section 9). All four are free, or none is. A
/// node is in one block at most. The diagonal is that of Model.masses.
typedef struct MassBlock {
    int32_t nodes[BODY_NODES];
    double masses[16];   ///< symmetric, positive definite, kg
    double inverses[16]; ///< its inverse, 1/kg
} MassBlock;

/// Nodes along a curve through space, free ones first: the place of a node is that of its row in the devices' matrices.
typedef struct NodeOrder {
    int32_t node_count, free_count;
    int32_t coupled_count; ///< the first of these are those of free mass blocks, four by four
    int32_t *nodes;        ///< at each place
    int32_t *places;       ///< its inverse
    int32_t *
        stack_of; ///< of every node the lowest of its stack (model/node_stacks.h), whose places follow one another; NULL: there are none
    uint8_t
        *stack_moves;    ///< of every node: whether its stack is a level of the preconditioner; NULL likewise
    int32_t group_count; ///< of free nodes (model/node_order.h)
    int32_t joint_group_count; ///< of these, what joints hold
    int32_t *group_starts;     ///< group_count + 1: places
    int32_t *group_turns;      ///< group_count: when each is eliminated on Vulkan (model/group_turns.h)
    int32_t turn_levels;       ///< dispatches that takes where contact couples nothing
} NodeOrder;

typedef struct Model {
    const SceneDef *scene; ///< must outlive the model

    int32_t node_count;
    int32_t
        body_node_count; ///< those of bodies come first; behind them obstacles' (model/contact.h), then anchors
    double *rest_positions;     ///< node_count x 3, m: the shape without stress, in the world
    double *initial_positions;  ///< node_count x 3, m; the rest shape, but for twisted bodies
    double *initial_velocities; ///< node_count x 3, m/s
    double *masses;             ///< diagonal of the mass matrix, kg; 0 for nodes no element uses
    double *
        gravity_weights; ///< kg, what gravity pulls on and momentum p = sum g_a v_a counts: row sums of the mass matrix
    int32_t mass_block_count;
    MassBlock *mass_blocks; ///< what the mass matrix has beside its diagonal
    uint8_t *node_is_free;  ///< 1: unknown; 0: pinned, or used by no element

    int32_t pin_count;
    int32_t *pin_nodes;         ///< ascending, each node once (the body's first pin wins)
    const Motion **pin_motions; ///< owned by the scene
    double *pin_bases;          ///< pin_count x 3, m: what the motion moves
    int32_t *
        pin_sources; ///< number among the body's pins; of obstacles' nodes that of the obstacle, of anchors that of the constraint
    double *pin_offsets; ///< pin_count x 3, m: the array copy's offset; copies move like copy 0, shifted
    int32_t partial_pin_count;
    PartialPin *partial_pins; ///< ascending by node, each once
    int32_t
        *node_partial_pins; ///< of every node: the one that holds a part of it, or -1; NULL: there are none

    int32_t force_count, pressure_count;
    ModelForce *forces;
    ModelPressure *pressures;
    bool loads_change; ///< one of them with time

    ElementGroup groups[ELEMENT_KIND_COUNT]; ///< one for each kind of element, perhaps empty
    int32_t element_count, corner_count;     ///< of all groups
    int32_t local_count;                     ///< numbers of D x of all elements
    int32_t material_count;
    ModelMaterial *materials;
    bool is_damped; ///< one of them has damping, or there is air

    int32_t vertex_count; ///< of all bodies and their skins
    int32_t triangle_count;
    int32_t *triangles;         ///< surfaces and skins, triangle_count x 3 vertices, outward
    int32_t *triangle_elements; ///< the element behind each, by its number

    int32_t body_count;
    ModelBody *bodies;

    int32_t penalty_count; ///< obstacles that push back: all of the scene's (0 unless contact is penalty)
    PenaltyObstacle *penalty_obstacles;

    int32_t constraint_count;
    ModelConstraint *constraints; ///< model/constraints.h
    int32_t constraint_row_count;
    int32_t anchor_count; ///< the last nodes, points of the world that constraints hold on to

    ModelSurface surface; ///< what collides, over vertices that follow from the nodes
    ModelContact contact; ///< of penalty contact friction alone; empty without contact
    const ObstacleSurface
        *obstacle_surfaces; ///< one for each of scene->obstacles; of meshes, whatever the contact

    // Fixed lists.
    int32_t *incidence_start; ///< node_count + 1
    int32_t *incidence;       ///< corner_count corners by their numbers, ascending for each node
    int32_t *row_start;       ///< node_count + 1: node graph with diagonal, rows of the block matrix
    int32_t *columns;         ///< ascending in each row
    NodeOrder order;
} Model;

/// Pins of bodies: the first of all pins, the others are obstacles' nodes and anchors.
static inline int32_t model_body_pin_count(const Model *model)
{
    return model->pin_count - (model->node_count - model->body_node_count);
}

/// Nodes of obstacles, behind those of bodies.
static inline int32_t model_obstacle_node_count(const Model *model)
{
    return model->node_count - model->anchor_count - model->body_node_count;
}

/// What is prescribed: pinned nodes, then those that are in part.
static inline int32_t model_prescribed_count(const Model *model)
{
    return model->pin_count + model->partial_pin_count;
}

/// The pin that holds a part of the node, or NULL.
static inline const PartialPin *model_partial_pin(const Model *model, int32_t node)
{
    const int32_t pin = model->node_partial_pins ? model->node_partial_pins[node] : -1;
    return pin < 0 ? NULL : &model->partial_pins[pin];
}

/// Vectors at nodes (3 each) lose what partial pins hold.
static inline void model_release(const Model *model, double *values)
{
    for (int32_t p = 0; p < model->partial_pin_count; ++p)
        partial_pin_release(&model->partial_pins[p], values + 3 * (size_t)model->partial_pins[p].node);
}

/// How many of the surface's vertices are bodies': the first ones.
static inline int32_t model_surface_vertices(const Model *model)
{
    return model->surface.first_vertices[model->body_count];
}

/// How many coordinates ADMM splits off for a vertex before an obstacle of penalty contact: 1 before a plane without friction, the
/// gap, else 3 (device/cpu/terms/penalty_split.h).
static inline int32_t model_penalty_width(const Model *model, int32_t obstacle)
{
    const PenaltyObstacle *def = &model->penalty_obstacles[obstacle];
    return def->radius > 0 || def->rubs ? 3 : 1;
}

/// Of all vertices and obstacles: obstacle by obstacle, vertex by vertex.
static inline size_t model_penalty_coordinates(const Model *model)
{
    size_t width = 0;
    for (int32_t o = 0; o < model->penalty_count; ++o)
        width += (size_t)model_penalty_width(model, o);
    return width * (size_t)model_surface_vertices(model);
}

/// Nodes and weights of a vertex of a body's copies, of its skin the ones from vertex_count on; returns their number.
int model_vertex_nodes(const ModelBody *body, int32_t vertex, int32_t nodes[SURFACE_NODES_MOST],
                       double weights[SURFACE_NODES_MOST]);
/// What the first `count` vertices of a body have of values at nodes (3 each), count x 3.
void model_body_vertices(const ModelBody *body, int32_t count, const double *values, double *out);
/// What all vertices of bodies and skins have of values at nodes (3 each): their positions or velocities, vertex_count x 3.
void model_vertices(const Model *model, const double *values, double *out);

/// Positions of the pinned nodes at `time`, then of those that are in part, of which the held components count;
/// model_prescribed_count x 3.
void model_pin_positions(const Model *model, double time, double *positions);
/// The obstacles of penalty contact at `time`, penalty_count.
void model_penalty_shapes(const Model *model, double time, PenaltyShape *shapes);

#endif
