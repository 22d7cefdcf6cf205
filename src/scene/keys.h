/// Every name a scene file may contain. The reader, scenes/schema.json and docs/scene-reference.md agree on
/// these.
#ifndef SCENE_KEYS_H
#define SCENE_KEYS_H

/// Names allowed at one place; lists end in NULL.
typedef struct NameTable {
    const char *where;        ///< "body": keys of that object; "material.model": words of that key
    const char *const *known; ///< in the order of the enum, where there is one
    const char *const *later; ///< names of vela that this version does not have; refused as such
} NameTable;

extern const NameTable KEYS_SCENE, KEYS_TIME, KEYS_AIR, KEYS_INTEGRATOR, KEYS_DECAY, KEYS_SOLVER, KEYS_LINEAR,
    KEYS_MATERIAL, KEYS_DAMPING, KEYS_BODY, KEYS_GEOMETRY, KEYS_BOX, KEYS_BALL, KEYS_CYLINDER, KEYS_TORUS,
    KEYS_CABLE, KEYS_SHEET, KEYS_DISK, KEYS_LOAD, KEYS_LOAD_KEYFRAME, KEYS_POINT_MASS, KEYS_SKIN, KEYS_ROTATE,
    KEYS_TWIST, KEYS_ARRAY, KEYS_REGION, KEYS_PIN, KEYS_FRAME, KEYS_SELECT, KEYS_SPHERE, KEYS_KEYFRAME,
    KEYS_KEYFRAME_ROTATE, KEYS_MOTION, KEYS_SPIN, KEYS_LOOK, KEYS_OBSTACLE, KEYS_PLANE, KEYS_CONSTRAINT,
    KEYS_END, KEYS_CONTACT, KEYS_PAIR, KEYS_RENDER, KEYS_CAMERA, KEYS_OUTPUT;
extern const NameTable WORDS_INTEGRATOR, WORDS_VARIANT, WORDS_SOLVER, WORDS_LINEAR, WORDS_PRECONDITIONER,
    WORDS_ACCELERATION, WORDS_MODEL, WORDS_DAMPING, WORDS_CORRECTION, WORDS_FORM, WORDS_BODY, WORDS_BENDING,
    WORDS_FORMULATION, WORDS_CONSTRAINT, WORDS_SIDE, WORDS_CONTACT, WORDS_FRICTION_MODEL, WORDS_COLOR_BY,
    WORDS_IMAGES;

/// All of the above, for tests; ends in NULL.
extern const NameTable *const SCENE_NAME_TABLES[];

#endif
