/// A scene as the user wrote it, checked, with defaults filled in. Read from JSON by scene_read.
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "abi/energy_model.h"
#include "base/arena.h"
#include "physics/dissipation/damping.h"

typedef struct Keyframe {
    double time;         ///< s
    double translate[3]; ///< m
    bool has_rotation;   ///< false: 0 degrees about the neighbour's axis and point
    double axis[3];      ///< unit; 0 without rotation
    double degrees;
    double about[3]; ///< m
} Keyframe;

/// Prescribed motion of pins and obstacles (docs/scene-reference.md "motion"). No keyframes and no spin: at rest.
typedef struct Motion {
    int32_t keyframe_count;
    Keyframe *keyframes; ///< ascending in time
    bool spin;
    double spin_axis[3]; ///< unit
    double spin_about[3];
    double spin_speed; ///< rad/s
} Motion;

typedef enum GeometryKind {
    GEOMETRY_MESH,
    GEOMETRY_BOX,
    GEOMETRY_BALL,
    GEOMETRY_CYLINDER,
    GEOMETRY_TORUS,
    GEOMETRY_CABLE,
    GEOMETRY_SHEET,
    GEOMETRY_DISK,
} GeometryKind;

typedef struct GeometryDef {
    GeometryKind kind;
    const char *mesh;            ///< absolute path; "" for built-in shapes
    double size[3];              ///< box, m; sheet: along x and z
    int32_t cells[3];            ///< box; sheet: along x and z
    double radius, length, tube; ///< m
    int32_t resolution;          ///< at least 2
    double from[3], to[3];       ///< cable, m
    int32_t segments;            ///< cable: at least 1
    double (*points)[3];         ///< cable: segments + 1 places, m; NULL: evenly spaced from `from` to `to`
    double weld;                 ///< nodes closer than this are merged, before `scale`; m; 0: none
} GeometryDef;

typedef enum SelectKind {
    SELECT_ALL,
    SELECT_BOX,
    SELECT_SPHERE,
    SELECT_NODES,
    SELECT_NEAREST,
    SELECT_GROUP
} SelectKind;

typedef struct SelectDef {
    SelectKind kind;
    double box[2][3];         ///< min, max; m, world coordinates of the initial state
    double center[3], radius; ///< sphere
    double nearest[3];
    int32_t node_count;
    int32_t *nodes; ///< indices within the body's mesh
    const char *group;
    const char *path; ///< JSON path of the selector, for messages ("bodies[0].pins[1].select")
} SelectDef;

enum { AXES_ALL = 7 };

typedef struct PinDef {
    SelectDef select;
    Motion motion;
    unsigned axes; ///< bit k: axis k of the pin's frame is held; AXES_ALL: the node is, whatever the frame
    double frame_axis[3], frame_degrees; ///< how the frame is turned from the axes of the world
} PinDef;

/// Tetrahedra of another material: those whose four corners are selected.
typedef struct RegionDef {
    SelectDef select;
    int32_t material; ///< index into SceneDef.materials
} RegionDef;

/// Mass added to nodes.
typedef struct PointMassDef {
    SelectDef select;
    double mass; ///< kg, for each node selected
} PointMassDef;

/// One value of a load; between two it changes evenly.
typedef struct LoadKey {
    double time;     ///< s
    double value[3]; ///< N, in all; of a pressure Pa, the first number
} LoadKey;

/// A force spread over nodes, or the pressure inside a body.
typedef struct LoadDef {
    bool is_pressure;
    SelectDef select; ///< of a force
    int32_t key_count;
    LoadKey *keys; ///< ascending in time; before the first and after the last one, that one holds
} LoadDef;

typedef struct LookDef {
    double color[3];  ///< as the user typed it: sRGB-encoded, each in [0,1]
    double roughness; ///< [0,1]
} LookDef;

typedef struct MaterialDef {
    const char *name;
    int32_t model;  ///< ENERGY_*
    double density; ///< kg/m^3
    double kappa,
        lambda; ///< Pa, resolved from whichever form the user gave (docs/scene-reference.md "material models")
    double poissons_ratio; ///< the user's, or the one that matches kappa and lambda at rest; 0 where lambda
                           ///< is unused
    double
        youngs_modulus; ///< Pa, with `given_ratio` the form the user chose; 0 if they gave kappa and lambda
    double given_ratio; ///< Poisson's ratio as given beside youngs_modulus
    bool
        has_friction; ///< whether `friction` was given (docs/scene-reference.md "contact": which of several holds)
    double friction;        ///< 0 if not given
    bool prevent_inversion; ///< elements must not invert even if the model's energy stays finite there
    DampingList damping;
} MaterialDef;

/// A surface that follows a body and is drawn in its place.
typedef struct SkinDef {
    const char *mesh; ///< absolute path of a surface, placed as the body is; NULL: the body has none
    bool contact;     ///< it collides in place of the body's own surface
} SkinDef;

/// What a body is made of: tetrahedra, segments, one affine motion, or triangles (docs/scene-reference.md "bodies").
typedef enum BodyType { BODY_SOLID, BODY_CABLE, BODY_AFFINE, BODY_SHELL } BodyType;
/// What resists bending at the edges of a shell.
typedef enum BendingModel {
    BENDING_DISCRETE_SHELLS,
    BENDING_QUADRATIC,
    BENDING_PLATE,
    BENDING_NONE
} BendingModel;

typedef struct BodyDef {
    const char *name;
    BodyType type;
    GeometryDef geometry;
    int32_t material; ///< index into SceneDef.materials
    double scale;
    double rotate_axis[3], rotate_degrees;
    double twist_axis[3], twist_degrees; ///< of the initial state, not of the rest shape; 0 degrees: none
    double translate[3];                 ///< m
    double velocity[3];                  ///< m/s
    double angular_velocity[3];          ///< rad/s, about the body's (each copy's) centre of mass
    double velocity_gradient[9];         ///< 1/s, row-major: L of the additional velocity L (x - c)
    double radius;                       ///< of a cable, m
    double bending_modulus;              ///< of a cable or shell, Pa; 0: a rope
    double bending_ratio;                ///< of a shell: Poisson's ratio of what bends
    double rest_scale
        [2]; ///< of a cable or shell: its size without stress over that of the given shape; of a sheet or disk
             ///< along x and along z
    double thickness;         ///< of a shell, m
    BendingModel bending;     ///< of a shell
    double stiffness;         ///< of an affine body, Pa (theory.md section 9)
    bool in_constraint_form;  ///< of a cable, shell or solid: constraints with compliance instead of forces
    double contact_thickness; ///< m: half of it is this body's part of the separation of a pair
    int32_t array_count[3];   ///< at least 1 each
    double array_spacing[3];  ///< m
    SkinDef skin;
    int32_t region_count;
    RegionDef *regions; ///< a later one holds where two overlap
    int32_t pin_count;
    PinDef *pins;
    int32_t point_mass_count;
    PointMassDef *point_masses;
    int32_t load_count;
    LoadDef *loads;
    LookDef look;
} BodyDef;

typedef enum ObstacleKind { OBSTACLE_PLANE, OBSTACLE_SPHERE, OBSTACLE_MESH } ObstacleKind;

typedef struct ObstacleDef {
    const char *name;
    ObstacleKind kind;
    double point[3], normal[3]; ///< plane, m; normal of length 1, towards where bodies may be
    double center[3], radius;   ///< sphere, m
    const char *mesh;           ///< absolute path of a surface; placed as a body is
    double scale, rotate_axis[3], rotate_degrees, translate[3];
    bool has_friction;
    double friction; ///< 0 if not given
    Motion motion;
    LookDef look;
} ObstacleDef;

/// What holds points of bodies together (docs/scene-reference.md "constraints"; theory.md section 10).
typedef enum ConstraintType {
    CONSTRAINT_DISTANCE,
    CONSTRAINT_ATTACH,
    CONSTRAINT_BALL,
    CONSTRAINT_HINGE,
    CONSTRAINT_ANGLE
} ConstraintType;
typedef enum ConstraintSide { SIDE_BOTH, SIDE_AT_MOST, SIDE_AT_LEAST } ConstraintSide;

/// One end of a constraint: a point of a body, or of the world. Of `ball` and `hinge` the body alone counts.
typedef struct ConstraintEnd {
    int32_t body; ///< index into SceneDef.bodies; -1: the world
    bool
        is_node; ///< the vertex `node`, counted through the body's copies; else the point of its surface nearest to `point`
    int32_t node;
    double point[3];  ///< m, world coordinates of the initial state
    Motion motion;    ///< of a point of the world
    const char *path; ///< JSON path of the end, for messages
} ConstraintEnd;

typedef struct ConstraintDef {
    const char *name; ///< "" where it has none
    ConstraintType type;
    double compliance; ///< m/N, or rad/(N m) for angles; 0: hard
    int32_t end_count; ///< 3 of an angle, else 2
    ConstraintEnd ends[3];
    ConstraintSide side; ///< distance, angle
    bool has_length;     ///< false: the initial one
    double length;       ///< distance, m
    bool has_angle;      ///< false: the initial one
    double angle_degrees;
    double at[3];   ///< ball, hinge: m, world coordinates of the initial state
    double axis[3]; ///< hinge: unit
    bool has_limits;
    double limits_degrees[2]; ///< hinge: low, high; 0 is the initial angle
    const char *path;         ///< JSON path, for messages
} ConstraintDef;

typedef enum ContactModel { CONTACT_NONE, CONTACT_PENALTY, CONTACT_BARRIER } ContactModel;
typedef enum FrictionModel { FRICTION_LAGGED, FRICTION_SEMI_IMPLICIT } FrictionModel;

/// What two names, of bodies, materials or obstacles, have between them.
typedef struct FrictionPairDef {
    const char *names[2];
    bool has_friction; ///< false where the entry only says that they make no contact
    double friction;
    bool no_contact; ///< they never make a pair
} FrictionPairDef;

/// Contact (docs/scene-reference.md "contact"; theory.md section 8).
typedef struct ContactDef {
    ContactModel model;
    double
        stiffness; ///< penalty: N/m per surface vertex; barrier: kappa in N/m times contact area; 0: the default
    double distance; ///< barrier: d-hat, m
    bool self;       ///< barrier: bodies collide with themselves
    double friction; ///< where nothing else says more
    FrictionModel friction_model;
    double friction_speed; ///< eps_v, m/s
    int32_t friction_iterations;
    int32_t pair_count;
    FrictionPairDef *pairs;
    double
        clearance; ///< m: bodies that a constraint joins make no pair nearer than that to where it is; negative: the default
} ContactDef;

typedef enum IntegratorType {
    INTEGRATOR_IMPLICIT_EULER,
    INTEGRATOR_BDF2,
    INTEGRATOR_TRAPEZOIDAL,
    INTEGRATOR_IMPLICIT_MIDPOINT,
    INTEGRATOR_TR_BDF2,
    INTEGRATOR_SDIRK2,
    INTEGRATOR_VARIATIONAL,
    INTEGRATOR_A1,
    INTEGRATOR_A_SEARCH,
    INTEGRATOR_BLENDING,
    INTEGRATOR_RK4
} IntegratorType;
typedef enum SolverType { SOLVER_NEWTON, SOLVER_ADMM, SOLVER_COMPLIANT } SolverType;
/// How `compliant` solves its linear systems.
typedef enum ConstraintSolve { CONSTRAINT_SOLVE_DIRECT, CONSTRAINT_SOLVE_MINRES } ConstraintSolve;
/// Geometric stiffness of constraints (theory.md section 10): none, clamped so that it adds no negative curvature, or as it is.
typedef enum GeometricStiffness {
    GEOMETRIC_STIFFNESS_NONE,
    GEOMETRIC_STIFFNESS_CLAMPED,
    GEOMETRIC_STIFFNESS_EXACT
} GeometricStiffness;
typedef enum Preconditioner { PRECONDITIONER_TWO_LEVEL, PRECONDITIONER_BLOCK_JACOBI } Preconditioner;
typedef enum ColorBy {
    COLOR_BY_BODY,
    COLOR_BY_STRETCH,
    COLOR_BY_ENERGY,
    COLOR_BY_SPEED,
    COLOR_BY_STRESS,
    COLOR_BY_STRAIN,
    COLOR_BY_THICKNESS,
    COLOR_BY_TENSION
} ColorBy;

/// SolverDef.lag_iterations where the scene has none.
enum { LAG_ITERATIONS = 5 };

typedef struct SolverDef {
    SolverType type;
    double
        tolerance; ///< newton: m/s, on |dx|_inf/h; admm: absolute and relative part of the stopping rule; compliant: 0
    int32_t max_iterations;  ///< newton, admm; compliant: 0
    double linear_tolerance; ///< newton, compliant: relative residual of the linear solve
    int32_t linear_max_iterations;
    Preconditioner preconditioner; ///< newton, admm
    bool preconditioner_is_named;  ///< admm: by the scene; else by the model (device/vulkan/linear/coarse.c)
    int32_t lag_iterations;        ///< most rounds in which the geometry of damping follows the solution
    double penalty; ///< factor on theory.md section 5's choice of rho; 0: the default, chosen per material
    bool adapt_penalty;
    bool anderson;
    int32_t depth;                          ///< 1 to 8
    bool strict;                            ///< reaching max_iterations is an error
    GeometricStiffness geometric_stiffness; ///< compliant
    int32_t iterations;                     ///< compliant: linear solves a step
    ConstraintSolve linear_solve;           ///< compliant
    bool linear_solve_is_named; ///< by the scene: else a device that has none of this kind takes another
} SolverDef;

/// One value of the decay time, held until the next one.
typedef struct DecayDef {
    double time;  ///< s
    double value; ///< s, e-folding time; +infinity: no decay
} DecayDef;

/// What a_search keeps the energy at (theory.md section 4).
typedef struct EnergyDef {
    double alpha_min, alpha_max;
    double initial_energy; ///< share of H_0 - ground_energy that the target starts with
    double ground_energy;  ///< J, same zero as the total energy
    bool sparse;           ///< search only after three steps on the same side of the target
    int32_t decay_count;
    DecayDef *decay; ///< ascending in time; none: no decay
} EnergyDef;

/// What surfaces move through (physics/dissipation/air.h).
typedef struct AirDef {
    double drag;    ///< N s/m^3; 0: none
    double wind[3]; ///< m/s
} AirDef;

typedef struct SceneDef {
    const char *path; ///< the file it came from
    const char *name;
    double step;     ///< s
    double duration; ///< s
    int64_t step_count;
    int32_t frame_every;
    double gravity[3];
    AirDef air;
    IntegratorType integrator;
    double alpha;     ///< variational
    EnergyDef energy; ///< a_search
    SolverDef solver;
    int32_t material_count;
    MaterialDef *materials;
    int32_t body_count;
    BodyDef *bodies;
    int32_t obstacle_count;
    ObstacleDef *obstacles;
    ContactDef contact;
    int32_t constraint_count;
    ConstraintDef *constraints;
    int32_t image_size[2];
    bool has_camera;
    double eye[3], target[3], fov_degrees;
    ColorBy color_by;
    bool has_color_range;
    double color_range[2]; ///< what the ends of the colour map stand for, the second above the first
    bool draw_joints;      ///< render.joints: what constraints hold together is drawn as pins
    bool images;           ///< output.images: png or none
    bool stress;           ///< frames record stress and strain; so they do where they are coloured by them
    int32_t checkpoint_every;
    const char *resolved; ///< the resolved scene as JSON text (defaults filled in, mesh paths made absolute)
    uint64_t hash;        ///< of the resolved scene with the bytes of its mesh files in place of their paths
} SceneDef;

/// Axis 0 to 2 of the pin's frame in the world, unit. Pure.
void pin_axis(const PinDef *pin, int k, double axis[3]);

/// Whether the integrator solves no equations, so that the solver does not matter.
bool scene_is_explicit(const SceneDef *scene);

/// Coefficient of friction between bodies `body_a` and `body_b` (the same index: a body and itself), or between `body_a`
/// and `obstacle`; the other of the two is -1. The friction of the entry of contact.pairs that names both, bodies and
/// obstacles before materials (the last one among equals); else the obstacle's own; else the larger one that the
/// materials give; else that of `contact`. Copies of a body and its regions count as the body. Pure.
double scene_friction(const SceneDef *scene, int32_t body_a, int32_t body_b, int32_t obstacle);

/// Whether body `body_a` and body `body_b` (or the same one with itself), or `body_a` and `obstacle`, may make contact at all: no
/// entry of contact.pairs that says they do not names both. The other one of the last two is -1. Pure.
bool scene_may_touch(const SceneDef *scene, int32_t body_a, int32_t body_b, int32_t obstacle);

/// A load's value at `time` (LoadKey.value). Pure.
void load_value(const LoadDef *load, double time, double value[3]);
/// Place at `time` of a point that is at `initial` in the scene's initial state. Pure.
void motion_apply(const Motion *motion, double time, const double initial[3], double out[3]);
/// The rotation (row-major) from how a motion has turned at `from` to how it has at `to`, s. False, with nothing written,
/// where that is none.
bool motion_turn(const Motion *motion, double from, double to, double turn[9]);
/// Whether it ever turns. Pure.
bool motion_turns(const Motion *motion);
/// A bound of the speed that points which start in the box `low` to `high` have from time `from` on, m/s; 0 only if they stand
/// still. Pure.
double motion_speed(const Motion *motion, double from, const double low[3], const double high[3]);
/// Turns a direction the way motion_apply turns (for plane normals).
void motion_rotate(const Motion *motion, double time, const double initial[3], double out[3]);

#endif
