#include "scene/keys.h"

#include <stddef.h>

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define NO_NAMES ((const char *const[]){NULL})

const NameTable KEYS_SCENE = {"scene",
                              NAMES("version", "name", "time", "gravity", "air", "integrator", "solver",
                                    "materials", "bodies", "obstacles", "constraints", "contact", "render",
                                    "output"),
                              NO_NAMES};
const NameTable KEYS_TIME = {"time", NAMES("step", "duration", "frame_every"), NO_NAMES};
const NameTable KEYS_AIR = {"air", NAMES("drag", "wind"), NO_NAMES};
const NameTable KEYS_INTEGRATOR = {"integrator",
                                   NAMES("type", "alpha", "alpha_min", "alpha_max", "initial_energy",
                                         "ground_energy", "decay_time", "variant"),
                                   NO_NAMES};
const NameTable KEYS_DECAY = {"decay_keyframe", NAMES("time", "value"), NO_NAMES};
const NameTable KEYS_SOLVER = {"solver",
                               NAMES("type", "tolerance", "max_iterations", "penalty", "adapt_penalty",
                                     "acceleration", "depth", "linear", "lag_iterations", "strict",
                                     "geometric_stiffness", "iterations"),
                               NO_NAMES};
const NameTable KEYS_LINEAR = {"linear", NAMES("type", "tolerance", "max_iterations", "preconditioner"),
                               NO_NAMES};
const NameTable KEYS_MATERIAL = {"material",
                                 NAMES("model", "density", "kappa", "lambda", "youngs_modulus",
                                       "poissons_ratio", "friction", "prevent_inversion", "damping"),
                                 NO_NAMES};
const NameTable KEYS_DAMPING = {
    "damping",
    NAMES("type", "shear", "bulk", "time", "mass", "points", "coefficient", "exponent", "correction", "form"),
    NO_NAMES};
const NameTable KEYS_BODY = {"body",
                             NAMES("name", "type", "geometry", "material", "regions", "scale", "rotate",
                                   "translate", "twist", "velocity", "angular_velocity", "velocity_gradient",
                                   "array", "pins", "look", "radius", "bending_modulus", "rest_scale",
                                   "stiffness", "point_masses", "contact_thickness", "loads", "skin",
                                   "thickness", "bending", "formulation"),
                             NO_NAMES};
const NameTable KEYS_GEOMETRY = {
    "geometry", NAMES("mesh", "box", "ball", "cylinder", "torus", "cable", "sheet", "disk", "weld"),
    NO_NAMES};
const NameTable KEYS_BOX = {"box", NAMES("size", "cells"), NO_NAMES};
const NameTable KEYS_BALL = {"ball", NAMES("radius", "resolution"), NO_NAMES};
const NameTable KEYS_CYLINDER = {"cylinder", NAMES("radius", "length", "resolution"), NO_NAMES};
const NameTable KEYS_TORUS = {"torus", NAMES("radius", "tube", "resolution"), NO_NAMES};
const NameTable KEYS_CABLE = {"cable", NAMES("from", "to", "segments", "points"), NO_NAMES};
const NameTable KEYS_SHEET = {"sheet", NAMES("size", "cells"), NO_NAMES};
const NameTable KEYS_DISK = {"disk", NAMES("radius", "resolution"), NO_NAMES};
const NameTable KEYS_ROTATE = {"rotate", NAMES("axis", "degrees"), NO_NAMES};
const NameTable KEYS_TWIST = {"twist", NAMES("axis", "degrees"), NO_NAMES};
const NameTable KEYS_ARRAY = {"array", NAMES("count", "spacing"), NO_NAMES};
const NameTable KEYS_REGION = {"region", NAMES("select", "material"), NO_NAMES};
const NameTable KEYS_PIN = {"pin", NAMES("select", "motion", "axes", "frame"), NO_NAMES};
const NameTable KEYS_FRAME = {"frame", NAMES("axis", "degrees"), NO_NAMES};
const NameTable KEYS_LOAD = {"load", NAMES("select", "force", "pressure"), NO_NAMES};
const NameTable KEYS_LOAD_KEYFRAME = {"load_keyframe", NAMES("time", "value"), NO_NAMES};
const NameTable KEYS_POINT_MASS = {"point_mass", NAMES("select", "mass"), NO_NAMES};
const NameTable KEYS_SKIN = {"skin", NAMES("mesh", "contact"), NO_NAMES};
const NameTable KEYS_SELECT = {"select", NAMES("all", "box", "sphere", "nodes", "nearest", "group"),
                               NO_NAMES};
const NameTable KEYS_SPHERE = {"sphere", NAMES("center", "radius"), NO_NAMES};
const NameTable KEYS_KEYFRAME = {"keyframe", NAMES("time", "translate", "rotate"), NO_NAMES};
const NameTable KEYS_KEYFRAME_ROTATE = {"keyframe_rotate", NAMES("axis", "degrees", "about"), NO_NAMES};
const NameTable KEYS_MOTION = {"motion", NAMES("spin"), NO_NAMES};
const NameTable KEYS_SPIN = {"spin", NAMES("axis", "about", "speed"), NO_NAMES};
const NameTable KEYS_LOOK = {"look", NAMES("color", "roughness"), NO_NAMES};
const NameTable KEYS_OBSTACLE = {
    "obstacle",
    NAMES("name", "plane", "sphere", "mesh", "scale", "rotate", "translate", "friction", "motion", "look"),
    NO_NAMES};
const NameTable KEYS_PLANE = {"plane", NAMES("point", "normal"), NO_NAMES};
const NameTable KEYS_CONSTRAINT = {"constraint",
                                   NAMES("name", "type", "compliance", "between", "length", "side", "at",
                                         "axis", "limits_degrees", "angle_degrees"),
                                   NO_NAMES};
const NameTable KEYS_END = {"end", NAMES("body", "nearest", "node", "point", "motion"), NO_NAMES};
const NameTable KEYS_CONTACT = {"contact",
                                NAMES("model", "distance", "stiffness", "self", "friction", "friction_model",
                                      "friction_speed", "friction_iterations", "pairs", "clearance"),
                                NO_NAMES};
const NameTable KEYS_PAIR = {"pair", NAMES("between", "friction", "contact"), NO_NAMES};
const NameTable KEYS_RENDER = {"render", NAMES("size", "camera", "color_by", "color_range", "joints"),
                               NO_NAMES};
const NameTable KEYS_CAMERA = {"camera", NAMES("eye", "target", "fov_degrees"), NO_NAMES};
const NameTable KEYS_OUTPUT = {"output", NAMES("images", "checkpoint_every", "stress"), NO_NAMES};

// In the order of IntegratorType, SolverType, ConstraintSolve, Preconditioner, DampingType, DampingCorrection, DampingForm,
// BodyType, BendingModel, ConstraintType, ConstraintSide, FrictionModel, ColorBy.
const NameTable WORDS_INTEGRATOR = {"integrator.type",
                                    NAMES("implicit_euler", "bdf2", "trapezoidal", "implicit_midpoint",
                                          "tr_bdf2", "sdirk2", "variational", "a1", "a_search", "blending",
                                          "rk4"),
                                    NO_NAMES};
const NameTable WORDS_VARIANT = {"integrator.variant", NAMES("plain", "sparse"), NO_NAMES};
const NameTable WORDS_SOLVER = {"solver.type", NAMES("newton", "admm", "compliant"), NO_NAMES};
const NameTable WORDS_LINEAR = {"linear.type", NAMES("direct", "minres"), NO_NAMES};
const NameTable WORDS_PRECONDITIONER = {"linear.preconditioner", NAMES("two_level", "block_jacobi"),
                                        NO_NAMES};
const NameTable WORDS_ACCELERATION = {"solver.acceleration", NAMES("none", "anderson"), NO_NAMES};
const NameTable WORDS_MODEL = {"material.model",
                               NAMES("arap", "symmetric_dirichlet", "symmetric_gradient", "neo_hookean",
                                     "corotated", "fixed_corotated", "stable_neo_hookean", "stvk"),
                               NO_NAMES};
const NameTable WORDS_DAMPING = {
    "damping.type",
    NAMES("strain_rate", "rayleigh", "principal_strain", "power_law", "spline", "variational"), NO_NAMES};
const NameTable WORDS_CORRECTION = {"damping.correction",
                                    NAMES("none", "velocity_gradient", "rigid_velocity"), NO_NAMES};
const NameTable WORDS_FORM = {"damping.form", NAMES("lagged", "implicit", "second_order"), NO_NAMES};
const NameTable WORDS_BODY = {"body.type", NAMES("solid", "cable", "affine", "shell"), NO_NAMES};
const NameTable WORDS_BENDING = {"body.bending", NAMES("discrete_shells", "quadratic", "plate", "none"),
                                 NO_NAMES};
const NameTable WORDS_FORMULATION = {"body.formulation", NAMES("force", "constraint"), NO_NAMES};
const NameTable WORDS_CONSTRAINT = {"constraint.type", NAMES("distance", "attach", "ball", "hinge", "angle"),
                                    NO_NAMES};
const NameTable WORDS_SIDE = {"constraint.side", NAMES("both", "at_most", "at_least"), NO_NAMES};
const NameTable WORDS_CONTACT = {"contact.model", NAMES("penalty", "barrier"), NO_NAMES};
const NameTable WORDS_FRICTION_MODEL = {"contact.friction_model", NAMES("lagged", "semi_implicit"), NO_NAMES};
const NameTable WORDS_COLOR_BY = {
    "render.color_by",
    NAMES("body", "stretch", "energy", "speed", "stress", "strain", "thickness", "tension"), NO_NAMES};
const NameTable WORDS_IMAGES = {"output.images", NAMES("none", "png"), NO_NAMES};

const NameTable *const SCENE_NAME_TABLES[] = {
    &KEYS_SCENE,
    &KEYS_TIME,
    &KEYS_AIR,
    &KEYS_INTEGRATOR,
    &KEYS_DECAY,
    &KEYS_SOLVER,
    &KEYS_LINEAR,
    &KEYS_MATERIAL,
    &KEYS_DAMPING,
    &KEYS_BODY,
    &KEYS_GEOMETRY,
    &KEYS_BOX,
    &KEYS_BALL,
    &KEYS_CYLINDER,
    &KEYS_TORUS,
    &KEYS_CABLE,
    &KEYS_SHEET,
    &KEYS_DISK,
    &KEYS_ROTATE,
    &KEYS_TWIST,
    &KEYS_ARRAY,
    &KEYS_REGION,
    &KEYS_PIN,
    &KEYS_FRAME,
    &KEYS_LOAD,
    &KEYS_LOAD_KEYFRAME,
    &KEYS_POINT_MASS,
    &KEYS_SKIN,
    &KEYS_SELECT,
    &KEYS_SPHERE,
    &KEYS_KEYFRAME,
    &KEYS_KEYFRAME_ROTATE,
    &KEYS_MOTION,
    &KEYS_SPIN,
    &KEYS_LOOK,
    &KEYS_OBSTACLE,
    &KEYS_PLANE,
    &KEYS_CONSTRAINT,
    &KEYS_END,
    &KEYS_CONTACT,
    &KEYS_PAIR,
    &KEYS_RENDER,
    &KEYS_CAMERA,
    &KEYS_OUTPUT,
    &WORDS_INTEGRATOR,
    &WORDS_VARIANT,
    &WORDS_SOLVER,
    &WORDS_LINEAR,
    &WORDS_PRECONDITIONER,
    &WORDS_ACCELERATION,
    &WORDS_MODEL,
    &WORDS_DAMPING,
    &WORDS_CORRECTION,
    &WORDS_FORM,
    &WORDS_BODY,
    &WORDS_BENDING,
    &WORDS_FORMULATION,
    &WORDS_CONSTRAINT,
    &WORDS_SIDE,
    &WORDS_CONTACT,
    &WORDS_FRICTION_MODEL,
    &WORDS_COLOR_BY,
    &WORDS_IMAGES,
    NULL,
};
